package verify

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestOnlyAServerMayRunOn(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := crashing(t, "jobs")
	all := f.verifier(t, execute.Options{Timeout: 4 * time.Second})
	skips := f.edit(t, "main.go", "\t\tdone <- j", "\t\tif len(j.parts) == 0 {\n\t\t\tcontinue\n\t\t}\n\t\tdone <- j")
	v := check(t, all, skips)
	expect(t, v, verdict.Rerun, verdict.Fail, "the failing line ran without a panic, but it hangs: still running after ")
	expect(t, v, verdict.Rerun, verdict.Fail, "s, [chan receive] in main.main (main.go:17)")
	polls := f.edits(t, "main.go", "\t\tdone <- j", "\t\tif len(j.parts) == 0 {\n\t\t\tcontinue\n\t\t}\n\t\tdone <- j",
		"main.go", "\tfor range jobs {\n\t\ttotal += <-done\n\t}", "\tfor n := 0; n < len(jobs); {\n\t\tselect {\n\t\tcase got := <-done:\n\t\t\ttotal += got\n\t\t\tn++\n\t\tcase <-time.After(time.Second):\n\t\t}\n\t}")
	v = check(t, all, polls)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "nothing says that it is meant to keep running")
	v = check(t, all, f.edit(t, "main.go", "\t\tdone <- j", "\t\tif len(j.parts) == 0 {\n\t\t\tj.parts = []int{0}\n\t\t}\n\t\tdone <- j"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
	v = check(t, all, polls)
	expect(t, v, verdict.Rerun, verdict.Fail, "with another fix the program ended after ")
}

func TestHowAProgramWaitsSaysThatItServes(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for how, why := range map[string]string{"listens": "it waits for connections", "signals": "it waits for signals"} {
		f := crashing(t, "daemon", how)
		v := f.prove(t, execute.Options{Timeout: 1500 * time.Millisecond}, f.edit(t, "main.go", "&setup{}", "&setup{names: map[string]int{}}"))
		expect(t, v, verdict.Rerun, verdict.Pass, "the failing line ran without a panic, and still running after ")
		expect(t, v, verdict.Rerun, verdict.Pass, why)
	}
}

func TestAStopInSomeRunsTakesManyRunsToProve(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "sometimes", t.TempDir())
	f.compile(t, ".", false)
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map"}, "main.go", "main.mark", "seen[n] = true")
	f.subject.Repeat = 20
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "var seen map[int]bool", "var seen = map[int]bool{}"))
	expect(t, v, verdict.Rerun, verdict.Pass, " runs, of a program that stops in ")
	v = check(t, all, f.edit(t, "main.go", "\tseen[n] = true", "\tseen[n+0] = true"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it still happens: panic: assignment to entry in nil map in main.mark")
}

// Where the order of a map decides, a fix that repairs nothing may pass once, and a guard
// may not be needed in one run.
func TestChanceProvesNothing(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "sometimes", t.TempDir())
	f.compile(t, "./order", false)
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}})
	}
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.IndexOutOfRange, Message: "runtime error: index out of range [0] with length 0"}, "order/main.go", "main.newest", "last[0]")
	for range 3 {
		all := f.verifier(t, execute.Options{})
		if v := check(t, all, f.edit(t, "order/main.go", "var last []int", "last := []int{}")); v.Verified {
			t.Errorf("verified: %+v", v.Checks)
		}
		v := check(t, all, f.edit(t, "order/main.go", "\treturn last[0]", "\tif len(last) == 0 {\n\t\treturn 0\n\t}\n\treturn last[0]"))
		if v.Effect == verdict.Repairs {
			t.Errorf("%s: %+v", v.Effect, v.Checks)
		}
	}
}

func TestAnotherPanicOfTheSameFaultIsTheSameStop(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "sometimes", t.TempDir())
	f.compile(t, "./group", false)
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.NegativeWaitGroup, Message: "sync: WaitGroup is reused before previous Wait has returned"},
		"group/main.go", "main.gather", "wg.Wait()")
	f.subject.Stop.Goroutines = 3
	v := f.prove(t, execute.Options{}, f.edit(t, "group/main.go", "wg.Add(1)", "wg.Add(2)"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0; so in ")
	f.subject.Stop.Goroutines = 0
	f.subject.Stop.Goroutine = 1 // one goroutine alone does not race
	v = f.prove(t, execute.Options{}, f.edit(t, "group/main.go", "wg.Add(1)", "wg.Add(2)"))
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "the unpatched program stopped with another crash")
}

func TestAControlThatDoesNotStopNamesTheRace(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "sometimes", t.TempDir())
	f.compile(t, "./tally", false)
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.Deadlock, Message: "all goroutines are asleep - deadlock!"}, "tally/main.go", "main.main", "wg.Wait()")
	v := f.prove(t, execute.Options{}, f.edit(t, "tally/main.go", "\tt.counts[n]++", "\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tt.counts[n]++"))
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "the unpatched program")
	k, _ := verdict.Find(v.Checks, verdict.Rerun)
	if !strings.Contains(k.Detail, "it stops only in some runs: goroutines race") || len(k.Blocked) > 0 || strings.Contains(k.Detail, "allow files") {
		t.Errorf("blocked %q: %s", k.Blocked, k.Detail)
	}
}

func TestADeadlockAtAHaltIsProved(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "hangs", t.TempDir())
	f.compile(t, ".", false)
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.Deadlock, Message: "goroutine 1 waits for a lock that it holds itself"}, "main.go", "main.(*account).sum", "a.mu.Lock()")
	f.subject.Stop.Reason, f.subject.Ran = debugger.ReasonHalt, time.Hour
	all := f.verifier(t, execute.Options{Timeout: 6 * time.Second})
	v := check(t, all, f.edit(t, "main.go", "return a.sum()", "return a.balance"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0; so in ")
	v = check(t, all, f.edit(t, "main.go", "balance: 3", "balance: 4"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it still happens: still waiting after ")
}

func TestAFixThatLeavesItsTestFailingIsNone(t *testing.T) {
	testsupport.Slow(t)
	f := lay(t, "failing", t.TempDir())
	f.build(t, ".", true)
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "bag.go", "\tb.counts[word]++", "\tif b.counts != nil {\n\t\tb.counts[word]++\n\t}"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it no longer stops there, but TestAdd still fails: bag_test.go:9: 0 words")
	if v.Verified {
		t.Error("verified")
	}
	v = check(t, all, f.edit(t, "bag.go", "&Bag{}", "&Bag{counts: map[string]int{}}"))
	expect(t, v, verdict.Rerun, verdict.Warn, "the failing line ran without a panic, then the program ended with exit code 1")
	expect(t, v, verdict.Tests, verdict.Pass, "pass now: TestAdd")
}

func TestWhatACandidatePrintsIsKept(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "index")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "index.go", "\treturn &Index{}", makeMap))
	if v.Printed != "words: 2\n2" {
		t.Errorf("printed %q", v.Printed)
	}
	v = check(t, all, f.edit(t, "index.go", "\tx.calls++", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++"))
	if v.Printed != "words: 0\nreport: nothing to report" {
		t.Errorf("printed %q", v.Printed)
	}
	v = check(t, all, f.edits(t, "index.go", "\treturn &Index{}", makeMap, "main.go", "\"words:\"", "strings.Repeat(\"words 12ms\\n\", 1000)", "main.go", "\t\"os\"\n", "\t\"os\"\n\t\"strings\"\n"))
	if !strings.HasPrefix(v.Printed, "words …\nwords …\n") || !strings.HasSuffix(v.Printed, " 2\n2") || len(v.Printed) > execute.MostPrinted+10 {
		t.Errorf("printed %q", v.Printed)
	}
}

func TestWhatComesBeforeTheSite(t *testing.T) {
	f := crashing(t, "index")
	v := f.verifier(t, execute.Options{})
	at, _ := v.Site()
	for _, tt := range []struct {
		change []string
		want   bool
	}{
		{[]string{"index.go", "\treturn &Index{}", makeMap}, true},
		{[]string{"main.go", "\"reading\"", "\"loading\""}, true},
		{[]string{"index.go", "\tx.calls++", "\tx.calls += 2"}, true},
		{[]string{"index.go", "\tx.terms[word] = append(x.terms[word], at)", "\t_ = at"}, false},
		{[]string{"index.go", "append(x.terms[word], at)\n", "append(x.terms[word], at)\n\tx.calls++\n"}, false},
	} {
		a := &patched{v: v, candidate: f.edit(t, tt.change...)}
		if got := a.changesBefore(at); got != tt.want {
			t.Errorf("%q: changes before the site: %v", tt.change, got)
		}
	}
}

func TestTheRaceDetectorSeesWhatNoRunShows(t *testing.T) {
	testsupport.Slow(t)
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs cgo")
	}
	f := lay(t, "sometimes", t.TempDir())
	f.compile(t, "./tally", false)
	f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.ConcurrentMap, Message: "concurrent map writes"}, "tally/main.go", "main.(*tally).add", "t.counts[n]++")
	v := f.verifier(t, execute.Options{})
	s, _ := v.Site()
	if _, err := v.racesBefore(t.Context()); err != nil { // however long it takes to build
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, with string
		status     verdict.Status
		detail     string
	}{
		{"no lock", "\tt.counts[n] += 1", verdict.Fail, "the race detector still reports a data race of main.(*tally).add"},
		{"locked", "\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tt.counts[n]++", verdict.Pass, "exit 0; the race detector reports none there"},
	} {
		a := &attempt{patched: &patched{v: v, dir: t.TempDir(), overlay: map[string]string{}}}
		for _, e := range f.edit(t, "tally/main.go", "\tt.counts[n]++", tt.with).Edits {
			a.overlay[filepath.Join(f.dir, e.File)] = e.After
		}
		k, err := a.undetected(t.Context(), s, finding.Pass("exit 0"))
		if err != nil || k.Status != tt.status || !strings.Contains(k.Detail, tt.detail) {
			t.Errorf("%s: %s %q: %v", tt.name, k.Status, k.Detail, err)
		}
	}
}
