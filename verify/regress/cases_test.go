package regress

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestCases pauses programs at their faults, makes tests, and runs them without
// and with a fix made by hand. What came out is in each archive's tests.golden.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if filepath.Base(file) != "nil-map.txtar" && filepath.Base(file) != "refused.txtar" {
				testsupport.Slow(t)
			}
			t.Parallel()
			p, archive := extract(t, file)
			fixed := map[string]string{}
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "fix/"); ok {
					fixed[name] = string(f.Data)
				}
			}
			var got bytes.Buffer
			tests, err := Make(t.Context(), p.pause(t), p.run())
			if err != nil {
				fmt.Fprintln(&got, err)
			}
			for _, made := range tests {
				p.report(t, &got, made, fixed)
			}
			golden(t, file, archive, got.String())
		})
	}
}

// report writes a test and how it went.
func (p program) report(t *testing.T, w *bytes.Buffer, made patch.RegressionTest, fixed map[string]string) {
	t.Helper()
	before, output := p.try(t, made, nil)
	after, outputAfter := p.try(t, made, fixed)
	fmt.Fprintf(w, "%s, without the fix: %s, with it: %s\n%s\n%s:\n", made.Name, before, after, made.Calls, made.Edit.File)
	added, ok := strings.CutPrefix(made.Edit.After, made.Edit.Before)
	if !ok {
		added = made.Edit.After
	}
	for line := range strings.Lines(added) {
		w.WriteString("\t" + line)
	}
	if before == notBuilt || before == notVetted || after == notBuilt || after == notVetted {
		t.Errorf("%s\n%s", output, outputAfter)
	}
}

const goldenName = "tests.golden"

// changing are addresses, ports and temporary directories.
var changing = regexp.MustCompile(`/tmp/TestCases\w+/\d+|0x[0-9a-f]+|127\.0\.0\.1:\d+`)

func golden(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	got = changing.ReplaceAllString(got, "…")
	for i, f := range archive.Files {
		if f.Name != goldenName {
			continue
		}
		if *update {
			archive.Files[i].Data = []byte(got)
			writeArchive(t, file, archive)
		} else if string(f.Data) != got {
			t.Errorf("got\n%s\nwant\n%s", got, f.Data)
		}
		return
	}
	if !*update {
		t.Fatalf("no %s; got\n%s", goldenName, got)
	}
	archive.Files = append(archive.Files, txtar.File{Name: goldenName, Data: []byte(got)})
	writeArchive(t, file, archive)
}

func writeArchive(t *testing.T, file string, archive *txtar.Archive) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
