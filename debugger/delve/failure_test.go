//go:build linux

package delve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func failing(t *testing.T, args ...string) *Target {
	t.Helper()
	return launchWith(t, Config{Binary: testBinary(t, "fails"), Args: args, Panics: debugger.PanicsAuto, Failures: true})
}

// where is a stop in one line: the test, how it failed, where, and what it said.
func where(stop debugger.Stop) string {
	frame, _ := stop.SelectedFrame()
	name := frame.Function[strings.LastIndex(frame.Function, "/")+1:]
	if stop.Test == nil {
		return fmt.Sprintf("%s %s", stop.Reason, name)
	}
	return fmt.Sprintf("%s %s %s: %s", stop.Test.Name, stop.Test.Call, name, stop.Panic.Message)
}

func TestStopsWhereATestFails(t *testing.T) {
	t.Parallel()
	testBinary(t, "fails")
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{"-test.run=TestTable"}, []string{
			"TestTable/carry Errorf fails.TestTable.func1: add(2, 9) = 3, want 11",
			"TestTable/large Errorf fails.TestTable.func1: add(5, 12) = 5, want 17",
		}},
		{[]string{"-test.run=TestLoop", "-test.v"}, []string{"TestLoop Error fails.TestLoop: add 2 is 2"}},
		{[]string{"-test.run=TestHelper", "-test.v"}, []string{"TestHelper Fatalf fails.TestHelper: sum is 4\nwant 8"}},
		{[]string{"-test.run=TestBare$"}, []string{"TestBare Fail fails.TestBare: said before"}},
		{[]string{"-test.run=TestBareHelper"}, []string{"TestBareHelper FailNow fails.TestBareHelper: TestBareHelper fails without a message"}},
		{[]string{"-test.run=TestTwice"}, []string{"TestTwice Error fails.TestTwice: first"}},
		{[]string{"-test.run=TestGoroutine"}, []string{"TestGoroutine Error fails.TestGoroutine.func1: from another goroutine"}},
		{[]string{"-test.run=TestParallel", "-test.parallel=3"}, []string{
			"TestParallel/0 Errorf fails.TestParallel.func1: parallel 0",
			"TestParallel/1 Errorf fails.TestParallel.func1: parallel 1",
			"TestParallel/2 Errorf fails.TestParallel.func1: parallel 2",
		}},
		{[]string{"-test.run=TestPanics"}, []string{"panic fails.TestPanics"}},
		{[]string{"-test.run=TestSkips|TestPasses", "-test.v"}, nil},
		{[]string{"-test.run=TestHangs", "-test.timeout=200ms"}, []string{"TestHangs/sub timeout fails.TestHangs.func1: test timed out after 200ms\nrunning tests:\n\tTestHangs (0s)\n\tTestHangs/sub (0s)"}},
		{[]string{"-test.run=TestExits"}, []string{"TestExits os.Exit fails.TestExits: os.Exit(3) ends the test binary"}},
		{[]string{"-test.run=TestLogs"}, []string{"TestLogs os.Exit fails.TestLogs: log.Fatalf ends the test binary, with exit code 1"}},
		{[]string{"-test.run=TestCleanup"}, []string{"TestCleanup Error fails.TestCleanup.func1: in a cleanup"}},
		{[]string{"-test.run=TestQuits"}, []string{"TestQuits Fatal fails.TestQuits: TestQuits fails without a message"}},
		{[]string{"-test.run=^$", "-test.bench=Fails", "-test.benchtime=1x"}, []string{"BenchmarkFails Fatal fails.BenchmarkFails: slow"}},
		{[]string{"-test.run=FuzzFails"}, []string{"FuzzFails/seed#0 Errorf fails.FuzzFails.func1: n is 4"}},
	} {
		t.Run(tt.args[0], func(t *testing.T) {
			t.Parallel()
			target := failing(t, tt.args...)
			var got []string
			stop := resume(t, target, debugger.Continue)
			for ; !stop.Ended(); stop = resume(t, target, debugger.Continue) {
				got = append(got, where(stop))
				if lives := stop.Reason == debugger.ReasonTest; stop.LivesOn() != lives || !stop.Crashed() || stop.Panic.Culprit != stop.Selected {
					t.Errorf("%s: %q lives on: %v, culprit %d of %d", where(stop), stop.Reason, stop.LivesOn(), stop.Panic.Culprit, stop.Selected)
				}
			}
			slices.Sort(got)
			if strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("stops\n%q, want\n%q", got, tt.want)
			}
		})
	}
}
