package pane

import (
	"path/filepath"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// sheet is the file that Source shows, the part of it that is in the window, and
// the cursor: a line, and a cell in it.
type sheet struct {
	c             *Context
	width, height int
	top, cursor   int // lines, counted from 1
	left          int // cells that are scrolled past
	cell          int // where the cursor wants to be in the line
	placed        int // the cell that it was brought to, and not moved to by the person
	path          string
	src           *inspect.Source
	frame         debugger.Frame
	held          bool // there is a frame to show
	here          []value
	look          look
	words         words
	split         bool // the function's code has a part of the room
}

// Away reports whether another place than the selected frame's is shown.
func (p *sheet) Away() bool { return p.look.path != "" }

// At is the name that the cursor is on.
func (p *sheet) At() navigate.At {
	at := navigate.At{Place: navigate.Place{File: p.path, Line: p.cursor}}
	if w, ok := p.word(); ok {
		at.Column, at.Name = w.Column, w.Text
	}
	return at
}

// Line is the file and line that the cursor is on; false when there is none.
func (p *sheet) Line() (file string, line int, ok bool) {
	return p.path, p.cursor, p.src != nil && p.src.Err == "" && p.lines() > 0
}

// Extent is the part of the rows that is shown.
func (p *sheet) Extent() Extent { return Extent{p.top - 1, max(p.rows()-1, 1), p.lines()} }

// missing tells that the file of the frame cannot be read.
func (p *sheet) missing() bool { return p.src != nil && p.src.Err != "" }

// here is the base of the file's name.
func (p *sheet) base() string { return text.Line(filepath.Base(p.path)) }

// extent is the room of the source itself.
func (p *sheet) extent() (w, h int) {
	h = p.height - p.head()
	switch {
	case !p.split:
		return p.width, h
	case p.width >= besideWidth:
		return p.width * 46 / 100, h
	}
	return p.width, h - h/2
}

// codeLine is the line whose code is looked at: the cursor's, or the frame's
// where there is no source.
func (p *sheet) codeLine() int {
	if p.missing() {
		return p.frame.Line
	}
	return p.cursor
}

// besideWidth is how wide the pane must be to show code next to the source; it
// is below in a narrower one.
const besideWidth = 96

// standing is where the cursor and the window are, stand sets them.
func (p *sheet) standing() visit {
	return visit{cursor: p.cursor, top: p.top, left: p.left, cell: p.cell}
}

func (p *sheet) stand(v visit) { p.cursor, p.top, p.left, p.cell = v.cursor, v.top, v.left, v.cell }

// head is 1 where the first row names the file: another one than that of the
// stop is shown, and no border does it.
func (p *sheet) head() int {
	if p.c != nil && p.c.Bare && p.Away() && p.height > 4 {
		return 1
	}
	return 0
}

// rows is how many rows the source has, room how many cells a line of it.
func (p *sheet) rows() int { _, h := p.extent(); return h }

func (p *sheet) room() int { w, _ := p.extent(); return w - p.gutter() }

// gutter is how many cells are before the code.
func (p *sheet) gutter() int { return p.digits() + 4 }

func (p *sheet) digits() int { return len(strconv.Itoa(min(p.top+p.rows(), max(p.lines(), 1)))) }
