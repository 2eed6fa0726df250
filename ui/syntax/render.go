package syntax

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Palette holds the colours of the kinds. A nil colour leaves the base style's.
type Palette struct {
	Keyword, String, Number, Comment, Type, Function, Builtin, Operator, Plain color.Color
}

// Color returns the colour of a kind, nil for none.
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

// Render draws a line in the colours of the palette, on top of a base style
// whose background and attributes it keeps. The base must not add space:
// padding, margins, width and borders would repeat with each span.
func Render(line []Span, p Palette, base lipgloss.Style) string {
	var b strings.Builder
	var styles [kinds]*lipgloss.Style
	for _, s := range line {
		kind := s.Kind
		if kind >= kinds {
			kind = Plain
		}
		if styles[kind] == nil {
			style := base
			if c := p.Color(kind); c != nil {
				style = style.Foreground(c)
			}
			styles[kind] = &style
		}
		b.WriteString(styles[kind].Render(s.Text))
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
