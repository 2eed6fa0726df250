package syntax

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Palette holds the colors of the kinds. A nil color leaves the base style's.
type Palette struct {
	Keyword, String, Number, Comment, Type, Function, Builtin, Operator, Plain color.Color
}

// Color returns the color of a kind, nil for none.
func (p Palette) Color(k Kind) color.Color {
	switch k {
	case Keyword:
		return p.Keyword
	case String:
		return p.String
	case Number:
		return p.Number
	case Comment:
		return p.Comment
	case Type:
		return p.Type
	case Function:
		return p.Function
	case Builtin:
		return p.Builtin
	case Operator:
		return p.Operator
	}
	return p.Plain
}

// Render draws a line in the colors of the palette, on top of a base style
// whose colors and attributes it keeps; the base's padding, margins, borders
// and sizes play no part.
func Render(line []Span, p Palette, base lipgloss.Style) string {
	return Paint(line, p, Inline(base))
}

// Paint does what Render does with a base that is a plain run of attributes.
func Paint(line []Span, p Palette, base ansi.Style) string {
	var b strings.Builder
	var starts [kinds]string
	for _, s := range line {
		kind := s.Kind
		if kind >= kinds {
			kind = Plain
		}
		if starts[kind] == "" {
			style := base
			if c := p.Color(kind); c != nil {
				style = style[:len(style):len(style)].ForegroundColor(c)
			}
			if len(style) > 0 {
				starts[kind] = style.String()
			}
		}
		if starts[kind] == "" || s.Text == "" {
			b.WriteString(s.Text)
			continue
		}
		b.WriteString(starts[kind])
		b.WriteString(s.Text)
		b.WriteString(ansi.ResetStyle)
	}
	return b.String()
}

// Inline returns the colors and attributes of a style. Drawing many short runs
// with them is much faster than with Lip Gloss, which also cuts underlined text
// into single characters and so tears graphemes apart.
func Inline(style lipgloss.Style) ansi.Style {
	var out ansi.Style
	if style.GetBold() {
		out = out.Bold()
	}
	if style.GetFaint() {
		out = out.Faint()
	}
	if style.GetItalic() {
		out = out.Italic(true)
	}
	if style.GetUnderline() {
		out = out.Underline(true)
	}
	if style.GetReverse() {
		out = out.Reverse(true)
	}
	if style.GetStrikethrough() {
		out = out.Strikethrough(true)
	}
	if c := style.GetBackground(); some(c) {
		out = out.BackgroundColor(c)
	}
	// Last, so that the color of a kind takes its place.
	if c := style.GetForeground(); some(c) {
		out = out.ForegroundColor(c)
	}
	return out
}

func some(c color.Color) bool {
	_, none := c.(lipgloss.NoColor)
	return c != nil && !none
}

// Text returns a line without its kinds.
func Text(line []Span) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.Text)
	}
	return b.String()
}
