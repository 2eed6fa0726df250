package pane

import (
	"strings"

	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
)

// What failed is not cut: the line of the frame goes on below itself where it is
// wider than the pane, unless the person scrolls sideways.

// mostWrapped bounds the rows of a wrapped line, wrapIndent is how much further
// than the line the rows below it begin.
const mostWrapped, wrapIndent = 4, 4

// span is a part of a line, in cells.
type span struct{ from, width int }

// wraps is the rows of a line of the source; one of them but for the frame's.
func (p *sheet) wraps(line int) []span {
	room := p.room()
	whole := []span{{0, room}}
	if !p.held || line != p.frame.Line || p.left > 0 || p.src == nil || line < 1 || line > p.lines() {
		return whole
	}
	all, rest := syntax.Width(p.src.Lines[line-1]), room-p.hang(line)
	if all <= room || rest < 16 {
		return whole
	}
	code := syntax.Text(p.src.Lines[line-1])
	at := syntax.Break(code, 0, room)
	rows := []span{{0, at}}
	for at < all && len(rows) < mostWrapped {
		end := syntax.Break(code, at, rest)
		rows = append(rows, span{at, end - at})
		at = end
	}
	return rows
}

// hang is where the rows below a wrapped line begin.
func (p *sheet) hang(line int) int { return indentOf(p.src, line) + wrapIndent }

// tall is how many rows a line has, with its values.
func (p *sheet) tall(line int) int {
	rows := len(p.wraps(line))
	if p.held && line == p.frame.Line && len(p.here) > 0 {
		rows += valueRows(p.here, p.valuesRoom(line))
	}
	return rows
}

// valuesIndent is where the values of a line begin below it, valuesRoom how many cells
// they have.
func (p *sheet) valuesIndent(line int) int {
	w, _ := p.extent()
	return p.gutter() + min(max(indentOf(p.src, line)-p.left, 0), w/2)
}

func (p *sheet) valuesRoom(line int) int {
	w, _ := p.extent()
	return w - p.valuesIndent(line) - 3
}

// sight is the first cell of the cursor's line that is out of sight.
func (p *sheet) sight() int {
	rows := p.wraps(p.cursor)
	last := rows[len(rows)-1]
	return p.left + last.from + last.width
}

// below draws the rows of a line that goes on below itself.
func (p *Source) below(line, w int, focused bool) []string {
	var out []string
	for _, s := range p.wraps(line)[1:] {
		row := strings.Repeat(" ", p.gutter()+p.hang(line)) + p.paint(p.src.Lines[line-1], s.from, s.width, p.marks(line, focused))
		row = text.Fit(row, w)
		if s.from+s.width < syntax.Width(p.src.Lines[line-1]) && len(out) == mostWrapped-2 {
			row = text.Fit(row, w-1) + p.c.Theme.Faint.Render("…")
		}
		if p.crashed {
			row = p.c.Theme.StopLine.Over(row)
		} else {
			row = p.c.Theme.CurrentLine.Over(row)
		}
		out = append(out, row)
	}
	return out
}

// cellAt is the cell of a line that a column of one of its rows shows.
func (p *sheet) cellAt(line, row, x int) int {
	rows := p.wraps(line)
	if row > 0 && row < len(rows) {
		return rows[row].from + max(x-p.gutter()-p.hang(line), 0)
	}
	return x - p.gutter() + p.left
}
