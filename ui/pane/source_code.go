package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// disassembly is the code of the selected frame's function, shown with its
// source.
type disassembly struct {
	*sheet
	of           *inspect.Code // that rows were made of
	instructions []codeRow
	at           int // the row of the instruction that the frame is at; -1 without
	codeTop      int
	line         int // the source line that the window was last placed for
}

// codeRow is an instruction, or the source line that the next ones are made of.
type codeRow struct {
	file string
	line int
	code *debugger.Instruction // nil for a source line
}

// toggleCode shows or hides the disassembly.
func (p *disassembly) toggleCode() {
	p.split = !p.split
	p.line = 0
	p.clamp()
	p.reveal()
}

// syncCode prepares the rows of the frame's code and follows the cursor.
func (p *disassembly) syncCode() {
	if !p.split {
		return
	}
	if have := p.c.Store.Code(p.c.At); have != p.of {
		*p = disassembly{sheet: p.sheet, of: have, at: -1}
		if have != nil {
			p.layCode(have.List)
		}
	}
}

// layCode puts instructions under their source lines.
func (p *disassembly) layCode(list []debugger.Instruction) {
	frame, _ := p.c.Store.Frame(p.c.At)
	standing := standsAt(list, frame, p.c.At.Frame)
	file, line := "", 0
	for i := range list {
		ins := &list[i]
		if ins.File != file || ins.Line != line {
			file, line = ins.File, ins.Line
			p.instructions = append(p.instructions, codeRow{file: file, line: line})
		}
		if i == standing {
			p.at = len(p.instructions)
		}
		p.instructions = append(p.instructions, codeRow{file, line, ins})
	}
}

// standsAt is the instruction that a frame is at: of the innermost one the
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

// follow places the window so that the code of the cursor's line is next to
// it.
func (p *disassembly) follow(h, y int) {
	if line := p.codeLine(); p.line != line {
		row := p.codeOf(line)
		switch {
		case row >= 0:
			p.codeTop = row - y
			if p.standsIn(row) && p.at >= p.codeTop+h-1 { // what the frame is at comes first
				p.codeTop = p.at - h*2/3
			}
		case p.line == 0 && p.at >= 0:
			p.codeTop = p.at - h/3
		}
		p.line = line
	}
	p.codeTop = max(min(p.codeTop, len(p.instructions)-h), 0)
}

// codeOf is the first row of a source line: of several groups the one that the
// frame is in; -1 when the line has no code in this function.
func (p *disassembly) codeOf(line int) int {
	if at := p.at; at >= 0 && p.instructions[at].line == line && p.instructions[at].file == p.path {
		for at > 0 && p.instructions[at].code != nil {
			at--
		}
		return at
	}
	return slices.IndexFunc(p.instructions, func(r codeRow) bool { return r.code == nil && r.line == line && r.file == p.path })
}

// standsIn reports whether the frame is in the group that begins at a row.
func (p *disassembly) standsIn(row int) bool {
	for i := row + 1; i < len(p.instructions) && p.instructions[i].code != nil; i++ {
		if i == p.at {
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
func (p *disassembly) viewCode(w, h, y int) []string {
	_, held := p.c.Store.Frame(p.c.At)
	switch {
	case !held:
		return empty(p.c, w, "The instructions of the selected frame's function will be here.")
	case p.of == nil:
		return empty(p.c, w, "Reading the instructions…")
	case p.of.Err != "":
		return empty(p.c, w, "The instructions cannot be shown: "+text.Line(p.of.Err)+".")
	case len(p.instructions) == 0:
		return empty(p.c, w, "There are no instructions here.")
	}
	p.follow(h, y)
	var out []string
	for i := p.codeTop; i < min(p.codeTop+h, len(p.instructions)); i++ {
		out = append(out, p.codeRow(i, w))
	}
	return out
}

func (p *disassembly) codeRow(i, w int) string {
	t := p.c.Theme
	r := p.instructions[i]
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
	if i == p.at {
		mark = t.WarnStrong.Render("▶") + " "
	}
	address, words := fmt.Sprintf("%#x", r.code.PC), instructionText(*r.code)
	style := t.Dim
	if here {
		style = t.Text
	}
	row := text.Fit(mark+t.Faint.Render(address)+"  "+style.Render(words), w)
	if i == p.at {
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
func (p *disassembly) clickCode(x, y int) bool {
	w, h := p.extent()
	switch {
	case !p.split || p.width >= besideWidth && x < w || p.width < besideWidth && y < h:
		return false
	case p.width < besideWidth:
		y -= h + 1
	}
	if i := p.codeTop + y; y >= 0 && i < len(p.instructions) && p.instructions[i].file == p.path {
		p.cursor = p.instructions[i].line
		p.line = p.cursor // the window stays
		p.clamp()
	}
	return true
}
