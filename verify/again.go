package verify

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// One run proves nothing of a race. Where goroutines race, or the program stops
// only in some runs, the control runs until it has stopped, and a candidate as
// often as it takes to meet the stop again with some certainty.

// repeat runs a candidate that has passed again, where one run proves too
// little, and adds to the check how often it did not stop.
func (a *attempt) repeat(ctx context.Context, s subject.Site, c execute.Control, first sandbox.Result, check verdict.Check) (verdict.Check, error) {
	want := a.v.Reruns(s, c)
	if want == 0 || check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check, nil
	}
	done, spent := 0, time.Duration(0)
	for done < want && (done == 0 || spent < execute.Patience) {
		results, err := a.v.SideBySide(ctx, a.built.Binary, a.v.Wall(), min(execute.AtOnce, want-done))
		if err != nil {
			return check, err
		}
		spent += execute.Longest(results)
		for _, r := range results {
			done++
			r.Blocked = c.Unknown(r.Blocked)
			if again, decided := a.crashed(s, c, r); decided {
				again.Detail = fmt.Sprintf("in run %d of %d %s", done+1, want+1, again.Detail)
				return again, nil
			}
			if r.Alive() && !first.Alive() {
				hangs := finding.Fail("in run %d of %d it hangs: still running after %s%s", done+1, want+1, finding.Short(r.Took), waitsAt(a.v, crash.Goroutines(r.Stacks)))
				return finding.Elsewhere(hangs, "in run %d of %d it hangs", done+1, want+1), nil
			}
		}
	}
	check.Detail += fmt.Sprintf("; so in %d runs, of %s", done+1, c.Often())
	if done < want {
		check.Detail += fmt.Sprintf("; %d would prove more, but there was no time", want+1)
	}
	return check, nil
}
