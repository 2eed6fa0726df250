package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

const makeMap = "\treturn &Index{terms: map[string][]int{}}"

func TestAGoodFixIsVerified(t *testing.T) {
	f := crashing(t, "index")
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := f.prove(t, execute.Options{MaxTier: tier}, f.edit(t, "index.go", "\treturn &Index{}", makeMap))
		for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Vet, verdict.Masking} {
			expect(t, v, name, verdict.Pass, "")
		}
		expect(t, v, verdict.Rerun, verdict.Pass, "ran to the end, exit 0")
		if !v.Verified || v.Masking {
			t.Errorf("%s: verdict %+v", tier, v)
		}
	}
}

func TestWhatRerunFinds(t *testing.T) {
	f := crashing(t, "index")
	all := f.verifier(t, execute.Options{})
	for _, tt := range []struct {
		name    string
		changes []string
		status  verdict.Status
		detail  string
	}{
		{"the same panic", []string{"index.go", "\tx.calls++", "\tx.calls += 2"}, verdict.Fail, "it still happens: panic: assignment to entry in nil map in main.(*Index).Add (index.go:17)"},
		{"another panic", []string{"index.go", "\tx.calls++", "\tx.calls++\n\tvar p *int\n\t*p = x.calls"}, verdict.Fail, "another crash: panic: runtime error: invalid memory address"},
		{"a panic over what the sandbox refuses", []string{"index.go", "\treturn &Index{}", makeMap, "main.go", "\tif err := report(x)", "\tif err := os.Mkdir(\"/etc/index\", 0o700); err != nil {\n\t\tpanic(err)\n\t}\n\tif err := report(x)"}, verdict.Inconclusive, "read-only file system"},
		{"ends before the site", []string{"main.go", "\tx := NewIndex()", "\tx := NewIndex()\n\tif x.terms == nil {\n\t\tos.Exit(0)\n\t}"}, verdict.Fail, "ended before the failing line"},
		{"declines the input", []string{"main.go", "\tx := NewIndex()", "\tx := NewIndex()\n\tif x.terms == nil {\n\t\tfmt.Fprintln(os.Stderr, \"no terms\")\n\t\tos.Exit(2)\n\t}"}, verdict.Warn, `it declines the input: it ended with exit code 2 at main.go:`},
		{"ends where it always could", []string{"main.go", "[]string{\"a\", \"b\", \"a\"}", "[]string{}"}, verdict.Fail, "ended before the failing line"},
		{"other output", []string{"index.go", "\treturn &Index{}", makeMap, "main.go", "\"reading\"", "\"loading\""}, verdict.Pass, "exit 0; line 1 of the output differs before the failing line: \"loading\", was \"reading\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "another panic" || tt.name == "ends where it always could" {
				testsupport.Slow(t)
			}
			t.Parallel()
			v := check(t, all, f.edit(t, tt.changes...))
			expect(t, v, verdict.Rerun, tt.status, tt.detail)
			passes := tt.status == verdict.Warn || tt.status == verdict.Pass
			if v.Verified != (passes && v.Effect == verdict.Repairs) || v.Passes() != passes {
				t.Errorf("verified %v, effect %q", v.Verified, v.Effect)
			}
		})
	}
}

func TestWhatStaticChecksFind(t *testing.T) {
	f := crashingAlone(t, "index")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "out.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "out.go"), filepath.Join(f.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	one := func(e patch.Edit) patch.Candidate { return patch.Candidate{ID: "c2", Edits: []patch.Edit{e}} }
	changed := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	changed.Edits[0].Before += "\n"
	for _, tt := range []struct {
		name      string
		candidate patch.Candidate
		check     string
		status    verdict.Status
		detail    string
	}{
		{"nothing", patch.Candidate{}, verdict.Scope, verdict.Fail, "changes nothing"},
		{"changed since", changed, verdict.Scope, verdict.Fail, "changed since the stop"},
		{"outside", one(patch.Edit{File: "../x.go", After: "package x\n", Create: true}), verdict.Scope, verdict.Fail, "outside"},
		{"absolute", one(patch.Edit{File: "/etc/x.go", After: "package x\n", Create: true}), verdict.Scope, verdict.Fail, "outside"},
		{"symlink", one(patch.Edit{File: "link.go", Before: "package main\n", After: "package main\n\nvar y = 1\n"}), verdict.Scope, verdict.Fail, "leads out"},
		{"vendored", one(patch.Edit{File: "vendor/other/other.go", Before: "package other\n", After: "package other\n\nvar y = 1\n"}), verdict.Scope, verdict.Fail, "vendored"},
		{"created twice", one(patch.Edit{File: "index.go", After: "package main\n", Create: true}), verdict.Scope, verdict.Fail, "exists already"},
		{"generated", f.edit(t, "gen.go", "true", "false"), verdict.Scope, verdict.Warn, "generated"},
		{"syntax", f.edit(t, "index.go", "\treturn &Index{}", "\treturn &Index{"), verdict.Parse, verdict.Fail, "index.go:15:26: missing"},
		{"format", f.edit(t, "index.go", "\treturn &Index{}", "return   &Index{}"), verdict.Parse, verdict.Warn, "gofmt"},
		{"types", f.edit(t, "index.go", "\treturn &Index{}", "\treturn Index{}"), verdict.Build, verdict.Fail, "index.go:11:9: cannot use Index{}"},
		{"vet", f.edit(t, "main.go", "fmt.Println(\"reading\")", "fmt.Printf(\"reading %d\\n\", \"x\")"), verdict.Vet, verdict.Fail, "main.go:11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "format" {
				testsupport.Slow(t)
			}
			t.Parallel()
			v := f.prove(t, execute.Options{}, tt.candidate)
			expect(t, v, tt.check, tt.status, tt.detail)
			if tt.status == verdict.Fail && v.Verified {
				t.Error("verified")
			}
			if len(v.Checks) != 8 {
				t.Errorf("checks %+v", v.Checks)
			}
		})
	}
}

// The second time go vet takes what it says of the candidate out of its cache,
// with the names of files that the overlay had then.
func TestFindingsThatStoodBeforeAreNotNew(t *testing.T) {
	testsupport.Slow(t)
	f := crashingAlone(t, "index")
	standing := "package main\n\nimport \"fmt\"\n\nfunc standing() { fmt.Printf(\"%d\\n\", \"x\") }\n"
	c := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	c.Edits[0].Before += standing[len("package main\n\nimport \"fmt\"\n"):]
	c.Edits[0].Before = strings.Replace(c.Edits[0].Before, "package main\n", "package main\n\nimport \"fmt\"\n", 1)
	c.Edits[0].After = strings.Replace(c.Edits[0].Before, "\treturn &Index{}", makeMap, 1)
	if err := os.WriteFile(filepath.Join(f.dir, "index.go"), []byte(c.Edits[0].Before), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		expect(t, f.prove(t, execute.Options{}, c), verdict.Vet, verdict.Pass, "")
	}
}

func TestWithoutASandboxRerunIsSkipped(t *testing.T) {
	f := crashing(t, "index")
	c := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	v := f.prove(t, execute.Options{MaxTier: sandbox.None}, c)
	expect(t, v, verdict.Rerun, verdict.Skip, "no sandbox")
	if v.Verified {
		t.Error("verified without a rerun")
	}
	v = f.prove(t, execute.Options{MaxTier: sandbox.None, AllowUnsandboxed: true}, c)
	expect(t, v, verdict.Rerun, verdict.Pass, "exit 0")
}

func TestCandidatesAreProvedAtTheSameTime(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "index")
	v, err := New(f.subject, execute.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			verdict, err := v.Check(t.Context(), f.edit(t, "index.go", "\treturn &Index{}", makeMap), nil)
			if err != nil || !verdict.Verified {
				t.Errorf("verdict %+v: %v", verdict, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Check(ctx, f.edit(t, "index.go", "\treturn &Index{}", makeMap), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	wait.Wait()
}

func TestTheProbeTellsWhatCameAfterTheSite(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "index")
	// The map is made, but nothing is ever counted: the program ends with 1.
	late := f.edit(t, "index.go", "\treturn &Index{}", makeMap, "main.go", "if len(x.terms) == 0 {", "if len(x.terms) == 2 {")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, late)
	expect(t, v, verdict.Rerun, verdict.Warn, `the failing line ran without a panic, then the program ended with exit code 1; it printed last: "report: nothing to report"`)
	if !v.Verified {
		t.Error("a warning still verifies")
	}
	v = check(t, all, f.edit(t, "index.go", "\tx.calls++\n", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++\n"))
	expect(t, v, verdict.Rerun, verdict.Warn, "the call that failed now returns without running the failing line, then the program ended with exit code 1")
	early := f.edit(t, "main.go", "\tfor i, w", "\tif len(x.terms) == 0 {\n\t\tos.Exit(3)\n\t}\n\tfor i, w")
	v = check(t, all, early)
	expect(t, v, verdict.Rerun, verdict.Warn, `it declines the input: it ended with exit code 3 at main.go:`)
	if !v.Masking {
		t.Error("who ends the program silently hides the symptom")
	}
}

func TestAServerThatLivesOnPasses(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	f := crashing(t, "server")
	v := f.prove(t, execute.Options{Timeout: 1500 * time.Millisecond}, f.edit(t, "main.go", "return &config{}", "return &config{limits: &limits{rate: 5}}"))
	expect(t, v, verdict.Rerun, verdict.Pass, "the failing line ran without a panic")
	if !v.Verified {
		t.Errorf("verdict %+v", v)
	}
	stuck := f.edit(t, "main.go", "\tif n < 3 {\n\t\treturn", "\tif n == 3 {\n\t\tselect {}\n\t}\n\tif n < 3 {\n\t\treturn")
	v = f.prove(t, execute.Options{Timeout: 1500 * time.Millisecond}, stuck)
	expect(t, v, verdict.Rerun, verdict.Fail, "another crash: fatal error: all goroutines are asleep")
	asleep := f.edit(t, "main.go", "\tif n < 3 {\n\t\treturn", "\tfor n == 3 {\n\t\ttime.Sleep(time.Second)\n\t}\n\tif n < 3 {\n\t\treturn")
	v = f.prove(t, execute.Options{Timeout: 1500 * time.Millisecond}, asleep)
	expect(t, v, verdict.Rerun, verdict.Inconclusive, "has not got past the failing line")
}

func TestMaskingIsNamed(t *testing.T) {
	f := crashing(t, "index")
	guard := f.edit(t, "index.go", "\tx.calls++", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, guard)
	expect(t, v, verdict.Masking, verdict.Warn, "returns early when x.terms == nil")
	expect(t, v, verdict.Rerun, verdict.Warn, "nothing to report")
	if !v.Masking || v.Effect != verdict.Skips || v.Verified {
		t.Errorf("verdict %+v", v)
	}
	// A guard that the run never comes to does not make a mask of a repair.
	both := f.edits(t, "index.go", "\tx.calls++", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++", "index.go", "\treturn &Index{}", makeMap)
	if v = check(t, all, both); v.Effect != verdict.Repairs || !v.Verified {
		t.Errorf("verdict %+v", v)
	}
}

// Files that are named one by one are all that is built: the counters are named, too.
func TestPointsInFilesNamedOneByOne(t *testing.T) {
	f := lay(t, "index", t.TempDir())
	f.compile(t, "index.go main.go gen.go", false)
	f.subject.Run.Dir = f.dir
	f.subject.Stop = f.stop(t)
	both := f.edits(t, "index.go", "\tx.calls++", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++", "index.go", "\treturn &Index{}", makeMap)
	if v := f.prove(t, execute.Options{}, both); v.Effect != verdict.Repairs || !v.Verified {
		t.Errorf("verdict %+v", v)
	}
}

// A program that recovers a panic and prints its stack says itself how a
// candidate fails.
func TestAPrintedStackIsACrash(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "menu")
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "len(m.items)])", "len(m.items)-1])"))
	expect(t, v, verdict.Rerun, verdict.Pass, "exit 0")
	v = check(t, all, f.edit(t, "main.go", "\tm.width", "\tif len(m.items) < 3 {\n\t\treturn nil\n\t}\n\tm.width"))
	expect(t, v, verdict.Rerun, verdict.Fail, "another panic, recovered: panic: runtime error: invalid memory address or nil pointer dereference in main.run")
	v = check(t, all, f.edit(t, "main.go", "\tm.width", "\t_ = len(m.items)\n\tm.width"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it still happens")
}

func TestAServedPanicIsFound(t *testing.T) {
	testsupport.Slow(t)
	f := crashing(t, "service")
	if !f.subject.Stop.Panic.Recovered {
		t.Fatalf("stop %+v", f.subject.Stop.Panic)
	}
	all := f.verifier(t, execute.Options{})
	v := check(t, all, f.edit(t, "main.go", "var visits map[string]int", "var visits = map[string]int{}"))
	expect(t, v, verdict.Rerun, verdict.Pass, "exit 0")
	v = check(t, all, f.edit(t, "main.go", "visits[", "visits[\"x\"+"))
	expect(t, v, verdict.Rerun, verdict.Fail, "it still happens")
	v = check(t, all, f.edit(t, "main.go", "var visits map[string]int", "var visits = map[string]int{}", "main.go", "fmt.Fprintln(w, ", "var p *int\n\tfmt.Fprintln(w, *p, "))
	expect(t, v, verdict.Scope, verdict.Fail, "edited twice")
}
