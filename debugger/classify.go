package debugger

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// rule maps the text of a crash to its class; the first match wins.
type rule struct {
	class   Class
	pattern *lazyregexp.Regexp
}

// The runtime's own messages (Go 1.25–1.27: runtime/error.go, panic.go,
// map.go, chan.go, sync, strings, reflect).
var panicRules = []rule{
	{NilMapWrite, lazyregexp.New(`^assignment to entry in nil map`)},
	{NilDereference, lazyregexp.New(`invalid memory address or nil pointer dereference|^value method .* called using nil|method called on nil interface|called using nil \*`)},
	{IndexOutOfRange, lazyregexp.New(`index out of range`)},
	{SliceBounds, lazyregexp.New(`slice bounds out of range|cannot convert slice with length`)},
	{DivideByZero, lazyregexp.New(`integer divide by zero|^division by zero`)},
	{TypeAssertion, lazyregexp.New(`^interface conversion:`)},
	{ClosedChannel, lazyregexp.New(`close of closed channel|send on closed channel|close of nil channel`)},
	{NegativeWaitGroup, lazyregexp.New(`negative WaitGroup counter|WaitGroup is reused before previous Wait|WaitGroup misuse`)},
	{UnlockUnlocked, lazyregexp.New(`[Uu]nlock of unlocked (RW)?[Mm]utex`)},
	{NegativeSize, lazyregexp.New(`makeslice: (len|cap) out of range|makechan: size out of range|strings: negative Repeat count|bytes: negative Repeat count|Repeat: output length overflow|non-positive interval for NewTicker|non-positive interval for Ticker\.Reset|growslice: len out of range|(bytes\.Buffer|strings\.Builder)\.Grow: negative count|bytes\.Buffer: truncation out of range`)},
	{UnhashableKey, lazyregexp.New(`^hash of unhashable type`)},
	{Uncomparable, lazyregexp.New(`^comparing uncomparable type`)},
	{IteratorContinued, lazyregexp.New(`^range function continued iteration`)},
	{Reflect, lazyregexp.New(`^reflect(:|\.)|reflect\.Value\.|on zero Value`)},
}

var fatalRules = []rule{
	{Deadlock, lazyregexp.New(`all goroutines are asleep - deadlock|no goroutines \(main called runtime\.Goexit\)|deadlock: all goroutines in bubble are blocked`)},
	{ConcurrentMap, lazyregexp.New(`concurrent map (writes|read|iteration)`)},
	{StackOverflow, lazyregexp.New(`stack overflow|stack exceeds`)},
	{OutOfMemory, lazyregexp.New(`out of memory|cannot allocate`)},
	{UnlockUnlocked, lazyregexp.New(`[Uu]nlock of unlocked (RW)?[Mm]utex`)},
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
