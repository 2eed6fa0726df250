package output

import (
	"bytes"
	"io"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/pausetui/pausetui/internal/printable"
)

// The largest screen that is emulated, in cells.
const MaxCols, MaxRows = 500, 200

// lastBytes is how much is kept of what was printed on the alternate screen.
const lastBytes = 64 << 10

// maxFailures is how often the emulator may fail before a program's lines are
// shown as they come.
const maxFailures = 10

// Screen is what a program shows that draws in a terminal instead of printing
// lines.
type Screen struct {
	Cols, Rows int
	Lines      []string // printable cells with styles (SGR) and nothing else; blank ends are cut
	X, Y       int      // of the cursor
	Cursor     bool     // it is shown
	Alternate  bool     // the program has the whole screen, not a part below its lines
	Arrows     bool     // arrow keys are sent in application mode (DECCKM)
	Pastes     bool     // pastes are marked
	Focus      bool     // it has asked for reports of the terminal's focus (mode 1004)
	Mouse      Mouse    // which reports of the mouse it has asked for
	LongMouse  bool     // mouse reports are in the SGR encoding (mode 1006), which has no largest position
}

// Mouse is which events of the mouse a program has asked for; each includes
// those before it.
type Mouse int

// What may be asked for.
const (
	NoMouse Mouse = iota
	Clicks        // buttons and the wheel
	Drags         // motion with a button held
	Moves         // all motion
)

// drawing emulates a terminal for a program once it draws.
type drawing struct {
	split      splitter
	answer     func(string)
	cols, rows int
	main, alt  *terminal // nil until needed; alt while the alternate screen is on
	addressed  bool      // lines that were printed are written over
	began      int64     // the row at which main begins
	seed       func(*drawing)
	over       bool // the program has ended, or the emulator has failed
	failures   int  // of the emulator
	modes      modes
	last       []byte // what was printed last on the alternate screen
	shown      *Screen
}

type modes struct {
	cursorHidden, arrows, pastes, focus, longMouse bool
	mouse                                          [Moves + 1]bool // which are on
}

// set keeps the modes that a frontend has to know.
func (m *modes) set(mode ansi.Mode, on bool) {
	switch mode {
	case ansi.ModeTextCursorEnable:
		m.cursorHidden = !on
	case ansi.ModeCursorKeys:
		m.arrows = on
	case ansi.ModeBracketedPaste:
		m.pastes = on
	case ansi.ModeFocusEvent:
		m.focus = on
	case ansi.ModeMouseExtSgr:
		m.longMouse = on
	case ansi.ModeMouseNormal:
		m.mouse[Clicks] = on
	case ansi.ModeMouseButtonEvent:
		m.mouse[Drags] = on
	case ansi.ModeMouseAnyEvent:
		m.mouse[Moves] = on
	}
}

// asked is the most of the mouse that is asked for.
func (m *modes) asked() Mouse {
	for level := Moves; level > NoMouse; level-- {
		if m.mouse[level] {
			return level
		}
	}
	return NoMouse
}

// terminal is an emulator, and the goroutine that takes its answers.
type terminal struct {
	emulator *vt.Emulator
	answered chan struct{}
}

func (d *drawing) open() *terminal {
	kept := d.modes
	t := &terminal{emulator: vt.NewEmulator(d.cols, d.rows), answered: make(chan struct{})}
	t.emulator.SetScrollbackSize(1)
	t.emulator.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { d.modes.set(m, true) },
		DisableMode: func(m ansi.Mode) { d.modes.set(m, false) },
	})
	d.modes = kept
	go func() {
		defer close(t.answered)
		buf := make([]byte, 4096)
		for {
			n, err := t.emulator.Read(buf)
			if n > 0 {
				d.answer(string(buf[:n]))
			}
			if err != nil {
				return
			}
		}
	}()
	return t
}

// close ends the goroutine; answers that come later are lost.
func (t *terminal) close() {
	if t == nil {
		return
	}
	if c, ok := t.emulator.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
	<-t.answered
}

// safely reports whether the emulator survived what it was asked to do: it is
// fed by programs that may print anything.
func safely(do func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	do()
	return true
}

// take emulates one piece, and reports whether it also belongs to the rows.
func (d *drawing) take(piece []byte) (rows bool) {
	sequence := piece[0] == esc
	if sequence {
		if on, off := switchesScreen(piece); on || off {
			d.change(on)
			return false
		}
		if d.main == nil && (asks(piece) || addresses(piece)) {
			d.main = d.open()
			d.main.emulator.SetScrollbackSize(scrollback)
			d.seed(d)
		}
		if d.alt == nil && addresses(piece) {
			d.addressed = true
		}
	}
	t := d.main
	if d.alt != nil {
		t = d.alt
		d.last = append(d.last, piece...)
		if extra := len(d.last) - lastBytes; extra > lastBytes {
			d.last = append(d.last[:0], d.last[extra:]...)
		}
	}
	if sequence {
		piece = bounded(piece, d.cols)
	}
	if t != nil && len(piece) > 0 && (!sequence || passes(piece)) && !safely(func() { _, _ = t.emulator.Write(piece) }) {
		d.renew()
	}
	return d.alt == nil
}

// emulates reports whether any of what is printed may go to an emulator.
func (d *drawing) emulates(p []byte) bool {
	return !d.over && (d.main != nil || d.alt != nil || bytes.IndexByte(p, esc) >= 0)
}

// change turns the alternate screen on or off.
func (d *drawing) change(on bool) {
	switch {
	case on && d.alt == nil:
		d.alt = d.open()
	case !on && d.alt != nil:
		d.alt.close()
		d.alt, d.last = nil, nil
	}
}

// renew replaces emulators that have failed by blank ones, a few times.
func (d *drawing) renew() {
	if d.failures++; d.failures > maxFailures {
		d.end()
		return
	}
	for _, t := range []**terminal{&d.main, &d.alt} {
		if *t != nil {
			(*t).close()
			*t = d.open()
		}
	}
}

func (d *drawing) end() {
	d.over = true
	d.main.close()
	d.alt.close()
}

// remains is what a program leaves that ended on the alternate screen: the trace
// of its panic, or else what could be seen.
func (d *drawing) remains() []byte {
	if d.alt == nil {
		return nil
	}
	for _, begin := range []string{"panic: ", "fatal error: "} {
		if i := bytes.LastIndex(d.last, []byte(begin)); i >= 0 {
			return append(bytes.TrimRight(d.last[i:], "\r\n"), '\n')
		}
	}
	text := strings.TrimRight(ansi.Strip(strings.Join(d.alt.lines(), "\n")), "\n ")
	if text == "" {
		return nil
	}
	return []byte(text + "\n")
}

// screen is what is drawn now; nil for a program that prints lines.
func (d *drawing) screen() *Screen {
	t := d.main
	if d.alt != nil {
		t = d.alt
	}
	if d.over || t == nil || d.alt == nil && !d.addressed {
		return nil
	}
	if d.shown == nil {
		at := t.emulator.CursorPosition()
		d.shown = &Screen{Cols: d.cols, Rows: d.rows, Lines: t.lines(), X: at.X, Y: at.Y, Cursor: !d.modes.cursorHidden,
			Alternate: d.alt != nil, Arrows: d.modes.arrows, Pastes: d.modes.pastes,
			Focus: d.modes.focus, Mouse: d.modes.asked(), LongMouse: d.modes.longMouse}
	}
	return d.shown
}

func (d *drawing) resize(cols, rows int) {
	d.cols, d.rows = min(max(cols, 1), MaxCols), min(max(rows, 1), MaxRows)
	for _, t := range []*terminal{d.main, d.alt} {
		if t != nil && !safely(func() { t.emulator.Resize(d.cols, d.rows) }) {
			d.renew()
			return
		}
	}
}

// lines are the rows of the screen, without links and whatever else is no style.
func (t *terminal) lines() []string {
	out := make([]string, t.emulator.Height())
	for y := range out {
		out[y] = t.line(y)
	}
	return out
}

func (t *terminal) line(y int) string {
	var b strings.Builder
	var style uv.Style
	blanks := 0 // not written yet: most lines end with some
	for x := 0; x < t.emulator.Width(); {
		content, width, next := " ", 1, uv.Style{}
		if c := t.emulator.CellAt(x, y); c != nil {
			content, width = shown(c)
			next = c.Style
			next.Attrs &^= uv.AttrBlink | uv.AttrRapidBlink | uv.AttrConceal
		}
		x += width
		if content == " " && next.IsZero() && style.IsZero() {
			blanks++
			continue
		}
		b.WriteString(strings.Repeat(" ", blanks))
		blanks = 0
		if !next.Equal(&style) {
			if !style.IsZero() {
				b.WriteString(ansi.ResetStyle)
			}
			if !next.IsZero() {
				b.WriteString(next.String())
			}
			style = next
		}
		b.WriteString(content)
	}
	if !style.IsZero() {
		b.WriteString(ansi.ResetStyle)
	}
	return b.String()
}

// shown is what is drawn of a cell, and its width.
func shown(c *uv.Cell) (content string, width int) {
	width = min(max(c.Width, 1), 2)
	content = printable.Text(c.Content)
	switch {
	case content == "" || strings.ContainsAny(content, "\n\t"):
		content = strings.Repeat(" ", width)
	case ansi.StringWidth(content) != width:
		content = strings.Repeat("?", width)
	}
	return content, width
}
