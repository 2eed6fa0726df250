package diffview

import (
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// style is how a run of text is drawn. Nil colors are not.
type style struct {
	fore, background color.Color
	bold, underline  bool
}

func ink(c color.Color) style { return style{fore: c} }

func (s style) back(c color.Color) style {
	s.background = c
	return s
}

func (s style) strong() style {
	s.bold = true
	return s
}

// ansi returns the attributes, the foreground last, so that another can follow.
func (s style) ansi() ansi.Style {
	var out ansi.Style
	if s.bold {
		out = out.Bold()
	}
	if s.underline {
		out = out.Underline(true)
	}
	if s.background != nil {
		out = out.BackgroundColor(s.background)
	}
	if s.fore != nil {
		out = out.ForegroundColor(s.fore)
	}
	return out
}

func (s style) draw(text string) string {
	attributes := s.ansi()
	if text == "" || len(attributes) == 0 {
		return text
	}
	return attributes.Styled(text)
}
