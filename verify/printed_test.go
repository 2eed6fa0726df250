package verify

import (
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestPrintingLessDecidesNothingWhereTheLineWasPassed(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := crashing(t, "deferred")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "i <= len(xs)", "i < len(xs)"))
	expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0; it printed less than the unpatched program did")
	if !v.Verified {
		t.Errorf("verdict %+v", v)
	}
	v = check(t, all, f.edit(t, "main.go", "\tsum(xs)\n", "\tif len(xs) == 3 {\n\t\treturn\n\t}\n\tsum(xs)\n"))
	expect(t, v, verdict.Rerun, verdict.Fail, "ended before the failing line: it printed less than the unpatched program did")
}

// What only leaves out the call that failed changes nothing that was printed before.
func TestAGuardThatChangesWhatCameBefore(t *testing.T) {
	f := crashing(t, "twice")
	v := f.prove(t, execute.Options{}, f.edit(t, "main.go", "\treturn d.list", "\tif d.next()+1 >= len(d.list) {\n\t\treturn 0, errEnd\n\t}\n\treturn d.list"))
	expect(t, v, verdict.Rerun, verdict.Warn, `line 1 of the output differs before the failing line: "2 <nil>", was "1 <nil>"`)
	if v.Effect != verdict.Declines || v.Verified {
		t.Errorf("%s, verified %v: %+v", v.Effect, v.Verified, v.Checks)
	}
}
