package bench

import "regexp"

// crashed matches what the runtime or go test prints when a program or a test
// ends badly.
var crashed = regexp.MustCompile(`(?m)^(panic: |fatal error: |\s*--- FAIL: )`)

// classes maps the stable name of a class to the text that the unfixed case
// prints, which is the runtime's own and no concern of pausetui's.
var classes = map[string]*regexp.Regexp{
	"nil-map-write":      regexp.MustCompile(`panic: assignment to entry in nil map`),
	"nil-dereference":    regexp.MustCompile(`invalid memory address or nil pointer dereference|panic: value method .* called using nil`),
	"index-out-of-range": regexp.MustCompile(`runtime error: index out of range`),
	"slice-bounds":       regexp.MustCompile(`runtime error: slice bounds out of range|runtime error: cannot convert slice`),
	"divide-by-zero":     regexp.MustCompile(`runtime error: integer divide by zero`),
	"type-assertion":     regexp.MustCompile(`panic: interface conversion: `),
	"closed-channel":     regexp.MustCompile(`panic: (send on closed channel|close of closed channel|close of nil channel)`),
	"negative-waitgroup": regexp.MustCompile(`panic: sync: (negative WaitGroup counter|WaitGroup)`),
	"unlock-unlocked":    regexp.MustCompile(`fatal error: sync: .*[uU]nlock of unlocked`),
	"negative-size":      regexp.MustCompile(`panic: .*(makeslice|makechan|negative Repeat count|growslice|negative count|non-positive interval|truncation out of range|output length overflow)`),
	"reflect":            regexp.MustCompile(`panic: reflect(:|\.)`),
	"custom-error":       regexp.MustCompile(`(?m)^panic: `),
	"custom":             regexp.MustCompile(`(?m)^panic: `),
	"deadlock":           regexp.MustCompile(`fatal error: all goroutines are asleep - deadlock|fatal error: no goroutines|deadlock: all goroutines in bubble`),
	"concurrent-map":     regexp.MustCompile(`fatal error: concurrent map`),
	"stack-overflow":     regexp.MustCompile(`fatal error: stack overflow`),
	"out-of-memory":      regexp.MustCompile(`fatal error: .*out of memory`),
	"fatal":              regexp.MustCompile(`(?m)^fatal error: `),
	"test-failure":       regexp.MustCompile(`(?m)^\s*--- FAIL: `),
}
