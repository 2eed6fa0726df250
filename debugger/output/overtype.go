package output

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is how many cells the tab stops of a terminal are apart.
const tabStop = 8

// drawn is what can be seen of a row: what was overwritten or erased is gone.
func drawn(row []byte) []byte {
	row = bytes.TrimRight(row, "\r") // two where a program ends its lines for a raw terminal
	if i := bytes.LastIndexByte(row, '\r'); i >= 0 {
		row = row[i+1:] // a progress bar
	}
	if bytes.IndexByte(row, '\b') >= 0 {
		row = overtyped(row)
	}
	return row
}

// overtyped draws a row in which the cursor goes back, as a terminal does: a backspace
// erases nothing, what is written next does, or the sequence that clears the rest of the
// line. Other sequences are left out, blanks behind the cursor too.
func overtyped(row []byte) []byte {
	l := line{row: row, cells: make([]cell, 0, len(row))}
	state := byte(0)
	for from := 0; from < len(row); {
		c, n, width := row[from], 1, 1
		switch {
		case c == '\b':
			width, l.at = 0, max(l.at-1, 0)
		case c < ' ' || c > '~' || from+1 < len(row) && row[from+1] > '~': // what follows may join it
			_, width, n, state = ansi.DecodeSequence(row[from:], state, nil)
		}
		switch piece := row[from : from+n]; {
		case width > 0:
			l.put(cell{uint16(from), uint16(from + n)}, min(width, 2))
		case c == '\t':
			l.at = min(l.at+tabStop-l.at%tabStop, maxLineBytes)
		case string(piece) == "\x1b[K" || string(piece) == "\x1b[0K":
			l.clear()
		}
		from += n
	}
	return l.text()
}

// line is a line of a terminal.
type line struct {
	row   []byte // at most maxLineBytes
	cells []cell
	at    int // the cursor
}

// cell is where its character is in the row; small, because a row may have many.
type cell struct{ from, to uint16 }

var (
	blank = cell{1, 0}
	half  = cell{} // the second one of a wide character
)

// put writes a character over what is there: half of a wide one is none.
func (l *line) put(character cell, width int) {
	for len(l.cells) < l.at { // after a tab
		l.cells = append(l.cells, blank)
	}
	if l.at < len(l.cells) && l.cells[l.at] == half {
		l.cells[l.at-1] = blank
	}
	l.set(character)
	if width > 1 {
		l.set(half)
	}
	if l.at < len(l.cells) && l.cells[l.at] == half {
		l.cells[l.at] = blank
	}
}

func (l *line) set(c cell) {
	if l.at == len(l.cells) {
		l.cells = append(l.cells, c)
	}
	l.cells[l.at] = c
	l.at++
}

// clear erases from the cursor to the end.
func (l *line) clear() {
	if l.at < len(l.cells) {
		l.put(blank, 1) // which erases the first half of a wide one, too
		l.at--
		l.cells = l.cells[:l.at]
	}
}

// text is what is in the line, without the blanks behind the cursor at its end.
func (l *line) text() []byte {
	out, end := make([]byte, 0, len(l.row)), 0
	for i, c := range l.cells {
		if c == blank {
			out = append(out, ' ')
		} else {
			out = append(out, l.row[c.from:c.to]...)
		}
		if i < l.at || out[len(out)-1] != ' ' {
			end = len(out)
		}
	}
	return out[:end]
}
