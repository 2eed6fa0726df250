// Package crash reads what a Go program prints when it dies: panics, fatal
// errors, and panics that the program recovered and logged with a stack.
//
// It reads text only. Which frames are the user's is for the caller to say.
package crash

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Bounds on what is kept of one crash.
const (
	maxLine       = 64 << 10 // bytes
	maxFrames     = 400
	maxGoroutines = 256
	maxMessage    = 8 << 10 // bytes
)

// Crash is one crash as it was printed.
type Crash struct {
	Class   debugger.Class
	Message string // as debugger.Panic.Message: without "panic: " and "[recovered]"
	Fatal   bool   // a fatal error of the runtime, not a panic
	// Recovered: the program has recovered the panic and logged it.
	Recovered bool
	// Repanicked: a deferred function has recovered the panic and panicked with
	// the same value again.
	Repanicked bool
	// Chain holds the panics before this one on the same goroutine, oldest first.
	Chain []debugger.Panic
	// Raised is the stack in its message, of the place where it was raised first; may be empty.
	Raised []debugger.Frame
	// Signal is the line in brackets, "SIGSEGV: segmentation violation code=0x1 …"; may be empty.
	Signal string
	// Goroutines are those printed, the one that crashed first.
	Goroutines []Goroutine
	// Start and End are the byte offsets of the crash in the text: what was
	// printed before and after it is the program's.
	Start, End int
}

// Goroutine is one goroutine of a crash.
type Goroutine struct {
	ID     debugger.GoroutineID
	State  string // the runtime's words in brackets: "running", "chan receive, 2 minutes"
	Frames []debugger.Frame
}

// Calls reports whether a function is on the goroutine's stack.
func (g Goroutine) Calls(function string) bool {
	return slices.ContainsFunc(g.Frames, func(f debugger.Frame) bool { return f.Function == function })
}

// Goroutine returns the number of the goroutine that crashed, 0 if unknown.
func (c Crash) Goroutine() debugger.GoroutineID {
	if len(c.Goroutines) == 0 {
		return 0
	}
	return c.Goroutines[0].ID
}

// Frames returns the stack of the goroutine that crashed, innermost first.
func (c Crash) Frames() []debugger.Frame {
	if len(c.Goroutines) == 0 {
		return nil
	}
	return c.Goroutines[0].Frames
}

// Culprit returns the innermost frame that own says is the user's, below the
// last gopanic; false when there is none.
func (c Crash) Culprit(own func(debugger.Frame) bool) (debugger.Frame, bool) {
	frames := c.Frames()
	panics := append(slices.Clone(c.Chain), debugger.Panic{Class: c.Class, Message: c.Message, Recovered: c.Recovered})
	if i := debugger.Culprit(frames, panics, own); i >= 0 {
		return frames[i], true
	}
	return debugger.Frame{}, false
}

// Parse finds the crash that ended the program: the last one that was not
// recovered, else the last one; false when the text holds none.
func Parse(text []byte) (Crash, bool) {
	all := ParseAll(text)
	for i := len(all) - 1; i >= 0; i-- {
		if !all[i].Recovered {
			return all[i], true
		}
	}
	if len(all) == 0 {
		return Crash{}, false
	}
	return all[len(all)-1], true
}

// ParseAll finds every crash in the text, in order. Only what has a goroutine's
// stack counts: a program may print "panic: " itself.
func ParseAll(text []byte) []Crash {
	lines := split(text)
	var found []Crash
	last := 0 // the line after the last crash
	for i := 0; i < len(lines); {
		c, end, ok := parseCrash(lines, i)
		if !ok {
			c, end, ok = parseLogged(lines, last, i)
		}
		if !ok {
			i++
			continue
		}
		found = append(found, c)
		i, last = end, end
	}
	return found
}

// parseCrash reads the crash whose message begins at line i.
func parseCrash(lines []line, i int) (c Crash, end int, ok bool) {
	c, next, ok := parseHead(lines, i)
	if !ok {
		return c, 0, false
	}
	if c.Goroutines, end = parseGoroutines(lines, next); len(c.Goroutines) == 0 {
		return c, 0, false
	}
	top := c.Goroutines[0]
	c.Recovered = c.Recovered || c.logged(top)
	c.Repanicked = c.Repanicked && !debugger.PassedOnByTesting(top.Frames)
	c.Start, c.End = lines[begin(lines, i)].start, lines[end-1].end
	return c, end, true
}

// begin moves up over what the runtime says before a fatal error's message.
func begin(lines []line, i int) int {
	for i > 0 && strings.HasPrefix(lines[i-1].text, "runtime: ") {
		i--
	}
	return i
}

// line is one line of the text with its place in it.
type line struct {
	text       string // without the line end, and cut at maxLine
	start, end int    // byte offsets; end is after the line end
}

// headWithin finds a message of the runtime after something that the program
// printed without ending its line; 0 when there is none.
func headWithin(s string) int {
	trimmed := strings.TrimPrefix(s, "\t")
	if strings.HasPrefix(trimmed, panicPrefix) || strings.HasPrefix(trimmed, fatalPrefix) || strings.Contains(s, serving) {
		return 0
	}
	return max(strings.Index(s, panicPrefix), strings.Index(s, fatalPrefix), 0)
}

func split(text []byte) []line {
	var lines []line
	at := 0
	for s := range strings.Lines(string(text)) {
		end := at + len(s)
		s = strings.TrimRight(s, "\r\n")
		if i := headWithin(s); i > 0 {
			lines = append(lines, line{text: s[:min(i, maxLine)], start: at, end: at + i})
			at, s = at+i, s[i:]
		}
		lines = append(lines, line{text: s[:min(len(s), maxLine)], start: at, end: end})
		at = end
	}
	return lines
}

// Fault is the address of the access that the processor refused, as Signal tells it.
func (c Crash) Fault() *uint64 {
	_, rest, ok := strings.Cut(c.Signal, " addr=")
	text, _, _ := strings.Cut(rest, " ")
	if at, err := strconv.ParseUint(text, 0, 64); ok && err == nil {
		return &at
	}
	return nil
}
