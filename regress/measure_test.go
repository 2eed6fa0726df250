package regress

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm/builtin"
)

var measure = flag.String("measure", "", "measure on these archives and folders (glob patterns, space separated) how many yield a test")

// TestMeasure is no test: it tells on which programs a test can be made that
// fails before, and passes after a fix of the built-in fixer.
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("only with -measure")
	}
	var paths []string
	for pattern := range strings.FieldsSeq(*measure) {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	sort.Strings(paths)
	total, failing, mended := 0, 0, 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := load(t, path)
			total++
			before, after := p.measure(t)
			if before {
				failing++
			}
			if after {
				mended++
			}
		})
	}
	t.Logf("%d programs: %d with a test that fails before, %d with one that passes after a fix", total, failing, mended)
}

func load(t *testing.T, path string) program {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		p, _ := extract(t, path)
		return p
	}
	p := program{dir: realDir(t), pkg: "."}
	if err := os.CopyFS(p.dir, os.DirFS(path)); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(p.dir, "go.mod")) {
		write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	}
	var run struct {
		Args  []string
		Stdin string
	}
	if data, err := os.ReadFile(filepath.Join(path, "run.json")); err == nil {
		if err := json.Unmarshal(data, &run); err != nil {
			t.Fatal(err)
		}
	}
	p.args = run.Args
	if file := filepath.Join(p.dir, "stdin.txt"); exists(file) {
		p.stdin = file
	}
	return p
}

func (p program) measure(t *testing.T) (failsBefore, passesAfter bool) {
	c := p.pause(t)
	began := time.Now()
	tests, err := Make(t.Context(), c, p.run())
	took := time.Since(began).Round(time.Millisecond)
	if err != nil {
		t.Logf("%s: %v (%v)", c.Stop.Panic.Class, err, took)
		return false, false
	}
	_, candidates, _ := builtin.Propose(t.Context(), c)
	t.Logf("%s: %d tests in %v, %d candidates", c.Stop.Panic.Class, len(tests), took, len(candidates))
	for _, made := range tests {
		result, output := p.try(t, made, nil)
		t.Logf("%s (%s): %s", made.Name, made.Calls, result)
		if result == notBuilt || result == notVetted || result == passes || testing.Verbose() {
			t.Logf("%s\n%s", made.Edit.After, output)
		}
		if result != fails {
			continue
		}
		failsBefore = true
		for _, candidate := range candidates {
			fixed := map[string]string{}
			for _, e := range candidate.Edits {
				fixed[e.File] = e.After
			}
			result, _ := p.try(t, made, fixed)
			t.Logf("   with %q (masking %v): %s", candidate.Title, candidate.Masking, result)
			if result == passes {
				passesAfter = true
			}
		}
	}
	return failsBefore, passesAfter
}
