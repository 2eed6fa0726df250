package trace

import (
	"fmt"
	"strings"
	"testing"
)

// raisedAgain is what the runtime prints where a library has caught a panic and
// raises it with the stack of the first place.
const raisedAgain = "panic: panic: assignment to entry in nil map\n\tstacktrace:\n\tgoroutine 19 [running]:\n\truntime/debug.Stack()\n\t\t/go/src/runtime/debug/stack.go:26 +0x5e\n\texample.org/pool.catch()\n\t\t/mod/pool/pool.go:59 +0x85\n\tpanic({0x4d6e60?, 0x5ce740?})\n\t\t/go/src/runtime/panic.go:860 +0x13a\n\tmain.domain(0x36?)\n\t\t/src/main.go:64 +0xe\n\tcreated by example.org/pool.Go in goroutine 1\n\t\t/mod/pool/pool.go:30 +0x73\n\t\n\t\n\n"

const diedOfIt = "goroutine 1 [running]:\nexample.org/pool.Wait(...)\n\t/mod/pool/pool.go:38\nmain.main()\n\t/src/main.go:107 +0x650\nexit status 2\n"

// A panic that a library has raised again is one crash, of the goroutine that died.
func TestAPanicThatIsRaisedAgainIsOneTrace(t *testing.T) {
	const want = `nil-map-write "assignment to entry in nil map" | 1 running example.org/pool.Wait:38 main.main:107`
	prefixed := ""
	for i, line := range strings.Split(strings.TrimSuffix(raisedAgain+diedOfIt, "\n"), "\n") {
		prefixed += strings.TrimRight(fmt.Sprintf("2026-11-20T17:02:%d.123Z %s", 10+i, line), " \t") + "\n"
	}
	for name, text := range map[string]string{
		"plain":    raisedAgain + diedOfIt,
		"prefixed": prefixed,
		"in a log": "listening\n" + raisedAgain + diedOfIt + "bye\n",
		"signal":   raisedAgain + "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x1]\n\n" + diedOfIt,
		"long":     strings.Replace(raisedAgain, "\tcreated by", strings.Repeat("\tmain.down()\n\t\t/src/main.go:90 +0x1\n", 50)+"\tcreated by", 1) + diedOfIt,
	} {
		t.Run(name, func(t *testing.T) {
			list := read(t, text).Traces
			if len(list) != 1 || !strings.HasSuffix(brief(list[0]), want) {
				t.Fatalf("%d traces: %v", len(list), list)
			}
			tr := list[0]
			if !tr.Ends() || tr.Title() != "panic: assignment to entry in nil map" || tr.Blamed().Function != "main.domain" {
				t.Errorf("ends: %v, %q, first raised in %s", tr.Ends(), tr.Title(), tr.Blamed().Function)
			}
			if again := read(t, tr.Text).Traces; len(again) != 1 || again[0].Identity() != tr.Identity() || brief(again[0]) != strings.Replace(brief(tr), fmt.Sprint(tr.Line, ":"), "1:", 1) {
				t.Errorf("its text is read as %v", again)
			}
		})
	}
	other := strings.Replace(raisedAgain, "main.domain", "main.other", 1)
	if list := read(t, raisedAgain+diedOfIt+other+diedOfIt).Distinct(); len(list) != 2 {
		t.Errorf("%d crashes, raised first in two places", len(list))
	}
}

// What looks like the message of a panic is a trace where no goroutine died of it.
func TestAnIndentedTraceIsOne(t *testing.T) {
	for _, end := range []string{"", "\n\n", "next line\n"} {
		list := read(t, raisedAgain+end).Traces
		if len(list) != 1 || !list[0].Panic.Recovered || list[0].Panic.Message != "panic: assignment to entry in nil map" || list[0].Blamed().Line != 59 {
			t.Errorf("%q: %v", end, list)
		}
	}
}

// Where nobody can be asked, the crash that ended the program is the one to look at.
func TestEnding(t *testing.T) {
	const stack = "goroutine 7 [chan receive]:\nmain.wait(0x0)\n\t/src/main.go:21 +0x1d\n\n"
	served := "2026/11/20 17:02:03 http: panic serving 127.0.0.1:5: boom\n" + "goroutine 9 [running]:\nmain.g()\n\t/src/b.go:5 +0x1d\n\n"
	for text, want := range map[string]string{
		stack + plain + "\n\n" + served: "assignment to entry in nil map",
		served + "\n\n" + stack:         "boom",
		raisedAgain + diedOfIt + plain:  "assignment to entry in nil map",
	} {
		list := read(t, text).Distinct()
		if len(list) < 2 {
			t.Fatalf("%d traces in %q", len(list), text)
		}
		if n := Ending(list); list[n].Panic.Message != want {
			t.Errorf("%d of %d: %q, want %q", n+1, len(list), list[n].Panic.Message, want)
		}
	}
}
