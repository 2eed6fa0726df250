package pane

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// How texts and bytes are laid out in rows.
const (
	dumpRow   = 16       // bytes in a row of a hexdump
	chunkRow  = 64       // bytes in a row of a text too long to be divided into lines
	wholeText = 64 << 10 // texts up to this are divided into lines
	shortText = 60       // texts up to this have their own row
)

// asText reports whether a value is unfolded as text or bytes.
func (p *Locals) asText(n *node, v debugger.Variable) bool {
	return v.Kind == reflect.String || byteList(v) && (n.view == viewText || n.view == viewDump)
}

// opensAsText tells strings that are worth unfolding.
func (p *Locals) opensAsText(n *node) bool {
	v := n.v.Deref()
	return v.Kind == reflect.String && v.Unreadable == "" && v.Expr != "" && v.Len > 0 &&
		(v.Len > shortText || n.view == viewDump || strings.Contains(v.Value, "\n"))
}

// addText hangs the rows of a text, or of a dump, under a value.
func (p *Locals) addText(n *node, v debugger.Variable, at place) {
	switch {
	case n.view == viewDump:
		p.addRows(n, v, at, dumpRow, dumpLine)
	case v.Len <= wholeText:
		p.addLines(n, v, at)
	default:
		p.addRows(n, v, at, chunkRow, chunkLine)
	}
}

// addRows divides bytes into rows of the same number of them.
func (p *Locals) addRows(n *node, v debugger.Variable, at place, each int64, line func(offset int64, data []byte, w int) string) {
	m := &many{of: v, count: (v.Len + each - 1) / each}
	if s := p.searchOf(at.path); s != nil {
		var rows []int64
		for _, hit := range s.Hits {
			if row := hit / each; len(rows) == 0 || rows[len(rows)-1] != row {
				rows = append(rows, row)
			}
		}
		m.only(rows)
		n.note = searchNote(s)
	}
	width := len(fmt.Sprintf("%x", v.Len))
	m.make = func(row int64) *node {
		if m.number != nil {
			row = m.number(row)
		}
		r := &node{kind: isBytes, frame: at.frame, path: fmt.Sprintf("%s/@%d", at.path, row), parent: at.path, index: row, depth: at.depth + 1, size: 1, leaf: true, owner: v.Expr}
		count := int(min(each, v.Len-row*each))
		data, err := p.c.Store.Bytes(at.frame, v, row*each, count)
		switch {
		case err != "":
			r.err = err
		case len(data) < count:
			r.words = fmt.Sprintf("%0*x  …", width, row*each)
			r.need = func() []inspect.Need { return p.c.Store.NeedBytes(at.frame, v, row*each, count) }
		default:
			r.words = line(row*each, data, width)
		}
		return r
	}
	n.many = m
	n.size += int(m.count)
}

// dumpLine is a row of a hexdump: where, the bytes, and as letters.
func dumpLine(offset int64, data []byte, w int) string {
	var hex, letters strings.Builder
	for i := range dumpRow {
		if i == dumpRow/2 {
			hex.WriteByte(' ')
		}
		if i >= len(data) {
			hex.WriteString("   ")
			continue
		}
		fmt.Fprintf(&hex, "%02x ", data[i])
		if c := data[i]; c >= 0x20 && c < 0x7f {
			letters.WriteByte(c)
		} else {
			letters.WriteByte('.')
		}
	}
	return fmt.Sprintf("%0*x  %s │%s│", w, offset, hex.String(), letters.String())
}

// chunkLine is a row of a long text: where, and what is there.
func chunkLine(offset int64, data []byte, w int) string {
	return fmt.Sprintf("%0*x  %s", w, offset, oneLine(data))
}

// oneLine writes bytes in one line that has a cell for each letter.
func oneLine(data []byte) string {
	var b strings.Builder
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case r == '\n':
			b.WriteRune('⏎')
		case r == '\t':
			b.WriteRune('→')
		case r == utf8.RuneError && n == 1, r < 0x20, r == 0x7f:
			b.WriteRune('·')
		default:
			b.WriteRune(r)
		}
		data = data[n:]
	}
	return text.Line(b.String())
}

// addLines divides a text into its lines, and those into rows that fit.
func (p *Locals) addLines(n *node, v debugger.Variable, at place) {
	data, err := p.c.Store.Bytes(at.frame, v, 0, int(v.Len))
	if err != "" || int64(len(data)) < v.Len {
		n.addChild(missing(v, at, err, func() []inspect.Need { return p.c.Store.NeedBytes(at.frame, v, 0, int(v.Len)) }))
		return
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	digits := len(fmt.Sprint(len(lines)))
	room := max(p.width-2*(at.depth+1)-digits-6, 20)
	var rows []string
	var starts []int64
	offset := int64(0)
	for i, l := range lines {
		label := fmt.Sprintf("%*d", digits, i+1)
		for _, piece := range pieces(strings.ReplaceAll(string(l), "\t", "    "), room) {
			rows, starts = append(rows, label+"  "+piece), append(starts, offset)
			label = strings.Repeat(" ", digits)
		}
		offset += int64(len(l)) + 1
	}
	m := &many{of: v, count: int64(len(rows))}
	if s := p.searchOf(at.path); s != nil {
		m.only(linesOf(s.Hits, starts))
		n.note = searchNote(s)
	}
	m.make = func(row int64) *node {
		if m.number != nil {
			row = m.number(row)
		}
		return &node{kind: isBytes, frame: at.frame, path: fmt.Sprintf("%s/@%d", at.path, row), parent: at.path, index: row, depth: at.depth + 1, size: 1, leaf: true, words: rows[row]}
	}
	n.many = m
	n.size += int(m.count)
}

// linesOf are the rows of lines that hold a hit.
func linesOf(hits, starts []int64) []int64 {
	var rows []int64
	row := 0
	for _, hit := range hits {
		for row+1 < len(starts) && starts[row+1] <= hit {
			row++
		}
		first := row
		for first > 0 && starts[first-1] == starts[row] {
			first--
		}
		for at := first; at < len(starts) && starts[at] == starts[row]; at++ {
			if len(rows) == 0 || rows[len(rows)-1] < int64(at) {
				rows = append(rows, int64(at))
			}
		}
	}
	return rows
}

// pieces cuts a line into parts of at most w cells.
func pieces(line string, w int) []string {
	line = text.Line(line)
	if text.Width(line) <= w {
		return []string{line}
	}
	var out []string
	var b strings.Builder
	used := 0
	for _, r := range line {
		n := text.Width(string(r))
		if used+n > w {
			out = append(out, b.String())
			b.Reset()
			used = 0
		}
		b.WriteRune(r)
		used += n
	}
	return append(out, b.String())
}
