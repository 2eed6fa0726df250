package crash

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// lookBack bounds the lines above a stack in which its message is sought.
const lookBack = 8

// parseLogged reads the stack that a deferred function has printed of a panic
// that it recovered, with debug.Stack, debug.PrintStack or runtime.Stack, at
// line i. The message is in a line above it, after line from; it may be empty.
func parseLogged(lines []line, from, i int) (c Crash, end int, ok bool) {
	if !isGoroutine(lines[i].text) {
		return c, 0, false
	}
	g, end := parseGoroutine(lines, i)
	if !g.loggedByDefer() {
		return c, 0, false
	}
	above := lines[max(from, i-lookBack):i]
	at, message := messageAbove(above)
	at += announced(above[:len(above)-at])
	c = Crash{
		Class: debugger.Classify(message, false, false), Message: clip(message), Recovered: true,
		Goroutines: []Goroutine{g}, Start: lines[i-at].start, End: lines[end-1].end,
	}
	return c, end, true
}

// loggedByDefer reports whether a deferred function printed the stack while its
// goroutine panicked: then a function called by the panic is above it.
func (g Goroutine) loggedByDefer() bool {
	return g.State == "running" && slices.IndexFunc(g.Frames, func(f debugger.Frame) bool { return f.Function == "panic" }) > 0
}

// logged reports whether the program printed a message that looks like the
// runtime's: when a panic follows another, the runtime names both.
func (c Crash) logged(g Goroutine) bool {
	return !c.Fatal && !c.Repanicked && len(c.Chain) == 0 && g.loggedByDefer()
}

// messageAbove finds the message of a panic in the lines above its stack: the
// nearest error of the runtime, else the nearest line that is not blank. at is
// how many lines above the stack it is; 0 when there is none.
func messageAbove(above []line) (at int, message string) {
	for up := 1; up <= len(above); up++ {
		text := above[len(above)-up].text
		if worded := runtimeMessage(text); worded != "" {
			return up, worded
		}
		if at == 0 && strings.TrimSpace(text) != "" {
			at, message = up, strings.TrimSpace(text)
		}
	}
	return at, message
}

// announced returns how many lines at the end of those above a message announce
// it: "Caught panic:", and blank ones.
func announced(above []line) int {
	for up := 1; up <= len(above); up++ {
		if text := strings.TrimSpace(above[len(above)-up].text); strings.HasSuffix(text, ":") {
			return up
		} else if text != "" {
			break
		}
	}
	return 0
}

// runtimeMessage returns the part of a line, from a word on, that is a message of
// the runtime; empty when there is none.
func runtimeMessage(text string) string {
	for i := range text {
		if i > 0 && text[i-1] != ' ' || text[i] == ' ' {
			continue
		}
		if debugger.Classify(text[i:], false, false) != debugger.Custom {
			return text[i:]
		}
	}
	return ""
}
