package verify

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// failingAt makes the fixture one that has stopped at a line of its tests.
func (f fixture) failingAt(name, call string, line int) fixture {
	f.subject.Stop = debugger.Stop{Reason: debugger.ReasonTest, Goroutine: 7,
		Panic:  &debugger.Panic{Class: debugger.TestFailure, Message: "wrong", Culprit: 0},
		Test:   &debugger.FailingTest{Name: name, Call: call},
		Frames: []debugger.Frame{{Function: "example.com/ledger.TestSum.func1", File: f.dir + "/ledger_test.go", Line: line, User: true}},
	}
	f.subject.Ran = 100 * time.Millisecond
	return f
}

const (
	ledgerGo = "ledger.go"
	fromOne  = "i := 1;"
	sumLine  = 21
)

func TestACandidateForAFailingTest(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	f.compile(t, ".", true, "-test.run=Sum", "-test.v", "-test.count", "3")
	f = f.failingAt("TestSum/2_7", "Errorf", sumLine)
	v := f.verifier(t, execute.Options{TestSilence: 2 * time.Second})
	for _, tt := range []struct {
		name    string
		changes []string
		status  verdict.Status
		detail  string
	}{
		{"all pass", []string{ledgerGo, fromOne, "i := 0;"}, verdict.Pass, "TestSum/2_7 passes"},
		{"it still fails", []string{ledgerGo, fromOne, "i := 2;"}, verdict.Fail, "TestSum/2_7 still fails: ledger_test.go:21: Sum([3 4]) = 0, want 7"},
		{"another case still fails", []string{ledgerGo, "total := 0", "total := 0\n\tif len(amounts) == 2 {\n\t\ttotal = amounts[0]\n\t}"}, verdict.Warn,
			"TestSum/2_7 passes; still failing, as before: TestSum/1_5"},
		{"another case fails now", []string{ledgerGo, "total := 0", "total := 3"}, verdict.Fail, "TestSum/2_7 passes, but now TestSum/0_0 fails: ledger_test.go:21: Sum([]) = 3, want 0"},
		{"it is skipped", []string{"ledger_test.go", "if got := Sum(tt.amounts)", "t.Skip()\n\t\t\tif got := Sum(tt.amounts)"}, verdict.Fail, "TestSum/2_7 is skipped with it"},
		{"it hangs", []string{ledgerGo, "total := 0", "total := 0\n\tfor len(amounts) == 2 {\n\t}"}, verdict.Fail, "hangs"},
		{"it panics", []string{ledgerGo, "total := 0", "total := 0\n\tif len(amounts) == 2 {\n\t\tpanic(\"two\")\n\t}"}, verdict.Fail, "still fails: panic: two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "all pass" {
				testsupport.Slow(t)
			}
			got := check(t, v, f.edits(t, tt.changes...))
			expect(t, got, verdict.Rerun, tt.status, tt.detail)
			if got.Verified != (tt.status != verdict.Fail) {
				t.Errorf("verified %v", got.Verified)
			}
			if tt.status == verdict.Pass {
				expect(t, got, verdict.Tests, verdict.Pass, "pass now: TestSum")
			}
		})
	}
	t.Run("the test is changed", func(t *testing.T) {
		got := check(t, v, f.edits(t, "ledger_test.go", "[]int{3, 4}, 7", "[]int{3, 4}, 4"))
		expect(t, got, verdict.Masking, verdict.Warn, "it changes the test that fails")
	})
}

func TestAFailureThatTheSandboxDoesNotShow(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	f.compile(t, ".", true)
	for _, tt := range []struct {
		name, call string
		line       int
		status     verdict.Status
		detail     string
	}{
		{"TestOnce", "Error", 37, verdict.Inconclusive, "in the sandbox TestOnce passes without a fix"},
		{"TestSum/2_7", "Errorf", 14, verdict.Inconclusive, "TestSum/2_7 fails in another way: ledger_test.go:21:"},
		{"TestSum/9", "Errorf", sumLine, verdict.Inconclusive, "TestSum/9 was not run"},
		{"TestMean", "FailNow", 14, verdict.Pass, "TestMean passes"},
		{"BenchmarkSum", "Fatal", 43, verdict.Pass, "BenchmarkSum passes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "TestMean" {
				testsupport.Slow(t)
			}
			t.Parallel()
			f := f.failingAt(tt.name, tt.call, tt.line)
			got := check(t, f.verifier(t, execute.Options{}), f.edits(t, ledgerGo, fromOne, "i := 0;"))
			expect(t, got, verdict.Rerun, tt.status, tt.detail)
		})
	}
}
