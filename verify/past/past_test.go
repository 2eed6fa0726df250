package past

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/history/record"
)

const program = `package main; import "os"

func fact(n int) int {
	if n == 0 {
		return 1
	}
	return n * fact(n-1)
}

func each(f func(int)) {
	for i := range 2 {
		f(i)
	}
}

func safe() {
	defer func() { _ = recover() }()
	lost()
}

func lost() {
	panic("gone")
}

func main() {
	x := fact(2)*0 + len(os.Getenv("GIVEN"))
	safe()
	each(func(i int) {
		x += i
	})
	x++
	var p *int
	*p = x
}
`

// A closure that begins on the line of a statement is no part of it.
func TestBeforeAStatementWithAClosure(t *testing.T) {
	trail := trailOf(t)
	line := func(text string) int { return 1 + strings.Count(program[:strings.Index(program, text)], "\n") }
	failed := trail.Failed(0, func(s Site) bool { return s.Line == line("*p = x") })
	site, _ := trail.Site(failed)
	at := Place{Begun: failed, File: site.File, Line: line("each(func")}
	inside, _ := trail.Before(at)
	at.Scope = history.Scope{Line: line("func main")}
	before, ok := trail.Before(at)
	if s, _ := trail.Site(before); !ok || before >= inside || s.Kind != Statement {
		t.Errorf("%d in the closure, %d before the statement: %+v", inside, before, s)
	}
}

// Each line is where a motion backward begins, and where it leads: the steps that had begun,
// as their lines.
func TestMotionsBackward(t *testing.T) {
	trail := trailOf(t)
	again := trailOf(t)
	if !trail.Same(again, trail.End()) {
		t.Error("two runs of a program of one goroutine differ")
	}
	failed := trail.Failed(0, func(s Site) bool { return s.Line == 33 })
	for _, c := range []struct {
		motion debugger.Motion
		path   string
	}{
		{debugger.ReverseNext, "32 31 28 27 26 0"},
		{debugger.ReverseStep, "32 31 14 30 29 28 12 30 29 28 12 11 10 28 17 17 17 22 21 18"},
		{debugger.ReverseStepOut, ""},
		{debugger.Rewind, "12 12 7 7 0"},
	} {
		var got []string
		at := Place{Begun: failed}
		for range strings.Fields(c.path) {
			site, _ := trail.Site(at.Begun)
			at.File, at.Line = site.File, site.Line
			begun, ok := trail.Back(c.motion, at, func(s Site) bool { return s.Line == 12 || s.Line == 7 })
			if !ok {
				got = append(got, "none")
				break
			}
			at.Begun = begun
			site, _ = trail.Site(begun)
			if begun == 0 {
				site.Line = 0
			}
			got = append(got, strconv.Itoa(site.Line))
		}
		if path := strings.Join(got, " "); path != c.path {
			t.Errorf("%s: %s, want %s", c.motion, path, c.path)
		}
	}
	if _, ok := trail.Back(debugger.ReverseStepOut, Place{Begun: failed, Line: 33}, nil); ok {
		t.Error("main has a caller")
	}
	// From within the innermost call of a recursion to its callers.
	inner, _ := trail.Before(Place{Begun: failed, Line: 5, File: trail.sites[0].File})
	at := Place{Begun: inner, Line: 5, File: trail.sites[0].File}
	for _, want := range []int{7, 7, 26} {
		begun, ok := trail.Back(debugger.ReverseStepOut, at, nil)
		site, _ := trail.Site(begun)
		if !ok || site.Line != want {
			t.Fatalf("out of the recursion: line %d, want %d", site.Line, want)
		}
		at.Begun, at.Line = begun, site.Line
	}
	// Past the end of a call that is not over: back to its statement.
	within := Place{Begun: inner + 1, File: at.File, Line: 5}
	if begun, ok := trail.Back(debugger.ReverseNext, within, nil); !ok || begun != inner {
		t.Errorf("from within a statement: %d, want %d", begun, inner)
	}
}

// A function that has returned before another is called in the same line has not called it.
func TestOutOfTheSecondCallOfALine(t *testing.T) {
	const text = `package main

type row []int

func (r row) at(i int) int {
	return r[i]
}

func (r row) twice(i int) int {
	return 2 * r.at(i)
}

func parse(n, m int) int {
	return 100 / (n + m)
}

func main() {
	r := row{0}
	_ = parse(r.twice(0), r.at(0))
}
`
	trail := trailIn(t, text)
	at := Place{Begun: trail.Failed(0, func(s Site) bool { return s.Line == 14 }), Line: 14}
	at.File = trail.sites[0].File
	begun, ok := trail.Back(debugger.ReverseStepOut, at, nil)
	if site, _ := trail.Site(begun); !ok || site.Line != 19 {
		t.Errorf("out of parse: line %d", site.Line)
	}
}

// Runs of the same steps may have other values; a statement that failed is the last of its
// function that is come to.
func TestRunsWithOtherValues(t *testing.T) {
	one := trailOf(t, "GIVEN=")
	if !one.Alike(trailOf(t, "GIVEN="), one.End()) {
		t.Error("runs with the same values are not alike")
	}
	if other := trailOf(t, "GIVEN=something"); one.Alike(other, one.End()) || !one.Same(other, one.End()) {
		t.Error("runs with other values are alike, or take other steps")
	}
	for line, want := range map[int]bool{18: false, 22: false, 28: true, 33: false} {
		begun, _ := one.Before(Place{Begun: one.End(), File: one.sites[0].File, Line: line})
		if site, _ := one.Site(begun); one.Passed(begun) != want {
			t.Errorf("%+v passed: %v", site, !want)
		}
	}
}

func TestAFileOfAnother(t *testing.T) {
	var p Plan
	if _, err := p.Read(nil); err == nil {
		t.Error("an empty file is read")
	}
	p.Mark("a.go", "package a\nfunc f() { println() }", "x/pausetui_history")
	data := make([]byte, record.Size)
	data[record.BegunAt], data[len(data)-8*record.Steps] = 1, 200
	if _, err := p.Read(data); err == nil {
		t.Error("a step without a place is read")
	}
}

// trailOf is the trail of a run of the program.
func trailOf(t *testing.T, env ...string) *Trail {
	t.Helper()
	return trailIn(t, program, env...)
}

func trailIn(t *testing.T, program string, env ...string) *Trail {
	t.Helper()
	dir := testsupport.TempDir(t)
	files := map[string]string{}
	main := filepath.Join(dir, "main.go")
	var p Plan
	files[main] = p.Mark(main, program, history.AddRecord(dir, "example.com/m", files))
	if strings.Count(files[main], "\n") != strings.Count(program, "\n") {
		t.Fatal("lines have other numbers")
	}
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.24\n")
	for name, text := range files {
		testsupport.Write(t, name, text)
	}
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Create(filepath.Join(dir, "steps"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(record.Size); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(filepath.Join(dir, "program"))
	run.ExtraFiles, run.Env = []*os.File{file}, append(os.Environ(), env...)
	_ = run.Run() // it crashes
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	trail, err := p.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return trail
}

// A function of the program in which a statement records is counted like any other; what
// package history has put around an expression is none.
func TestRecordsInFunctionsAreNotCounted(t *testing.T) {
	var p Plan
	p.Mark("main.go", `package main

func main() {
	f := func(n int) {
		pausetuiHistory.Stop(0, nil, nil, nil, nil); println(n)
		defer pausetuiHistory.Used(1, nil)
	}
	for i := 0; i < 2; func() { const `+history.PostName+` = 0; i++; pausetuiHistory.Store(2, nil, nil) }() {
		f(i)
	}
	_ = func() *int { `+history.MadeName+` := new(int); return `+history.MadeName+` }()
}
`, "example.com/m/record")
	lines := ""
	for _, s := range p.Sites {
		lines += strconv.Itoa(s.Line) + " "
	}
	if want := "3 4 8 11 4 5 7 9 12 "; lines != want {
		t.Errorf("steps at lines %s, want %s", lines, want)
	}
}
