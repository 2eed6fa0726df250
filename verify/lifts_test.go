package verify

import (
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestWhatEvidenceIsWorth(t *testing.T) {
	for _, tt := range []struct {
		why               string
		kind              verdict.EvidenceKind
		effect            verdict.Effect
		unexplained       bool
		lifted, supported bool
	}{
		{"a test speaks for the whole", verdict.ByTests, verdict.Skips, true, true, false},
		{"a test speaks for a refusal", verdict.ByTests, verdict.Declines, false, true, false},
		{"siblings do all of it", verdict.BySibling, verdict.Skips, false, false, true},
		{"siblings do some of it", verdict.BySibling, verdict.Skips, true, false, false},
		{"what balances now was out of balance", verdict.Balanced, verdict.Skips, false, true, false},
		{"the balance says nothing of a guard next to it", verdict.Balanced, verdict.Skips, true, false, false},
		{"a refusal is one in siblings, too", verdict.BySibling, verdict.Declines, false, false, false},
		{"nothing lifts what hides", verdict.ByTests, verdict.Hides, false, false, false},
	} {
		a := &attempt{unexplained: tt.unexplained}
		a.note(tt.kind, "evidence")
		if _, got := a.lifts(tt.effect); got != tt.lifted {
			t.Errorf("%s: lifted %t", tt.why, got)
		}
		a.copied = "2"
		if _, got := a.lifts(tt.effect); got != (tt.lifted && tt.kind != verdict.ByTests) {
			t.Errorf("%s: with what a test expects copied, lifted %t", tt.why, got)
		}
		if got := a.supported(tt.effect); (got != "") != tt.supported {
			t.Errorf("%s: supported by %q", tt.why, got)
		}
	}
	a := &attempt{unexplained: true, calmed: true}
	a.note(verdict.ByTests, "1 failing test now passes")
	if _, lifted := a.lifts(verdict.Skips); lifted || a.supported(verdict.Skips) == "" {
		t.Error("a test that only panicked speaks for what is left out, and makes no repair of it")
	}
	if a.usedAt = "heap.go:7"; a.supported(verdict.Skips) != "" {
		t.Error("a test that only panicked says nothing of a made-up answer in other calls")
	}
	for why, a := range map[string]*attempt{"leaves an object half changed": {half: "l.size--"}, "is lost": {lost: true, calmed: true}} {
		for _, kind := range []verdict.EvidenceKind{verdict.ByTests, verdict.BySibling, verdict.ByConvention, verdict.Balanced} {
			a.note(kind, "evidence")
			if _, lifted := a.lifts(verdict.Skips); lifted || a.supported(verdict.Skips) != "" {
				t.Errorf("%s speaks for what %s", kind, why)
			}
		}
	}
}

// A test that fails without the panic now says that an error is not what it wants.
func TestATestWantsNoError(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "letters")
	v := check(t, f.verifier(t, execute.Options{}), f.edit(t, "main.go", "\t\tb.WriteString(n.text)", "\t\tif n.by == nil {\n\t\t\treturn \"\", errEmpty\n\t\t}\n\t\tb.WriteString(n.text)"))
	expect(t, v, verdict.Tests, verdict.Warn, "fail without the panic now: TestListsAll")
	if v.Effect != verdict.Declines || v.Verified || !v.Passes() {
		t.Errorf("verdict %+v", v)
	}
}

// A test that fails without the panic now says that the work it asks for is left
// out, whatever others say.
func TestATestMissesTheWork(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "notes")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "\t\tb.WriteString(n.text)", "\t\tif n.by == nil {\n\t\t\tcontinue\n\t\t}\n\t\tb.WriteString(n.text)"))
	expect(t, v, verdict.Tests, verdict.Warn, "fail without the panic now: TestListsAll; pass now: TestListsWithoutPanic")
	if v.Effect != verdict.Skips || v.Verified {
		t.Errorf("verdict %+v", v)
	}
	v = check(t, all, f.edit(t, "main.go", "if len(n.by.name) > 0", "if n.by != nil && len(n.by.name) > 0"))
	expect(t, v, verdict.Tests, verdict.Pass, "pass now: TestListsWithoutPanic, TestListsAll")
	if v.Effect != verdict.Skips || v.Support == "" || !v.Verified { // the tests only panicked before
		t.Errorf("verdict %+v", v)
	}
}
