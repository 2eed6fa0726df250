package output

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// scrollback is how many lines of the main screen are kept that have left it at the
// top. Of a program that prints more, the rows stay as they were printed.
const scrollback = 1000

// seed hands the emulator of the main screen what was printed last, because a program
// may move the cursor there, and remembers where that begins.
func (b *Buffer) seed(d *drawing) {
	rows := b.view(-1, d.rows)
	d.began = b.rows - int64(len(rows.Rows))
	if len(b.open) > 0 {
		rows.Rows[len(rows.Rows)-1] = string(b.open) // which also says where the cursor is
		d.began++
	}
	text := strings.Join(rows.Rows, "\r\n")
	if len(b.open) == 0 && text != "" {
		text += "\r\n"
	}
	safely(func() { _, _ = d.main.emulator.WriteString(text) })
}

// redrawn puts what could be seen in the end in the place of the rows in which a
// program has drawn: their texts are one drawing over the other. The trace of a panic
// stays as it was printed.
func (b *Buffer) redrawn() {
	d := b.drawing
	if d.main == nil || !d.addressed || d.failures > 0 || d.main.emulator.ScrollbackLen() >= scrollback {
		return
	}
	printed := b.view(-1, int(b.rows-d.began)+1).Rows
	seen := d.main.everything()
	if i := lastTrace(printed); i >= 0 {
		if at := lastTrace(seen); at >= 0 {
			seen = seen[:at]
		}
		seen = append(seen, printed[i:]...)
	}
	if b.forget(b.rows - d.began) {
		for _, row := range seen {
			b.print([]byte(row + "\n"))
		}
	}
}

// everything is the text of the screen and of what has left it at the top.
func (t *terminal) everything() []string {
	var out []string
	for _, l := range t.emulator.Scrollback().Lines() {
		out = append(out, strings.TrimRight(ansi.Strip(l.String()), " "))
	}
	for _, l := range t.lines() {
		out = append(out, ansi.Strip(l))
	}
	end := len(out)
	for end > 0 && out[end-1] == "" {
		end--
	}
	return out[:end]
}

// lastTrace is the index of the last row that begins the trace of a panic; -1 without one.
func lastTrace(rows []string) int {
	for i, row := range slices.Backward(rows) {
		row = ansi.Strip(row)
		if strings.HasPrefix(row, "panic: ") || strings.HasPrefix(row, "fatal error: ") {
			return i
		}
	}
	return -1
}

// forget drops the row being written and the last n rows; false if they are not all
// there any more.
func (b *Buffer) forget(n int64) bool {
	chunks := b.tail
	if b.dropped == 0 {
		chunks = slices.Concat([]*chunk{&b.head}, b.tail)
	}
	kept := int64(0)
	for _, c := range chunks {
		kept += int64(len(c.ends))
	}
	if n < 0 || n > kept {
		return false
	}
	b.open, b.rows = nil, b.rows-n
	for _, c := range slices.Backward(chunks) {
		before := len(c.text) + 8*len(c.ends)
		n -= int64(c.drop(int(min(n, int64(len(c.ends))))))
		if c != &b.head {
			b.size -= before - len(c.text) - 8*len(c.ends)
		}
	}
	return true
}

// drop drops the last n rows and returns their number.
func (c *chunk) drop(n int) int {
	c.ends = c.ends[:len(c.ends)-n]
	end := 0
	if len(c.ends) > 0 {
		end = c.ends[len(c.ends)-1]
	}
	c.text = bytes.Clone(c.text[:end])
	return n
}
