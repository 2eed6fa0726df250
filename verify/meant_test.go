package verify

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// kindOf is the effect of a candidate by its edits alone.
func (f fixture) kindOf(t *testing.T, c patch.Candidate) (verdict.Effect, string, bool) {
	t.Helper()
	patched, err := f.verifier(t, Options{}).patched(c, "kind")
	if err != nil {
		t.Fatal(err)
	}
	a := &attempt{patched: patched}
	e, how, err := a.kind(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return e, how, a.satisfied && a.unexplained
}

// TestWhatOthersSeeAsks: a variable of another package that is set changes all that uses it.
func TestWhatOthersSeeAsks(t *testing.T) {
	f := lay(t, "ledger", t.TempDir())
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", sumLine)
	if e, how, asks := f.kindOf(t, hostile("more.go", "package ledger\n\nimport \"io\"\n\nfunc init() { io.EOF = nil }\n")); e != verdict.Skips || !asks {
		t.Errorf("it %s: %s, asks: %v", e, how, asks)
	}
}
