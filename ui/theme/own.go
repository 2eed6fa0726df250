package theme

import (
	"fmt"
	"image/color"
	"strconv"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// named are the colors that a person may replace, by the names that the
// configuration uses.
func (c *Colors) named() []namedColor {
	return []namedColor{
		{"text", &c.Text}, {"dim", &c.Dim}, {"faint", &c.Faint}, {"border", &c.Border}, {"accent", &c.Accent},
		{"stop", &c.Stop}, {"good", &c.Good}, {"warn", &c.Warn}, {"value", &c.Value},
		{"cursor", &c.Cursor}, {"stop_line", &c.StopLine}, {"current_line", &c.CurrentLine},
		{"add", &c.Add}, {"add_strong", &c.AddStrong}, {"del", &c.Del}, {"del_strong", &c.DelStrong},
		{"keyword", &c.Keyword}, {"string", &c.String}, {"number", &c.Number}, {"comment", &c.Comment},
		{"type", &c.Type}, {"function", &c.Func}, {"builtin", &c.Builtin}, {"operator", &c.Operator}, {"on_chip", &c.OnChip},
	}
}

type namedColor struct {
	name  string
	color *color.Color
}

// ColorNames are the names of the colors of a theme.
func ColorNames() []string {
	var names []string
	for _, n := range (&Colors{}).named() {
		names = append(names, n.name)
	}
	return names
}

var hexColor = lazyregexp.New(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// CheckColor says what is wrong with a color as a person writes it: #rgb,
// #rrggbb, or a number of the terminal's palette from 0 to 255.
func CheckColor(text string) error {
	if hexColor.MatchString(text) {
		return nil
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n <= 255 {
		return nil
	}
	return fmt.Errorf("want a color such as \"#8fa8ff\", or a number from \"0\" to \"255\", not %q", text)
}

// with returns the colors with those that a person has replaced; what is no
// color is left alone.
func (c Colors) with(own map[string]string) Colors {
	for _, n := range c.named() {
		if text, ok := own[n.name]; ok && CheckColor(text) == nil {
			*n.color = hex(text)
		}
	}
	return c
}
