package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// code is the disassembly of the selected frame's function, shown with its
// source.
type code struct {
	on   bool
	of   *inspect.Code // that rows were made of
	rows []codeRow
	at   int // the row of the instruction that the frame stands at; -1 without
	top  int
	line int // the source line that the window was last placed for
}

// codeRow is an instruction, or the source line that the next ones are made of.
type codeRow struct {
	file string
	line int
	code *debugger.Instruction // nil for a source line
}

// besideWidth is how wide the pane must be to show code beside the source; it
// stands below in a narrower one.
const besideWidth = 96

// extent is the room of the source itself.
func (p *Source) extent() (w, h int) {
	h = p.height - p.head()
	switch {
	case !p.code.on:
		return p.width, h
	case p.width >= besideWidth:
		return p.width * 46 / 100, h
	}
	return p.width, h - h/2
}

// toggleCode shows or hides the disassembly.
func (p *Source) toggleCode() Effect {
	p.code.on = !p.code.on
	p.code.line = 0
	p.clamp()
	p.reveal()
	return nil
}

// syncCode prepares the rows of the frame's code and follows the cursor.
func (p *Source) syncCode() {
	if !p.code.on {
		return
	}
	if have := p.c.Store.Code(p.c.At); have != p.code.of {
		p.code = code{on: true, of: have, at: -1}
		if have != nil {
			p.layCode(have.List)
		}
	}
}

// layCode puts instructions under their source lines.
func (p *Source) layCode(list []debugger.Instruction) {
	frame, _ := p.c.Store.Frame(p.c.At)
	standing := standsAt(list, frame, p.c.At.Frame)
	file, line := "", 0
	for i := range list {
		ins := &list[i]
		if ins.File != file || ins.Line != line {
			file, line = ins.File, ins.Line
			p.code.rows = append(p.code.rows, codeRow{file: file, line: line})
		}
		if i == standing {
			p.code.at = len(p.code.rows)
		}
		p.code.rows = append(p.code.rows, codeRow{file, line, ins})
	}
}

// standsAt is the instruction that a frame stands at: of the innermost one the
// next to be executed, of others the call that has not returned; -1 if it is not
// among them.
func standsAt(list []debugger.Instruction, frame debugger.Frame, index int) int {
	i := slices.IndexFunc(list, func(x debugger.Instruction) bool { return x.PC == frame.PC })
	if i > 0 && index > 0 && isCall(list[i-1]) {
		return i - 1
	}
	return i
}

func isCall(x debugger.Instruction) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(x.Text)), " ")
	return strings.HasPrefix(word, "call") || word == "bl" || word == "blr"
}

// follow places the window so that the code of the cursor's line stands beside
// it.
func (p *Source) follow(h, y int) {
	c := &p.code
	if line := p.codeLine(); c.line != line {
		row := p.codeOf(line)
		switch {
		case row >= 0:
			c.top = row - y
			if p.standsIn(row) && c.at >= c.top+h-1 { // what the frame stands at comes first
				c.top = c.at - h*2/3
			}
		case c.line == 0 && c.at >= 0:
			c.top = c.at - h/3
		}
		c.line = line
	}
	c.top = max(min(c.top, len(c.rows)-h), 0)
}

// codeLine is the line whose code is looked at: the cursor's, or the frame's
// where there is no source.
func (p *Source) codeLine() int {
	if p.missing() {
		return p.frame.Line
	}
	return p.cursor
}

// codeOf is the first row of a source line: of several groups the one that the
// frame stands in; -1 when the line has no code in this function.
func (p *Source) codeOf(line int) int {
	if at := p.code.at; at >= 0 && p.code.rows[at].line == line && p.code.rows[at].file == p.path {
		for at > 0 && p.code.rows[at].code != nil {
			at--
		}
		return at
	}
	return slices.IndexFunc(p.code.rows, func(r codeRow) bool { return r.code == nil && r.line == line && r.file == p.path })
}

// standsIn tells whether the frame stands in the group that begins at a row.
func (p *Source) standsIn(row int) bool {
	for i := row + 1; i < len(p.code.rows) && p.code.rows[i].code != nil; i++ {
		if i == p.code.at {
			return true
		}
	}
	return false
}

// withCode draws source and code.
func (p *Source) withCode(focused bool) []string {
	w, h := p.extent()
	source := p.viewSource(focused)
	if p.width >= besideWidth {
		right := p.viewCode(p.width-w-2, h, max(p.cursor-p.top, 0))
		out := make([]string, 0, h)
		for i := range h {
			l, r := "", ""
			if i < len(source) {
				l = source[i]
			}
			if i < len(right) {
				r = right[i]
			}
			out = append(out, text.Fit(l, w)+p.c.Theme.Border.Render("│")+" "+r)
		}
		return out
	}
	below := p.height - p.head() - h - 1
	for len(source) < h {
		source = append(source, "")
	}
	source = append(source[:h], p.c.Theme.Border.Render(strings.Repeat("─", p.width)))
	return append(source, p.viewCode(p.width, below, below/4)...)
}

// viewCode draws the instructions, those of the cursor's line at the row y.
func (p *Source) viewCode(w, h, y int) []string {
	_, held := p.c.Store.Frame(p.c.At)
	switch {
	case !held:
		return empty(p.c, w, "The instructions of the selected frame's function will be here.")
	case p.code.of == nil:
		return empty(p.c, w, "Reading the instructions…")
	case p.code.of.Err != "":
		return empty(p.c, w, "The instructions cannot be shown: "+text.Line(p.code.of.Err)+".")
	case len(p.code.rows) == 0:
		return empty(p.c, w, "There are no instructions here.")
	}
	p.follow(h, y)
	var out []string
	for i := p.code.top; i < min(p.code.top+h, len(p.code.rows)); i++ {
		out = append(out, p.codeRow(i, w))
	}
	return out
}

func (p *Source) codeRow(i, w int) string {
	t := p.c.Theme
	r := p.code.rows[i]
	here := r.line == p.codeLine() && r.file == p.path
	if r.code == nil {
		label := fmt.Sprintf("%d", r.line)
		if r.file != p.path {
			label = text.Place(text.Line(r.file), r.line)
		}
		if src := p.c.Store.Source(r.file); src != nil {
			label += "  " + strings.TrimSpace(src.Plain(r.line))
		}
		if here {
			return t.FocusTitle.Render(text.Cut(label, w))
		}
		return t.Faint.Render(text.Cut(label, w))
	}
	mark := "  "
	if i == p.code.at {
		mark = t.WarnStrong.Render("▶") + " "
	}
	address, words := fmt.Sprintf("%#x", r.code.PC), instructionText(*r.code)
	style := t.Dim
	if here {
		style = t.Text
	}
	row := text.Fit(mark+t.Faint.Render(address)+"  "+style.Render(words), w)
	if i == p.code.at {
		return t.CurrentLine.Over(row)
	}
	return row
}

// instructionText is an instruction with the name of what it calls.
func instructionText(x debugger.Instruction) string {
	words := text.Line(x.Text)
	if x.To != nil && x.To.Function != "" && x.To.Function != x.Function && !strings.Contains(words, x.To.Function) {
		words += "  → " + text.Line(text.Function(x.To.Function))
	}
	return words
}

// clickCode goes to the source line of the instruction below the pointer; false
// when none is there.
func (p *Source) clickCode(x, y int) (Effect, bool) {
	w, h := p.extent()
	switch {
	case !p.code.on || p.width >= besideWidth && x < w || p.width < besideWidth && y < h:
		return nil, false
	case p.width < besideWidth:
		y -= h + 1
	}
	if i := p.code.top + y; y >= 0 && i < len(p.code.rows) && p.code.rows[i].file == p.path {
		p.cursor = p.code.rows[i].line
		p.code.line = p.cursor // the window stays
		p.clamp()
	}
	return nil, true
}
