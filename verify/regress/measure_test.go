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

	"github.com/pelletier/go-toml/v2"

	"github.com/pausetui/pausetui/patch"
)

var measure = flag.String("measure", "", "measure on these archives and folders (glob patterns, space separated) how many yield a test")

var quick = flag.Bool("measure-quick", false, "only make the tests, run none")

// TestMeasure is no test: it tells on which programs a test can be made that
// fails before, and passes with the reference fix where there is one.
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
	total, failing, fixed := 0, 0, 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := load(t, path)
			total++
			before, after := p.measure(t)
			if before {
				failing++
			}
			if after {
				fixed++
			}
		})
	}
	t.Logf("%d programs: %d with a test that fails before, %d with one that passes with the reference fix", total, failing, fixed)
}

// measured is a program with what it looks like when it is fixed.
type measured struct {
	program
	fixed map[string]string // the reference fix; nil where there is none
}

func load(t *testing.T, path string) measured {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		return loadArchive(t, path)
	}
	p := program{dir: realDir(t), pkg: "."}
	if err := os.CopyFS(p.dir, os.DirFS(path)); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(p.dir, "go.mod")) {
		write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	}
	var run struct{ Args []string }
	if data, err := os.ReadFile(filepath.Join(path, "run.json")); err == nil {
		if err := json.Unmarshal(data, &run); err != nil {
			t.Fatal(err)
		}
	}
	p.args = run.Args
	if file := filepath.Join(p.dir, "stdin.txt"); exists(file) {
		p.stdin = file
	}
	return measured{program: p}
}

// loadArchive reads a fixture, or a case of the benchmark with its fix.
func loadArchive(t *testing.T, path string) measured {
	t.Helper()
	p, archive := extract(t, path)
	m := measured{program: p}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "fixed/"); ok {
			if m.fixed == nil {
				m.fixed = map[string]string{}
			}
			m.fixed[name] = string(f.Data)
		}
		if f.Name != "case.toml" {
			continue
		}
		var settings struct {
			Kind, Package, Stdin string
			Args, Env            []string
		}
		if err := toml.Unmarshal(f.Data, &settings); err != nil {
			t.Fatal(err)
		}
		m.test, m.args, m.env = settings.Kind == "test", settings.Args, settings.Env
		if settings.Package != "" {
			m.pkg = "./" + filepath.Clean(settings.Package)
		}
		if settings.Stdin != "" {
			m.stdin = filepath.Join(m.dir, settings.Stdin)
		}
	}
	for _, name := range []string{"fixed", "hidden"} {
		if err := os.RemoveAll(filepath.Join(m.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// measure returns whether any test fails before, and whether one of those passes
// after.
func (p measured) measure(t *testing.T) (failsBefore, passesAfter bool) {
	c := p.pause(t)
	began := time.Now()
	m := makeAll(t.Context(), c, p.run())
	t.Logf("%s: %d tests in %v", c.Stop.Panic.Class, len(m.tests), time.Since(began).Round(time.Millisecond))
	for _, why := range m.refused {
		t.Logf("refused: %s", why)
	}
	if *quick {
		for _, made := range m.tests {
			t.Logf("%s (%s)\n%s", made.Name, made.Calls, made.Edit.After)
		}
		return len(m.tests) > 0, false
	}
	for _, made := range m.tests {
		before, after := p.both(t, made)
		failsBefore = failsBefore || before
		if after {
			return true, true
		}
	}
	return failsBefore, false
}

// both runs a test without and with the reference fix.
func (p measured) both(t *testing.T, made patch.RegressionTest) (failsBefore, passesAfter bool) {
	result, output := p.try(t, made, nil)
	t.Logf("%s (%s): %s", made.Name, made.Calls, result)
	if result != fails {
		t.Logf("%s\n%s", made.Edit.After, output)
		return false, false
	}
	if p.fixed == nil {
		return true, false
	}
	result, output = p.try(t, made, p.fixed)
	t.Logf("   with the reference fix: %s", result)
	if result != passes {
		t.Logf("%s\n%s", made.Edit.After, output)
	}
	return true, result == passes
}
