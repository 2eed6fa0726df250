package crash

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

const (
	panicPrefix = "panic: "
	fatalPrefix = "fatal error: "
	serving     = "http: panic serving "
	// gap bounds the lines between the message and the first goroutine: the
	// runtime may print its own stack and registers there.
	gap = 400
)

// servedMessage cuts the address of the client off: "127.0.0.1:80: message".
var servedMessage = lazyregexp.New(`^(?:\[[^\]]*\]:\d+|[^ ]*?:\d+|[^ ]*?): (.*)$`)

// parseHead reads the message that begins at line i, with everything up to the
// first goroutine; next is that goroutine's line.
func parseHead(lines []line, i int) (c Crash, next int, ok bool) {
	text := lines[i].text
	switch {
	case strings.HasPrefix(text, panicPrefix):
		next = c.parsePanics(lines, i)
	case strings.HasPrefix(text, fatalPrefix):
		c.Fatal = true
		c.Message = strings.TrimPrefix(text, fatalPrefix)
		next = i + 1
	default:
		at := strings.Index(text, serving)
		if at < 0 {
			return c, 0, false
		}
		c.Recovered = true
		c.Message = text[at+len(serving):]
		if m := servedMessage.FindStringSubmatch(c.Message); m != nil {
			c.Message = m[1]
		}
		next = i + 1
		for next < len(lines) && !isGoroutine(lines[next].text) && next-i < gap {
			c.Message += "\n" + lines[next].text
			next++
		}
	}
	c.Message = clip(c.Message)
	next, ok = c.skipToGoroutine(lines, next)
	c.Class = debugger.Classify(c.Message, c.Fatal, false)
	if ok && !c.Fatal {
		p := debugger.Panic{Class: c.Class, Message: c.Message}
		Carry(&p, nil)
		c.Class, c.Message, c.Raised = p.Class, p.Message, p.Raised
	}
	return c, next, ok
}

// parsePanics reads the chain of panics: each after the first is indented.
func (c *Crash) parsePanics(lines []line, i int) (next int) {
	var messages []string
	var recovered, repanicked []bool
	for next = i; next < len(lines); next++ {
		text := lines[next].text
		indented := strings.HasPrefix(text, "\t")
		text = strings.TrimPrefix(text, "\t")
		switch {
		case next > i && !indented:
			return c.keep(messages, recovered, repanicked, next)
		case strings.HasPrefix(text, panicPrefix):
			messages = append(messages, strings.TrimPrefix(text, panicPrefix))
			recovered, repanicked = append(recovered, false), append(repanicked, false)
		default: // the runtime indents the further lines of a message
			messages[len(messages)-1] += "\n" + text
		}
		last := len(messages) - 1
		for _, mark := range []string{" [recovered, repanicked]", " [recovered]"} {
			if cut, ok := strings.CutSuffix(messages[last], mark); ok {
				messages[last], recovered[last], repanicked[last] = cut, true, strings.Contains(mark, "repanicked")
			}
		}
	}
	return c.keep(messages, recovered, repanicked, next)
}

func (c *Crash) keep(messages []string, recovered, repanicked []bool, next int) int {
	last := len(messages) - 1
	for i, m := range messages[:last] {
		m = clip(m)
		c.Chain = append(c.Chain, debugger.Panic{Class: debugger.Classify(m, false, false), Message: m, Recovered: recovered[i], Repanicked: repanicked[i], Culprit: -1})
	}
	c.Message, c.Repanicked = messages[last], repanicked[last]
	return next
}

// skipToGoroutine finds the first goroutine after the message. Another message
// on the way there means that this one has none.
func (c *Crash) skipToGoroutine(lines []line, i int) (int, bool) {
	for from := i; i < len(lines) && i-from < gap; i++ {
		text := lines[i].text
		switch {
		case isGoroutine(text):
			return i, true
		case strings.HasPrefix(text, panicPrefix), strings.HasPrefix(text, fatalPrefix):
			return i, false
		case strings.HasPrefix(text, "[signal ") && c.Signal == "":
			c.Signal = strings.TrimSuffix(strings.TrimPrefix(text, "[signal "), "]")
		}
	}
	return i, false
}

func clip(s string) string { return strings.TrimSpace(s[:min(len(s), maxMessage)]) }
