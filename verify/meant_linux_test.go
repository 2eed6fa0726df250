package verify

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// kindOf is the effect of a candidate by its edits alone.
func (f fixture) kindOf(t *testing.T, c patch.Candidate) (verdict.Effect, string, bool) {
	t.Helper()
	patched, err := f.verifier(t, execute.Options{}).patched(c, "kind")
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

// TestWhatTestsAreShownAsks: a new method, in a file of its own, says what the test is shown.
func TestWhatTestsAreShownAsks(t *testing.T) {
	f := lay(t, "ledger", t.TempDir())
	write(t, filepath.Join(f.dir, "list.go"), "package ledger\n\ntype List []int\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", sumLine) // the test imports package fmt
	if e, how, asks := f.kindOf(t, hostile("more.go", "package ledger\n\nfunc (l List) String() string { return string(rune(len(l))) }\n")); e != verdict.Skips || !asks {
		t.Errorf("it %s: %s, asks: %v", e, how, asks)
	}
}

// TestWhatTestsMentionAsks: the failing test passes by another limit, not by another answer.
func TestWhatTestsMentionAsks(t *testing.T) {
	f := lay(t, "ledger", t.TempDir())
	write(t, filepath.Join(f.dir, ledgerGo), "package ledger\n\nconst least, most = 0, 3\n\nfunc Sum(list []int) int { return list[0] }\n\nfunc Mean([]int) int { return 0 }\n")
	write(t, filepath.Join(f.dir, "ledger_test.go"), "package ledger\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum([]int{3, 4}); got <= most {\n\t\tt.Errorf(\"%d\", got)\n\t}\n}\n")
	f.compile(t, ".", true)
	f = f.failingAt("TestSum", "Errorf", 7)
	for from, to := range map[string]string{"0, 3": "0, 2", "list[0]": "list[0] + list[1]", "least, most = 0": "least, most = 1"} {
		e, how, asks := f.kindOf(t, f.edit(t, ledgerGo, from, to))
		if asks != (to == "0, 2") || asks && e != verdict.Skips {
			t.Errorf("with %s it %s: %s, asks: %v", to, e, how, asks)
		}
	}
}
