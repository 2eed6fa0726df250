package bench

import "github.com/pausetui/pausetui/internal/lazyregexp"

// crashed matches what the runtime or go test prints when a program or a test
// ends badly.
var crashed = lazyregexp.New(`(?m)^(panic: |fatal error: |\s*--- FAIL: )`)

// classes maps the stable name of a class to the text that the unfixed case
// prints, which is the runtime's own and no concern of pausetui's.
var classes = map[string]*lazyregexp.Regexp{
	"nil-map-write":      lazyregexp.New(`panic: assignment to entry in nil map`),
	"nil-dereference":    lazyregexp.New(`invalid memory address or nil pointer dereference|panic: value method .* called using nil`),
	"index-out-of-range": lazyregexp.New(`runtime error: index out of range`),
	"slice-bounds":       lazyregexp.New(`runtime error: slice bounds out of range|runtime error: cannot convert slice`),
	"divide-by-zero":     lazyregexp.New(`runtime error: integer divide by zero`),
	"type-assertion":     lazyregexp.New(`panic: interface conversion: `),
	"closed-channel":     lazyregexp.New(`panic: (send on closed channel|close of closed channel|close of nil channel)`),
	"negative-waitgroup": lazyregexp.New(`panic: sync: (negative WaitGroup counter|WaitGroup)`),
	"unlock-unlocked":    lazyregexp.New(`fatal error: sync: .*[uU]nlock of unlocked`),
	"negative-size":      lazyregexp.New(`panic: .*(makeslice|makechan|negative Repeat count|growslice|negative count|non-positive interval|truncation out of range|output length overflow)`),
	"reflect":            lazyregexp.New(`panic: reflect(:|\.)`),
	"unhashable-key":     lazyregexp.New(`runtime error: hash of unhashable type`),
	"uncomparable":       lazyregexp.New(`runtime error: comparing uncomparable type`),
	"iterator-continued": lazyregexp.New(`runtime error: range function continued iteration`),
	"custom-error":       lazyregexp.New(`(?m)^panic: `),
	"custom":             lazyregexp.New(`(?m)^panic: `),
	"deadlock":           lazyregexp.New(`fatal error: all goroutines are asleep - deadlock|fatal error: no goroutines|deadlock: all goroutines in bubble`),
	"concurrent-map":     lazyregexp.New(`fatal error: concurrent map`),
	"stack-overflow":     lazyregexp.New(`fatal error: stack overflow`),
	"out-of-memory":      lazyregexp.New(`fatal error: .*out of memory`),
	"fatal":              lazyregexp.New(`(?m)^fatal error: `),
	"test-failure":       lazyregexp.New(`(?m)^\s*--- FAIL: `),
}
