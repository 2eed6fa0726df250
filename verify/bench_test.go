package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// BenchmarkProof pairs the proof of a candidate, up to the end of its rerun,
// with what a person would do by hand: go build after an edit, and a run. It
// reports the median ratios of the first candidate of a stop, whose proof
// includes what all of them share, and of a later one.
func BenchmarkProof(b *testing.B) {
	for _, bb := range []struct{ example, file, old, new string }{
		{"inventory", "inventory.go", "items:    make(map[string]*Item),", "items:    make(map[string]*Item),\n\t\tbySupplier: map[string][]string{},"},
		{"leaderboard", "runs.go", "entering <= len(points)", "entering < len(points)"},
		{"lrucache", "cache.go", "entries:  make(map[string]*entry, capacity),", "entries:  make(map[string]*entry, capacity),\n\t\torder: &recency{},"},
	} {
		b.Run(bb.example, func(b *testing.B) {
			f := example(b, bb.example)
			v := f.verifier(b, execute.Options{})
			var first, later []float64
			for n := 0; b.Loop(); n++ {
				change := func(round string) patch.Candidate { // nothing of it is in a cache
					return f.edits(b, bb.file, bb.old, bb.new+fmt.Sprintf(" /* %s %d */", round, n))
				}
				hand := f.byHand(b, change("by hand"))
				fresh := f.verifier(b, execute.Options{})
				first = append(first, f.untilRerun(b, fresh, change("first")).Seconds()/hand.Seconds())
				_, _ = v.Check(b.Context(), change("warm"), nil)
				hand = f.byHand(b, change("by hand again"))
				later = append(later, f.untilRerun(b, v, change("later")).Seconds()/hand.Seconds())
			}
			b.ReportMetric(median(first), "first/by-hand")
			b.ReportMetric(median(later), "later/by-hand")
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// example is one of the repository's examples, stopped at its crash.
func example(b *testing.B, name string) fixture {
	b.Helper()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples", name))); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/"+name+"\n\ngo 1.25\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	w, err := workspace.Find(b.Context(), dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	s := build.Spec{Dir: dir, Package: ".", DebugPatterns: []string{w.Modules[0].Path + "/..."}, Output: filepath.Join(b.TempDir(), name)}
	built, err := build.Build(b.Context(), s, nil)
	if err != nil {
		b.Fatal(err)
	}
	f := fixture{dir: dir, subject: subject.Subject{Workspace: w, Build: s, Binary: built.Binary, Run: subject.Run{Env: os.Environ(), Dir: dir}}}
	began := time.Now()
	f.subject.Stop = f.stop(b)
	f.subject.Ran = time.Since(began)
	return f
}

// byHand builds the candidate with the go command and runs it.
func (f fixture) byHand(b *testing.B, c patch.Candidate) time.Duration {
	b.Helper()
	e := c.Edits[0]
	path := filepath.Join(f.dir, e.File)
	if err := os.WriteFile(path, []byte(e.After), 0o644); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = os.WriteFile(path, []byte(e.Before), 0o644) }()
	began := time.Now()
	cmd := exec.Command("sh", "-c", "go build -o "+f.subject.Binary+"2 . && "+f.subject.Binary+"2 "+strings.Join(f.subject.Run.Args, " "))
	cmd.Dir = f.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return time.Since(began)
}

// untilRerun proves a candidate and returns how long it took until its rerun
// was over.
func (f fixture) untilRerun(b *testing.B, v *Verifier, c patch.Candidate) time.Duration {
	b.Helper()
	began := time.Now()
	took := time.Duration(0)
	verdict, err := v.Check(b.Context(), c, func(k verdict.Check) {
		if k.Name == verdict.Rerun {
			took = time.Since(began)
		}
	})
	if err != nil || !verdict.Verified {
		b.Fatalf("verdict %+v: %v", verdict, err)
	}
	return took
}

// BenchmarkConfinement pairs the build of a candidate in the sandbox with the
// same build outside of it, and reports the median ratio.
func BenchmarkConfinement(b *testing.B) {
	f := example(b, "inventory")
	v := f.verifier(b, execute.Options{})
	source, err := os.ReadFile(filepath.Join(f.dir, "inventory.go"))
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	took := func(confined bool) float64 {
		n++ // nothing of it is in a cache
		text := string(source) + fmt.Sprintf("\nconst round = %d\n", time.Now().UnixNano())
		spec := v.Spec(filepath.Join(v.Dir, fmt.Sprint(n), "program"), map[string]string{filepath.Join(f.dir, "inventory.go"): text})
		if !confined {
			spec.Confine = nil
		}
		began := time.Now()
		if _, err := build.Build(b.Context(), spec, nil); err != nil {
			b.Fatal(err)
		}
		return time.Since(began).Seconds()
	}
	took(true) // asks for Go's directories
	var ratios []float64
	for b.Loop() {
		plain := took(false)
		ratios = append(ratios, took(true)/plain)
	}
	b.ReportMetric(median(ratios), "confined/plain")
}
