package history

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/history/record"
)

var update = flag.Bool("update", false, "write what the histories are now")

// Each archive is a program, the value that is asked for as "file.go:line expression", maybe
// with " @ " and the line that reports that a test fails, and its events, the newest first.
func TestHistories(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := testsupport.TempDir(t)
			want := ""
			for _, f := range archive.Files {
				if f.Name == "why" {
					want = string(f.Data)
				} else {
					testsupport.Write(t, filepath.Join(dir, f.Name), string(f.Data))
				}
			}
			question, want, _ := strings.Cut(want, "\n")
			got := ask(t, dir, question, filepath.Base(name))
			if *update {
				for i, f := range archive.Files {
					if f.Name == "why" {
						archive.Files[i].Data = []byte(question + "\n" + got)
					}
				}
				testsupport.Write(t, name, string(txtar.Format(archive)))
			} else if got != want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
			}
		})
	}
}

// Each text is about a case of the corpus that anybody may read: how the value to blame is
// asked for, after "blocked" where its goroutine waits, and its events, the newest first.
func TestHistoriesOfTheCorpus(t *testing.T) {
	texts, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(texts) == 0 {
		t.Fatal("no texts", err)
	}
	for _, path := range texts {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := fs.ReadFile(bench.Corpus(), name+".txtar")
			if err != nil {
				t.Fatal(err)
			}
			c, err := bench.Parse(name, archive)
			if err != nil {
				t.Fatal(err)
			}
			dir := testsupport.TempDir(t)
			if err := c.Layout(dir); err != nil {
				t.Fatal(err)
			}
			question, want, _ := strings.Cut(testsupport.Read(t, path), "\n")
			asked, blocked := strings.CutPrefix(question, "blocked ")
			kind := name
			if blocked {
				kind = "blocked"
			}
			got := askOf(t, program{dir: dir, pkg: c.Target(), args: c.Args, env: c.Env, stdin: c.Stdin, test: c.Kind == bench.Test}, asked, kind)
			if *update {
				testsupport.Write(t, path, question+"\n"+got)
			} else if got != want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
			}
		})
	}
}

// program is what records, and how it is run.
type program struct {
	dir, pkg  string
	args, env []string
	stdin     string
	test      bool
}

func ask(t *testing.T, dir, question, archive string) string {
	tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return askOf(t, program{dir: dir, pkg: ".", test: tests != nil}, question, archive)
}

func askOf(t *testing.T, of program, question, archive string) string {
	dir := of.dir
	question, failing, _ := strings.Cut(question, " @ ")
	place, expr, _ := strings.Cut(question, " ")
	file, number, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.Load(t.Context(), workspace.LoadSpec{Dir: dir, Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	add := func(_ string, overlay map[string]string) (string, error) {
		return AddRecord(dir, w.MainPath(), overlay), nil
	}
	q := Query{File: filepath.Join(dir, file), Line: line, Expr: expr, Depth: strings.Count(archive, "-literal"), Within: strings.HasPrefix(archive, "within"), Shared: strings.HasPrefix(archive, "shared")}
	if failing != "" {
		q.Report = &Report{File: q.File}
		if _, err := fmt.Sscan(failing, &q.Report.Line, &q.Report.Nth); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewPlan(code, q, add, func(file string) (string, error) {
		text, err := os.ReadFile(file)
		return string(text), err
	})
	if err != nil {
		t.Fatal(err)
	}
	h, ok := p.Read(run(t, of, p.Overlay), 0, strings.HasPrefix(archive, "blocked"))
	if !ok {
		t.Fatal("the run did not come to the statement")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", h.Stop.Value)
	for i, e := range h.Events {
		mark := "  "
		if i == h.Origin {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%s%s %s | %s | %s:%d\n", mark, strings.Repeat("  ", e.Level), e.Site.Kind, e.Value, e.Site.Text, e.Site.Function, e.Site.Line)
		if e.Skipped > 0 {
			fmt.Fprintf(&b, "  … %d\n", e.Skipped)
		}
	}
	for _, g := range h.Gaps {
		fmt.Fprintf(&b, "gap: %s\n", g)
	}
	return b.String()
}

// run runs a program that records, and returns what it has recorded.
func run(t *testing.T, of program, files map[string]string) []byte {
	temp := testsupport.TempDir(t)
	replace := map[string]string{}
	n := 0
	for name, text := range files {
		n++
		at := filepath.Join(temp, fmt.Sprintf("%d-%s", n, filepath.Base(name)))
		testsupport.Write(t, at, text)
		replace[name] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	testsupport.Write(t, filepath.Join(temp, "overlay.json"), string(list))
	binary := filepath.Join(temp, "program")
	build := exec.Command("go", "build", "-overlay", filepath.Join(temp, "overlay.json"), "-o", binary, of.pkg)
	if of.test {
		build.Args = append([]string{"go", "test", "-c", "-vet=off"}, build.Args[2:]...)
	}
	build.Dir = of.dir
	if out, err := build.CombinedOutput(); err != nil {
		for name, text := range files {
			if !strings.Contains(name, directory) {
				t.Logf("%s\n%s", name, text)
			}
		}
		t.Fatalf("%v\n%s", err, out)
	}
	file, err := os.Create(filepath.Join(temp, "events"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(record.Size); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(binary, of.args...)
	program.Dir, program.Env, program.ExtraFiles = of.dir, append(os.Environ(), of.env...), []*os.File{file}
	if of.stdin != "" {
		if program.Stdin, err = os.Open(filepath.Join(of.dir, of.stdin)); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := program.CombinedOutput() // it crashes
	t.Logf("%s", out)
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A run that writes of as many values as it can, each taken from another one, takes neither
// long to read nor much memory.
func TestWhatARunRecordsIsNotTrusted(t *testing.T) {
	p := &Plan{Sites: []Site{{Kind: Stop}, {Kind: Passed, Line: 1}, {Kind: Set, Line: 2, Begins: true}}}
	file := make([]byte, 2*record.Size)
	put := func(slot, site, addr, from uint64) {
		for i, w := range []uint64{slot, 0, 1, site | 1<<63, addr, from, 7, 0} { // all is a part of it
			binary.NativeEndian.PutUint64(file[slot*record.SlotSize:][8*i:], w)
		}
	}
	for slot := uint64(1); slot < 2*record.Slots; slot++ {
		put(slot, 1+slot/64%2, 1, slot+10)
	}
	put(record.Slots, 0, 7, 0)
	done := make(chan History)
	go func() {
		h, _ := p.Read(file, 0, false)
		done <- h
	}()
	select {
	case h := <-done:
		if len(h.Events) != most {
			t.Errorf("%d events", len(h.Events))
		}
	case <-time.After(time.Minute):
		t.Fatal("it takes long")
	}
}
