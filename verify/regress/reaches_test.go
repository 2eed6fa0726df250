package regress

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// A call that does not run the function where the bad value comes from passes
// with a guard at the symptom alone.
func TestTestsRunTheOrigin(t *testing.T) {
	p, _ := extract(t, "testdata/cases/nil-map.txtar")
	c := p.pause(t)
	names := func() string {
		m := makeAll(t.Context(), c, p.run())
		var list []string
		for _, made := range m.tests {
			list = append(list, made.Calls)
		}
		return strings.Join(list, "; ")
	}
	all := names()
	if !strings.HasPrefix(all, "(*Index).Add, with the values of the stop in frame 3; (*Index).Add, with the values of the stop in frame 3, with values made by NewIndex") {
		t.Fatalf("without an origin: %s", all)
	}
	at := c.Code.Fset.Position(c.Code.Packages[len(c.Code.Packages)-1].Types.Scope().Lookup("NewIndex").Pos())
	c.Diagnosis.Origin = c.Workspace.Rel(at.Filename) + ":" + strconv.Itoa(at.Line)
	if got := names(); got != strings.TrimPrefix(all, "(*Index).Add, with the values of the stop in frame 3; ") {
		t.Errorf("with the constructor for an origin: %s", got)
	}
	f := c.Stop.Frames[c.Stop.Panic.Culprit]
	c.Diagnosis.Origin = c.Workspace.Rel(f.File) + ":" + strconv.Itoa(f.Line)
	if got := names(); got != all {
		t.Errorf("with the statement itself for an origin: %s", got)
	}
}

// What an interface's method runs is run by who calls the interface.
func TestReachesThroughInterfaces(t *testing.T) {
	dir := realDir(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), `package main

type maker interface{ make() *int; more() }

type lazy struct{}

func (lazy) make() *int { return find() }

func (lazy) more() {}

type part struct{}

func (part) make() *int { return nil }

type eager struct{ part }

func (eager) more() {}

func (eager) makes() *int { return other() }

func find() *int { return nil }

func other() *int { return nil }

func use(m maker) int { return *m.make() }

func main() { use(lazy{}) }
`)
	w, err := workspace.Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.Load(t.Context(), workspace.LoadSpec{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]workspace.Func{}
	for line := range 50 {
		if fn, ok := code.FuncAt(filepath.Join(dir, "main.go"), line); ok {
			declared[fn.Decl.Name.Name] = fn
		}
	}
	m := &maker{c: evidence.Case{Workspace: w, Code: code}}
	for name, want := range map[string]bool{"use": true, "find": true, "make": true, "main": false, "other": false, "makes": false} {
		if got := m.reaches(declared["use"], declared[name].Object); got != want {
			t.Errorf("use reaches %s: %v", name, got)
		}
	}
}
