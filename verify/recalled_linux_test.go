package verify

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestCallsOfSomethingElseAsk: a deadlock is gone because nothing is locked any more.
func TestCallsOfSomethingElseAsk(t *testing.T) {
	needSandbox(t)
	f := lay(t, "gather", t.TempDir())
	write(t, filepath.Join(f.dir, "main.go"), "package main\n\nimport \"sync\"\n\ntype store struct {\n\tsync.Mutex\n\tn int\n}\n\nfunc (s *store) size() int {\n\ts.Lock()\n\tdefer s.Unlock()\n\treturn s.n\n}\n\n"+
		"func (s *store) add() int {\n\ts.Lock()\n\tdefer s.Unlock()\n\ts.n++\n\treturn s.size()\n}\n\nfunc main() { println((&store{}).add()) }\n")
	f.build(t, ".", false)
	v := f.verifier(t, execute.Options{})
	if got := check(t, v, f.edit(t, "main.go", "func main", "func (s *store) Lock() {}\n\nfunc (s *store) Unlock() {}\n\nfunc main")); got.Verified || got.Effect != verdict.Skips || got.Has(verdict.AtOrigin) {
		t.Errorf("locking nothing is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
	if got := check(t, v, f.edits(t, "main.go", "\tsync.Mutex", "\tsync.RWMutex", "main.go", "return s.size()", "return s.n")); !got.Verified || got.Effect != verdict.Repairs {
		t.Errorf("the fix is %q, %s: %+v", got.Label(), got.How, got.Checks)
	}
}
