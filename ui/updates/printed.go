package updates

import (
	"github.com/pausetui/pausetui/debugger/output"
)

// Printed is what the target had printed when an update came. Who reads the buffer
// waits for the writes of a target that may flood it, and for the screen that it
// draws; the pump does that, so that keys and frames need not.
type Printed struct {
	buffer *output.Buffer
	tail   output.View // the newest rows
	screen output.Screen
	drawn  bool
}

// tailRows is how many rows are read ahead: as many as most terminals have.
const tailRows = 128

// ReadPrinted reads what there is now, and nothing where it is as before.
func ReadPrinted(b *output.Buffer, before *Printed) *Printed {
	if b == nil {
		return nil
	}
	if before != nil && before.buffer == b && before.tail.Version == b.Version() {
		return before
	}
	p := &Printed{buffer: b, tail: b.View(-1, tailRows)}
	p.screen, p.drawn = b.Screen()
	return p
}

// View implements pane.Printed. Rows before the newest are read when a person scrolls
// there.
func (p *Printed) View(start, n int) output.View {
	if start < 0 {
		start = max(p.tail.Total-n, 0)
	}
	if start = min(start, p.tail.Total); start < p.tail.Start {
		return p.buffer.View(start, n)
	}
	v := p.tail
	from := start - p.tail.Start
	v.Start, v.Rows = start, p.tail.Rows[from:min(from+n, len(p.tail.Rows))]
	return v
}

// Find implements pane.Printed.
func (p *Printed) Find(text string, from int64, most int) ([]string, int64) {
	return p.buffer.Find(text, from, most)
}

// Screen implements pane.Printed.
func (p *Printed) Screen() (output.Screen, bool) { return p.screen, p.drawn }

// Version implements pane.Printed.
func (p *Printed) Version() uint64 { return p.tail.Version }

// Of reports whether this was read of a buffer.
func (p *Printed) Of(b *output.Buffer) bool { return p != nil && p.buffer == b }
