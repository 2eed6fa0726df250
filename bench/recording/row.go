package main

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// baseline is where text stands in a row, in pixels from its top.
const baseline = 12.0

// row is the number of a row of cells, which is drawn once; false if it is empty.
func (d *drawing) row(cells []uv.Cell) (int, bool) {
	var b bytes.Buffer
	for x := 0; x < len(cells); {
		end := x + 1
		for end < len(cells) && cells[end].Style.Equal(&cells[x].Style) {
			end++
		}
		d.run(&b, x, cells[x:end])
		x = end
	}
	if b.Len() == 0 {
		return 0, false
	}
	i, ok := d.rows[b.String()]
	if !ok {
		i = len(d.rows)
		d.rows[b.String()] = i
		fmt.Fprintf(&d.defs, "<g id=\"r%d\">%s</g>\n", i, b.String())
	}
	return i, true
}

// run draws cells of one style, from a column on. A font may be wider or narrower than
// a cell: each run is as long as its cells.
func (d *drawing) run(b *bytes.Buffer, column int, cells []uv.Cell) {
	style := cells[0].Style
	fill, behind := colors(style)
	if behind != "" {
		fmt.Fprintf(b, `<path class="%s" d="M%s 0h%sv%sH%[2]sz"/>`, d.class("fill:"+behind), number(float64(column)*cellWidth), number(float64(len(cells))*cellWidth), number(cellHeight))
	}
	for len(cells) > 0 && cells[0].Content == " " {
		cells, column = cells[1:], column+1
	}
	for len(cells) > 0 && cells[len(cells)-1].Content == " " {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return
	}
	text := ""
	for _, c := range cells {
		text += c.Content
	}
	class := ""
	if rule := rules(style, fill); rule != "" {
		class = fmt.Sprintf(` class="%s"`, d.class(rule))
	}
	fmt.Fprintf(b, `<text%s x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs">%s</text>`,
		class, number(float64(column)*cellWidth), number(baseline), number(float64(len(cells))*cellWidth), escape(text))
}

// rules are the properties of text that are not those of all text.
func rules(style uv.Style, fill string) string {
	var list []string
	if fill != foreground {
		list = append(list, "fill:"+fill)
	}
	if style.Attrs&uv.AttrBold != 0 {
		list = append(list, "font-weight:bold")
	}
	if style.Attrs&uv.AttrFaint != 0 {
		list = append(list, "opacity:.6")
	}
	if style.Attrs&uv.AttrItalic != 0 {
		list = append(list, "font-style:italic")
	}
	if style.Underline != 0 {
		list = append(list, "text-decoration:underline")
	}
	return strings.Join(list, ";")
}

// colors are those of the text and, where there is one, of the background.
func colors(style uv.Style) (text, behind string) {
	text = foreground
	if style.Fg != nil {
		text = hex(style.Fg)
	}
	if style.Bg != nil {
		behind = hex(style.Bg)
	}
	if style.Attrs&uv.AttrReverse != 0 {
		if behind == "" {
			behind = background
		}
		text, behind = behind, text
	}
	return text, behind
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
