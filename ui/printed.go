package ui

import (
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/ui/pane"
)

// printed is what the target had printed when an update came. Who reads the buffer
// waits for the writes of a target that may flood it, and for the screen that it
// draws; the pump does that, so that keys and frames need not.
type printed struct {
	buffer *output.Buffer
	tail   output.View // the newest rows
	screen output.Screen
	drawn  bool
}

// tailRows is how many rows are read ahead: as many as most terminals have.
const tailRows = 128

// readPrinted reads what there is now, and nothing where it is as before.
func readPrinted(b *output.Buffer, before *printed) *printed {
	if b == nil {
		return nil
	}
	if before != nil && before.buffer == b && before.tail.Version == b.Version() {
		return before
	}
	p := &printed{buffer: b, tail: b.View(-1, tailRows)}
	p.screen, p.drawn = b.Screen()
	return p
}

// View implements pane.Printed. Rows before the newest are read when a person scrolls
// there.
func (p *printed) View(start, n int) output.View {
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
func (p *printed) Find(text string, from int64, most int) ([]string, int64) {
	return p.buffer.Find(text, from, most)
}

// Screen implements pane.Printed.
func (p *printed) Screen() (output.Screen, bool) { return p.screen, p.drawn }

// Version implements pane.Printed.
func (p *printed) Version() uint64 { return p.tail.Version }

// output is what the panes are shown: as the last update had it, or as it is where no
// pump reads ahead.
func (m *model) output() pane.Printed {
	switch b := m.engine.Output(); {
	case b == nil:
		return nil
	case m.printed != nil && m.printed.buffer == b:
		return m.printed
	default:
		return b
	}
}
