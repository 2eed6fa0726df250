package verify

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// failures are those of top-level tests, as the testing package prints them.
var failures = lazyregexp.New(`(?m)^--- FAIL: (\S+)`)

// leftFailing decides a run of a test binary in which the test that the target
// stopped in still fails, though it does not stop there any more.
func (v *target) leftFailing(r sandbox.Result) (verdict.Check, bool) {
	if !v.subject.Build.Test || r.ExitCode == 0 || r.Alive() {
		return verdict.Check{}, false
	}
	output := string(normal(r.Output))
	stopped := v.stoppedTest()
	for _, m := range failures.FindAllStringSubmatchIndex(output, -1) {
		name := output[m[2]:m[3]]
		switch {
		case stopped == "": // the goroutine that stopped does not say whose it was
			return inconclusive("%s fails with it, and may be the test that stopped%s", name, after(": ", v.message(output[m[1]:]))), true
		case name == stopped:
			_, words, _ := strings.Cut(output[m[1]:], "\n")
			check := fail("it no longer stops there, but %s still fails%s", name, after(": ", v.message(words)))
			return elsewhere(check, "it no longer stops there, but %s still fails", name), true
		}
	}
	return verdict.Check{}, false
}

// testFunction finds the name of a test in that of its function, or of one of
// its literals.
var testFunction = lazyregexp.New(`\.((?:Test|Fuzz|Example)[^.\[]*)(?:\.|$)`)

// stoppedTest is the top-level test that the goroutine of the stop ran; empty
// where its stack does not say.
func (v *target) stoppedTest() string {
	if t, ok := v.failing(); ok {
		return gotest.Top(t.Name)
	}
	return runningTest(v.subject.Stop.Frames)
}

// runningTest is the top-level test that a goroutine runs; empty where its stack does
// not say.
func runningTest(frames []debugger.Frame) string {
	for i, f := range frames {
		if i > 0 && strings.HasPrefix(named(f.Function), "testing.tRunner") {
			if m := testFunction.FindStringSubmatch(frames[i-1].Function); m != nil {
				return m[1]
			}
		}
	}
	return ""
}
