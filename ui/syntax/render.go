package syntax

import (
	"image/color"
	"strings"

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

// Paint draws a line in the colors of the palette, on top of a base, whose attributes it keeps.
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

// Text returns a line without its kinds.
func Text(line []Span) string {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.Text)
	}
	return b.String()
}
