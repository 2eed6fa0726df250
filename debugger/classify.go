package debugger

import (
	"regexp"
	"strings"
)

// rule maps the text of a crash to its class; the first match wins.
type rule struct {
	class   Class
	pattern *regexp.Regexp
}

// The runtime's own messages (Go 1.25–1.27: runtime/error.go, panic.go,
// map.go, chan.go, sync, strings, reflect).
var panicRules = []rule{
	{NilMapWrite, regexp.MustCompile(`^assignment to entry in nil map`)},
	{NilDereference, regexp.MustCompile(`invalid memory address or nil pointer dereference|^value method .* called using nil|method called on nil interface|called using nil \*`)},
	{IndexOutOfRange, regexp.MustCompile(`index out of range`)},
	{SliceBounds, regexp.MustCompile(`slice bounds out of range|cannot convert slice with length`)},
	{DivideByZero, regexp.MustCompile(`integer divide by zero|^division by zero`)},
	{TypeAssertion, regexp.MustCompile(`^interface conversion:`)},
	{ClosedChannel, regexp.MustCompile(`close of closed channel|send on closed channel|close of nil channel`)},
	{NegativeWaitGroup, regexp.MustCompile(`negative WaitGroup counter|WaitGroup is reused before previous Wait|WaitGroup misuse`)},
	{UnlockUnlocked, regexp.MustCompile(`[Uu]nlock of unlocked (RW)?[Mm]utex`)},
	{NegativeSize, regexp.MustCompile(`makeslice: (len|cap) out of range|makechan: size out of range|strings: negative Repeat count|bytes: negative Repeat count|Repeat: output length overflow|non-positive interval for NewTicker|non-positive interval for Ticker\.Reset|growslice: len out of range|(bytes\.Buffer|strings\.Builder)\.Grow: negative count|bytes\.Buffer: truncation out of range`)},
	{Reflect, regexp.MustCompile(`^reflect(:|\.)|reflect\.Value\.|on zero Value`)},
}

var fatalRules = []rule{
	{Deadlock, regexp.MustCompile(`all goroutines are asleep - deadlock|no goroutines \(main called runtime\.Goexit\)|deadlock: all goroutines in bubble are blocked`)},
	{ConcurrentMap, regexp.MustCompile(`concurrent map (writes|read|iteration)`)},
	{StackOverflow, regexp.MustCompile(`stack overflow|stack exceeds`)},
	{OutOfMemory, regexp.MustCompile(`out of memory|cannot allocate`)},
	{UnlockUnlocked, regexp.MustCompile(`[Uu]nlock of unlocked (RW)?[Mm]utex`)},
}

// Classify names the class of a crash. fatal tells a fatal error of the
// runtime from a panic; isError reports whether the panic's value is an error.
// A runtime error that was panicked again as text keeps its class.
func Classify(message string, fatal, isError bool) Class {
	text := strings.TrimPrefix(strings.TrimSpace(message), "runtime error: ")
	rules, rest := panicRules, Custom
	if fatal {
		rules, rest = fatalRules, Fatal
	} else if isError {
		rest = CustomError
	}
	for _, r := range rules {
		if r.pattern.MatchString(text) {
			return r.class
		}
	}
	return rest
}
