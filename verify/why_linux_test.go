package verify

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/history"
)

// A run in the sandbox tells who left the map out that the program wrote to.
func TestWhy(t *testing.T) {
	f := crashing(t, "inventory")
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}})
	}
	v, err := New(f.subject, execute.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	s, ok := v.Site()
	if !ok {
		t.Fatal("no crash")
	}
	line := workspace.Line(s.File, s.Line)
	expr, _, _ := strings.Cut(strings.TrimSpace(line), "[")
	h, err := v.Why(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: expr}, false)
	if err != nil {
		t.Fatal(err)
	}
	if h.Value != "nil" || h.Origin < 0 || h.Rows[h.Origin].Kind != "left" || h.Rows[h.Origin].Path != filepath.Join(f.dir, h.Rows[h.Origin].File) || len(h.Gaps) > 0 {
		t.Errorf("%s: %+v", h.Sentence(), h)
	}
	for expr, want := range map[string]string{"len(\"name\")": "not a variable", "nothing": "undefined", "f(": "no Go expression"} {
		if _, err := v.Why(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: expr}, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", expr, err)
		}
	}
}
