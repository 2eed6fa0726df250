package trace

import (
	"bytes"
	"errors"
	"io"

	"github.com/pausetui/pausetui/internal/printable"
)

// errGivenUp is returned when the person has pressed ctrl+c.
var errGivenUp = errors.New("given up")

// Keys as a terminal in raw mode sends them.
const (
	ctrlC = 0x03
	ctrlD = 0x04
)

// pasted reads what is pasted into a terminal in raw mode, where lines may have
// any length. It ends at ctrl+d and says how many lines have come.
type pasted struct {
	in       io.Reader
	progress io.Writer
	lines    int
	cr       bool  // the last byte was one
	err      error // that ended it
}

// Read implements io.Reader. Lines end with a line feed whatever the terminal
// sends.
func (p *pasted) Read(b []byte) (int, error) {
	if p.err != nil || len(b) == 0 {
		return 0, p.err
	}
	n, err := p.in.Read(b)
	if i := bytes.IndexAny(b[:n], string([]byte{ctrlC, ctrlD})); i >= 0 {
		err = io.EOF
		if b[i] == ctrlC {
			err = errGivenUp
		}
		n = i
	}
	p.err = err
	kept := 0
	for _, c := range b[:n] {
		after := p.cr
		p.cr = c == '\r'
		switch {
		case c == '\n' && after: // one end of a line, in two bytes
			continue
		case c == '\r':
			c = '\n'
		}
		if c == '\n' {
			p.lines++
		}
		b[kept] = c
		kept++
	}
	if kept > 0 {
		words := "lines"
		if p.lines == 1 {
			words = "line"
		}
		printable.Fprintf(p.progress, "\r%d %s", p.lines, words)
	}
	return kept, err
}
