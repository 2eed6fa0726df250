package verdict

import "testing"

func TestAFixThatDeclinesHoldsOnlyWhereTheProgramCopes(t *testing.T) {
	checked := func(rerun Status) []Check {
		return []Check{{Name: Scope, Status: Pass}, {Name: Parse, Status: Pass}, {Name: Build, Status: Pass}, {Name: Rerun, Status: rerun}}
	}
	passed, warned, failed := checked(Pass), checked(Warn), checked(Fail)
	good, bad := 0, 7
	for _, c := range []struct {
		name        string
		v           Verdict
		well, holds bool
	}{
		{"a repair", Verdict{Checks: passed, Effect: Repairs, Ending: &Ending{}}, true, true},
		{"a repair that ends badly", Verdict{Checks: passed, Effect: Repairs, Ending: &Ending{Exit: 2}}, false, true},
		{"a repair whose rerun fails", Verdict{Checks: failed, Effect: Repairs, Ending: &Ending{Exit: 2}}, false, false},
		{"a repair without an ending", Verdict{Checks: passed, Effect: Repairs}, true, true},
		{"declining with exit code 0", Verdict{Checks: passed, Effect: Declines, Ending: &Ending{}}, true, true},
		{"declining with exit code 1", Verdict{Checks: warned, Effect: Declines, Ending: &Ending{Exit: 1}}, false, false},
		{"declining, killed", Verdict{Checks: passed, Effect: Declines, Ending: &Ending{Signal: "SIGKILL"}}, false, false},
		{"declining without an ending", Verdict{Checks: passed, Effect: Declines}, false, false},
		{"a server that lives on", Verdict{Checks: passed, Effect: Declines, Ending: &Ending{Alive: true}}, true, true},
		{"a server that answers", Verdict{Checks: passed, Effect: Declines, Ending: &Ending{Alive: true, Reply: &good}}, true, true},
		{"a server that does not answer", Verdict{Checks: passed, Effect: Declines, Ending: &Ending{Alive: true, Reply: &bad}}, false, false},
		{"skipping the work", Verdict{Checks: passed, Effect: Skips, Ending: &Ending{}}, true, false},
		{"skipping the work with support", Verdict{Checks: passed, Effect: Skips, Support: "b does the same", Ending: &Ending{}}, true, true},
		{"a repair whose run was not seen", Verdict{Checks: append(checked(Pass), Check{Name: Masking, Status: Inconclusive}), Effect: Repairs, Ending: &Ending{}}, true, false},
		{"hiding the failure", Verdict{Checks: passed, Effect: Hides, Ending: &Ending{}}, true, false},
	} {
		if well, holds := c.v.EndedWell(), c.v.Holds(); well != c.well || holds != c.holds {
			t.Errorf("%s: ended well %v, holds %v; want %v, %v", c.name, well, holds, c.well, c.holds)
		}
	}
}

func TestReadersAreWarned(t *testing.T) {
	for _, c := range []struct {
		name string
		v    Verdict
		want bool
	}{
		{"a repair", Verdict{Effect: Repairs, Verified: true}, false},
		{"skipping", Verdict{Effect: Skips, Masking: true}, false},
		{"hiding", Verdict{Effect: Hides, Masking: true}, true},
		{"masking, of a version that knew no effects", Verdict{Masking: true}, true},
		{"a poor record", Verdict{Effect: Repairs, Verified: true, Caution: "of 3, 1 was right"}, true},
	} {
		if got := c.v.Warns(); got != c.want {
			t.Errorf("%s: warns %v", c.name, got)
		}
	}
}

func TestEvidenceIsFoundByItsKind(t *testing.T) {
	v := Verdict{Evidence: []Evidence{{Kind: AtOrigin}, {Kind: Balanced}}}
	for kind, want := range map[EvidenceKind]bool{AtOrigin: true, Balanced: true, ByTests: false, BySibling: false} {
		if v.Has(kind) != want {
			t.Errorf("has %s: %v", kind, !want)
		}
	}
}

func TestWhatTheSandboxMayAllow(t *testing.T) {
	for what, want := range map[string]bool{
		AllowNetwork: true, AllowFiles: true, AllowDirectives: true, "": false, "everything": false,
		"file:/etc/hosts": true, "file:hosts": false, "file:": false,
		"env:HOME": true, "env:AWS_*": true, "env:": false, "env:A=b": false, "env:A B": false,
	} {
		if Allowable(what) != want {
			t.Errorf("%q can be allowed: %v", what, !want)
		}
	}
}
