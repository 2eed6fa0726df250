package verify

import (
	"context"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/past"
)

// A program is held before the statement that failed, and before what led there.
func TestPast(t *testing.T) {
	f := crashing(t, "inventory")
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}})
	}
	v, err := New(f.subject, execute.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	began := time.Now()
	p, err := v.Past(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	t.Log("recorded", time.Since(began), p.Trail.End(), p.Failed)
	site, ok := p.Trail.Site(p.Failed)
	s, _ := v.Site()
	if !ok || site.Line != s.Line || site.File != s.File {
		t.Errorf("failed at %+v, want %s:%d", site, s.File, s.Line)
	}
	h, err := v.Moments(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: "s.items"})
	if err != nil || len(h.Rows) == 0 {
		t.Fatal(h, err)
	}
	r := h.Rows[0]
	if begun, ok := p.Trail.Before(past.Place{Begun: r.Begun, File: r.Path, Line: r.Line}); !ok || begun >= r.Begun || r.Begun > p.Failed {
		t.Errorf("%+v: %d", r, begun)
	}
	began = time.Now()
	m, err := p.Go(t.Context(), p.Failed)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	t.Log("there", time.Since(began))
	target, err := delve.Attach(t.Context(), delve.AttachConfig{PID: m.PID, UserDirs: f.subject.Workspace.UserDirs()})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	t.Log("attached", time.Since(began))
	frames, _, err := target.Frames(t.Context(), debugger.GoroutineID(m.Goroutine), debugger.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		t.Log(f.Index, f.Function, f.File, f.Line)
	}
}

// Of a test's failures that one is meant at which the program stopped, and the steps of its
// package are counted once though it is built with tests, too.
func TestPastOfATest(t *testing.T) {
	needSandbox(t)
	f := lay(t, "ledger", t.TempDir())
	f.compile(t, ".", true, "-test.run=Sum", "-test.v")
	f = f.failingAt("TestSum/2_7", "Errorf", sumLine)
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}, Tests: true})
	}
	var failed []uint64
	for reported, want := range []string{"4", "0"} {
		f.subject.Reported = reported
		v := f.verifier(t, execute.Options{})
		q := history.Query{File: f.dir + "/ledger_test.go", Line: sumLine, Expr: "got"}
		h, err := v.Moments(t.Context(), q)
		if err != nil || h.Value != want || len(h.Rows) == 0 {
			t.Fatalf("failure %d: %+v, %v", reported, h, err)
		}
		p, err := v.Past(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if site, _ := p.Trail.Site(p.Failed); site.Line != sumLine {
			t.Errorf("failure %d: it failed at %+v", reported, site)
		}
		if begun := h.Rows[0].Begun; begun > p.Failed || begun+2 < p.Failed {
			t.Errorf("failure %d: %d steps had begun when got was set, %d when it failed", reported, begun, p.Failed)
		}
		failed = append(failed, p.Failed)
	}
	if failed[0] >= failed[1] {
		t.Errorf("the failures came after %d steps", failed)
	}
}

// A row leads to the moment before its statement, also where that shares its line with the head
// of the function.
func TestBeforeARowOnALineOfTwo(t *testing.T) {
	needSandbox(t)
	f := lay(t, "oneline", t.TempDir())
	f.build(t, ".", false)
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}})
	}
	v := f.verifier(t, execute.Options{})
	s, _ := v.Site()
	h, err := v.Moments(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: "c.m"})
	if err != nil || len(h.Rows) != 4 {
		t.Fatalf("%+v, %v", h, err)
	}
	p, err := v.Past(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, r := range h.Rows[:3] {
		begun, ok := p.Before(r)
		if site, _ := p.Trail.Site(begun); !ok || begun+1 != r.Begun || site.Kind != past.Statement || site.Line != r.Line {
			t.Errorf("%s: before step %d, which is %+v; it had happened when %d had begun", r.Text, begun, site, r.Begun)
		}
	}
}

// A server that recovers the panic lives on: it is held where it panicked, and its history has
// no gap.
func TestPastOfAPanicThatIsRecovered(t *testing.T) {
	testsupport.Slow(t)
	f := silent(t)
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}})
	}
	v := f.verifier(t, execute.Options{})
	s, _ := v.Site()
	h, err := v.Why(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: "v.pages"}, false)
	if err != nil || h.Value != "nil" || len(h.Gaps) > 0 {
		t.Errorf("%+v, %v", h, err)
	}
	p, err := v.Past(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if site, ok := p.Trail.Site(p.Failed); !ok || site.File != s.File || site.Line != s.Line {
		t.Errorf("failed at %+v, want line %d", site, s.Line)
	}
}
