package verify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A crash that comes after the failing statement has run is the next stop, unless
// it comes of the candidate.
func TestWhatASecondCrashMeans(t *testing.T) {
	mapped := []string{"main.go", "return &Index{}", "return &Index{words: map[string]int{}}"}
	for _, tt := range []struct {
		name, pkg string
		changes   []string
		next      string // function of the next stop; empty where the candidate fails
		detail    string
		effect    verdict.Effect
	}{
		{"another bug of the program", ".", mapped, "main.last", "the failing line ran without a panic; next stop: panic: runtime error: index out of range [2] with length 2 in main.last (main.go:24)", verdict.Repairs},
		{"the same bug", ".", []string{"main.go", "\tx.words[word]++", "\tx.words[word] += 1"}, "", "it still happens", ""},
		{"a line of its own", ".", append(mapped[:3:3], "main.go", "\tx.Add(\"a\")\n", "\tx.Add(\"a\")\n\tfmt.Println([]int{}[len(x.words)])\n"), "", "another crash: ", ""},
		{"a call of its own", ".", append(mapped[:3:3], "main.go", "\tx.Add(\"a\")\n", "\tx.Add(\"a\")\n\tfmt.Println(last(nil))\n"), "", "another crash: ", ""},
		{"nil in the place of a value", "lookup", []string{"lookup/main.go", "\treturn places[len(word)]", "\tif len(word) >= len(places) {\n\t\treturn nil\n\t}\n\treturn places[len(word)]"}, "", "another crash: ", ""},
		{"another bug of the same function", "inline", []string{"inline/main.go", "xs[len(xs)]", "xs[len(xs)-1]"}, "main.main", "next stop: panic: assignment to entry in nil map in main.main (inline/main.go:9)", verdict.Repairs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := lay(t, "twobugs", t.TempDir())
			f.build(t, "./"+tt.pkg, false)
			v := check(t, f.verifier(t, execute.Options{}), f.edits(t, tt.changes...))
			status := verdict.Fail
			if tt.next != "" {
				status = verdict.Warn
			}
			expect(t, v, verdict.Rerun, status, tt.detail)
			rerun, _ := verdict.Find(v.Checks, verdict.Rerun)
			if got := rerun.Next; (got != nil) != (tt.next != "") || got != nil && got.Function != tt.next {
				t.Errorf("next stop %+v, want %q", got, tt.next)
			}
			if tt.next != "" && (!v.Verified || v.Effect != tt.effect) {
				t.Errorf("verified %v, effect %s: %+v", v.Verified, v.Effect, v.Checks)
			}
		})
	}
}

// In a server the second fault of a request is the next stop, too, unless what the candidate
// changes may lead to it, or another request ran the failing line.
func TestWhatASecondPanicOfARequestMeans(t *testing.T) {
	t.Parallel()
	f := crashing(t, "shop")
	all := f.verifier(t, execute.Options{})
	const limits, hits = "limits: make([]int, 10)}", "hits: map[string]int{}}"
	for _, tt := range []struct {
		name    string
		changes []string
		status  verdict.Status
		detail  string
	}{
		{"a map made where the shop is", []string{limits, "limits: make([]int, 10), " + hits}, verdict.Warn, "the failing line ran without a panic; next stop: panic: runtime error: invalid memory address or nil pointer dereference in main.(*shop).show (main.go:34)"},
		{"a map made before the write", []string{"s.hits[id]++", "if s.hits == nil {\n\t\t\ts.hits = map[string]int{}\n\t\t}\n\t\ts.hits[id]++"}, verdict.Warn, "next stop: panic: "},
		{"what the second fault uses is changed, too", []string{limits, "limits: make([]int, 10), " + hits, "{total: 3}}", "{total: 3}, \"9\": nil}"}, verdict.Inconclusive, "the next crash may come of what the fix changes: panic: "},
		{"the panic comes earlier, and another request gets through", []string{limits, "limits: make([]int, 5), " + hits}, verdict.Fail, "another panic, recovered: "},
		{"the same panic", []string{"s.hits[id]++", "s.hits[id] += 1"}, verdict.Fail, "it still happens"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changes := []string{}
			for i := 0; i < len(tt.changes); i += 2 {
				changes = append(changes, "main.go", tt.changes[i], tt.changes[i+1])
			}
			v := check(t, all, f.edits(t, changes...))
			expect(t, v, verdict.Rerun, tt.status, tt.detail)
			rerun, _ := verdict.Find(v.Checks, verdict.Rerun)
			if next := tt.status == verdict.Warn; v.Verified != next || (rerun.Next != nil) != next {
				t.Errorf("verified %v, next stop %+v: %+v", v.Verified, rerun.Next, v.Checks)
			}
		})
	}
}

// Tests that the panic of another one had hidden are no fault of a candidate.
func TestHiddenTestsAreListed(t *testing.T) {
	f := lay(t, "twobugs", t.TempDir())
	f.build(t, "./set", true)
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "set/set.go", "return &Set{}", "return &Set{m: map[string]bool{}}"))
	expect(t, v, verdict.Rerun, verdict.Warn, "TestAdd passes; next stop: panic: runtime error: index out of range [0] with length 0 in example.com/twobugs/set.First")
	rerun, _ := verdict.Find(v.Checks, verdict.Rerun)
	if !v.Verified || v.Effect != verdict.Repairs || !strings.HasSuffix(rerun.Detail, "; these fail too, and the panic kept them from running: TestFirst") {
		t.Errorf("verified %v, %s: %+v", v.Verified, v.Effect, v.Checks)
	}
	v = check(t, all, f.edit(t, "set/set.go", "\ts.m[k] = true", "\tif s.m != nil {\n\t\ts.m[k] = true\n\t}"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it no longer stops there, but TestAdd still fails")
}

// A row of a table that had failed before another one panicked is no fault of a candidate;
// what one that comes later is worth, nobody can say.
func TestARowThatHadFailedBeforeDecidesNothing(t *testing.T) {
	f := lay(t, "twobugs", t.TempDir())
	f.build(t, "./rows", true)
	guard := f.edit(t, "rows/rows.go", "byte { return s[0] }", "byte {\n\tif s == \"\" {\n\t\treturn 0\n\t}\n\treturn s[0]\n}")
	f.subject.Run.Args = []string{"-test.short", "-test.run=TestRows"}
	v := check(t, f.verifier(t, execute.Options{}), guard)
	expect(t, v, verdict.Rerun, verdict.Warn, "; TestRows/of_wrong fails as before")
	f.subject.Run.Args = []string{"-test.run=TestRows"}
	v = check(t, f.verifier(t, execute.Options{}), guard)
	expect(t, v, verdict.Rerun, verdict.Fail, "it no longer stops there, but TestRows still fails")
	f = lay(t, "twobugs", t.TempDir())
	f.build(t, "./rows", true)
	f.subject.Run.Args = []string{"-test.run=TestSum"}
	f.subject.Stop.Frames = slices.Clone(f.subject.Stop.Frames)
	for i := range f.subject.Stop.Frames {
		f.subject.Stop.Frames[i].Function = strings.Replace(f.subject.Stop.Frames[i].Function, "TestRows", "TestSum", 1)
	}
	v = check(t, f.verifier(t, execute.Options{}), guard)
	expect(t, v, verdict.Rerun, verdict.Fail, "it no longer stops there, but TestSum still fails")
}

// Another row of a table that panics in another way does not use what the first has made.
func TestAnotherSubtestIsTheNextStop(t *testing.T) {
	f := lay(t, "twobugs", t.TempDir())
	f.build(t, "./table", true)
	v := check(t, f.verifier(t, execute.Options{}), f.edit(t, "table/table.go", "return &app{}", "return &app{cache: map[string]string{}}"))
	expect(t, v, verdict.Rerun, verdict.Warn, "next stop: panic: runtime error: index out of range [0] with length 0 in example.com/twobugs/table.first")
	if !v.Verified {
		t.Errorf("%+v", v.Checks)
	}
}

// The same call of a test's panics a line further, of the same value.
func TestACallThatPanicsFurtherOnIsNoNextStop(t *testing.T) {
	f := lay(t, "twobugs", t.TempDir())
	f.build(t, "./cut", true)
	v := check(t, f.verifier(t, execute.Options{}), f.edit(t, "cut/cut.go", "if s[n] == ' ' {", "if n < len(s) && s[n] == ' ' {"))
	expect(t, v, verdict.Rerun, verdict.Fail, "another crash: panic: runtime error: slice bounds out of range [:9] with length 4 in example.com/twobugs/cut.To")
}

// A pattern does not say which package's tests are run: the stop does.
func TestTheTestsOfAPatternAreThoseOfTheStop(t *testing.T) {
	dir := t.TempDir()
	a := &patched{v: &Verifier{Program: &rewind.Program{Runner: execute.New(subject.Subject{Workspace: workspace.Workspace{Root: dir, Modules: []workspace.Module{{Path: "example.com/m", Dir: dir}}},
		Build: build.Spec{Dir: dir, Package: "./...", Test: true},
		Stop:  debugger.Stop{Frames: []debugger.Frame{{File: "/go/src/testing/testing.go"}, {File: filepath.Join(dir, "sub", "x_test.go")}}}}, execute.Options{})}}}
	if got := a.mainDirectories(); !slices.Equal(got, []string{"sub"}) {
		t.Errorf("the tests are in %q", got)
	}
}
