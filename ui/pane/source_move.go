package pane

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/syntax"
)

// words are the names of a line, kept because every key and every frame asks
// for those of the cursor's.
type words struct {
	src  *inspect.Source
	line int
	list []inspect.Word
}

// names are the names of the cursor's line.
func (p *sheet) names() []inspect.Word {
	if p.src == nil {
		return nil
	}
	if p.words.src != p.src || p.words.line != p.cursor {
		p.words = words{p.src, p.cursor, p.src.Words(p.cursor)}
	}
	return p.words.list
}

// word is the name that the cursor is on: the one nearest to where it wants
// to be; false in a line without any.
func (p *sheet) word() (inspect.Word, bool) {
	best, found, far := inspect.Word{}, false, 0
	for _, w := range p.names() {
		d := 0
		switch {
		case p.cell < w.Cell:
			d = w.Cell - p.cell
		case p.cell >= w.Cell+w.Width:
			d = p.cell - w.Cell - w.Width + 1
		}
		if !found || d < far {
			best, found, far = w, true, d
		}
	}
	return best, found
}

// goTo puts the cursor on a line and the line somewhat above the middle. Without
// a column it is on the first function that the line calls, or else on its
// first name.
func (p *sheet) goTo(line, column int) {
	p.cursor = line
	p.top = line - p.rows()*2/5
	p.left, p.cell = 0, 0
	p.clamp()
	for _, w := range p.names() {
		if column > 0 && w.Column <= column && column < w.Column+len(w.Text) || column == 0 && w.Call {
			p.cell = w.Cell
			break
		}
	}
	p.placed = p.cell
	p.reveal()
}

// bad is the column, from 1, of the value that the diagnosis names in the frame's
// line: of "x.terms[term]" that of terms. It is 0 where that is unknown.
func (p *Source) bad() int {
	d := p.diagnosis()
	if d == nil || p.src == nil || p.frame.Line < 1 || p.frame.Line > p.lines() {
		return 0
	}
	value := chain.FindString(d.Expr)
	for _, w := range p.src.Words(p.frame.Line) {
		end := w.Column - 1 + len(w.Text)
		before := strings.TrimSuffix(p.src.Raw(p.frame.Line)[:end], value)
		if value != "" && len(before)+len(value) == end && !insideName.MatchString(before) {
			return w.Column
		}
	}
	return 0
}

// chain is a name with the fields that follow it, insideName what ends within one.
var (
	chain      = lazyregexp.New(`[\pL_][\pL\d_.]*`)
	insideName = lazyregexp.New(`[\pL\d_.]$`)
)

// reveal scrolls sideways so that the cursor's name can be seen.
func (p *sheet) reveal() {
	w, ok := p.word()
	room := p.room()
	if !ok || room <= 0 {
		return
	}
	switch {
	case w.Cell < p.left:
		p.left = max(w.Cell-room/4, 0)
	case w.Cell+w.Width > p.sight():
		p.left = max(w.Cell+w.Width-room*3/4, 0)
	}
}

func (p *sheet) clamp() {
	n := p.lines()
	p.cursor = max(min(p.cursor, n), 1)
	room := max(p.rows()-1, 1) // one row may hold values
	if p.held && p.top <= p.frame.Line {
		room = max(room-len(p.wraps(p.frame.Line))+1, 1)
	}
	if p.cursor < p.top {
		p.top = p.cursor
	}
	if p.height > 0 && p.cursor >= p.top+room {
		p.top = p.cursor - room + 1
	}
	p.top = max(min(p.top, n-room+1), 1)
}

func (p *sheet) lines() int {
	if p.src == nil {
		return 0
	}
	return len(p.src.Lines)
}

// move carries out a movement; false when the action is none.
func (p *Source) move(a keymap.Action) bool {
	page := max(p.rows()-2, 1)
	switch a {
	case keymap.Up:
		p.cursor--
	case keymap.Down:
		p.cursor++
	case keymap.PageUp:
		p.cursor -= page
	case keymap.PageDown:
		p.cursor += page
	case keymap.Top:
		p.cursor, p.left = 1, 0
	case keymap.Bottom:
		p.cursor = p.lines()
	case keymap.Right:
		p.right()
	case keymap.Left:
		p.leftward()
	case keymap.HunkPrev:
		p.change(-1)
	case keymap.HunkNext:
		p.change(1)
	case keymap.Open:
		p.Home()
	default:
		return false
	}
	p.clamp()
	return true
}

// Home goes back to the line of the selected frame.
func (p *Source) Home() {
	p.look, p.back = look{}, nil
	if p.held {
		p.goTo(p.frame.Line, p.bad())
	}
}

// right goes to the next name of the line, or scrolls where none is in sight and
// the line goes on.
func (p *sheet) right() {
	here, _ := p.word()
	var next *inspect.Word
	for i, w := range p.names() {
		if w.Cell > here.Cell {
			next = &p.names()[i]
			break
		}
	}
	room := p.room()
	if next == nil || next.Cell+next.Width > p.sight() {
		if p.lineWidth() > p.sight() {
			p.left += max(room/2, 1)
		}
	}
	if next != nil && next.Cell < p.sight() {
		p.cell = next.Cell
	}
}

// leftward goes to the name before, or scrolls back.
func (p *sheet) leftward() {
	here, _ := p.word()
	var before *inspect.Word
	for i, w := range p.names() {
		if w.Cell < here.Cell {
			before = &p.names()[i]
		}
	}
	if before == nil || before.Cell < p.left {
		p.left = max(p.left-max(p.room()/2, 1), 0)
	}
	if before != nil && before.Cell >= p.left {
		p.cell = before.Cell
	}
}

func (p *sheet) lineWidth() int {
	if p.src == nil || p.cursor < 1 || p.cursor > p.lines() {
		return 0
	}
	return syntax.Width(p.src.Lines[p.cursor-1])
}

// change goes to the next group of lines that differ from the last commit.
func (p *sheet) change(d int) {
	marks := p.c.Store.About(p.path).Marks
	for line := p.cursor + d; line >= 1 && line <= p.lines(); line += d {
		if marks[line] != 0 && marks[line-1] == 0 {
			p.cursor = line
			return
		}
	}
}

// Changes reports whether lines differ from the last commit.
func (p *sheet) Changes() bool { return p.c != nil && len(p.c.Store.About(p.path).Marks) > 0 }

// ScrollBy scrolls and takes the cursor along.
func (p *sheet) ScrollBy(n int) {
	room := max(p.rows()-1, 1)
	p.top = max(min(p.top+n, p.lines()-room+1), 1)
	p.cursor = max(min(p.cursor, p.top+room-1), p.top)
	p.clamp()
}

// lineAt is the line that is drawn in a row, and which of its rows it is.
func (p *sheet) lineAt(y int) (line, row int, ok bool) {
	for line := p.top; line <= p.lines() && y >= 0; line++ {
		tall := p.tall(line)
		if y < tall {
			return line, y, true
		}
		y -= tall
	}
	return 0, 0, false
}
