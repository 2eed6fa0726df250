package navigate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
)

func TestParseQuery(t *testing.T) {
	for typed, want := range map[string]Query{
		"":             {},
		"store get":    {Name: "storeget"},
		":42":          {Line: 42},
		"index.go:42":  {Name: "index.go", Line: 42},
		"index.go:":    {Name: "index.go"},
		"index.go:4x":  {Name: "index.go:4x"},
		"@Add":         {Name: "Add", Symbols: true},
		" @Add : 7 ":   {Name: "Add", Symbols: true, Line: 7},
		"a.go:999999x": {Name: "a.go:999999x"},
	} {
		if got := ParseQuery(typed); got != want {
			t.Errorf("%q: %+v, want %+v", typed, got, want)
		}
	}
}

// indexed builds the program of the fixture and indexes it.
func indexed(t *testing.T) (*Index, *Indexer, *Program, string) {
	t.Helper()
	p, root := fixture(t)
	binary := filepath.Join(t.TempDir(), "app")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, ".") // stripped: the line table is there
	cmd.Dir = filepath.Join(root, "app")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	x := NewIndexer()
	x.Build(context.Background(), Subject{p.workspace, binary, p.code})
	index, err := x.Wait(context.Background(), 0)
	if err != nil || !index.Complete {
		t.Fatalf("complete: %v, %v", index.Complete, err)
	}
	return index, x, p, root
}

func find(t *testing.T, x *Index, typed string, before Matches) Matches {
	t.Helper()
	m, err := x.Find(context.Background(), ParseQuery(typed), before, 50)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFind(t *testing.T) {
	index, _, _, root := indexed(t)
	for typed, want := range map[string]string{
		"store.go":        "file store/store.go:1",
		"storego":         "file store/store.go:1",
		"push":            "method store.(*Stack).Push:17",
		"Stack":           "type store.Stack:14",
		"stpush":          "method store.(*Stack).Push:17",
		"slowrun":         "method slow.Run:19",
		"@first":          "func store.First:11",
		"names":           "var lib.Names:4", // of the other module
		"unused":          "file unused/unused.go:1",
		"fmt.println":     "func fmt.Println:",
		"fmt/print.go":    "file fmt/print.go:1",
		"testfirst":       "func store.TestFirst:5",
		"quick.run":       "method (*quick).Run:",
		"main.quick":      "type quick:",
		"strings.builder": "type strings.Builder:",
	} {
		m := find(t, index, typed, Matches{})
		got := ""
		if len(m.List) > 0 {
			got = fmt.Sprintf("%v %s:%d", m.List[0].Kind, m.List[0].Name, m.List[0].Line)
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	own := find(t, index, "main.go", Matches{}).List[0]
	if own.File != filepath.Join(root, "app/main.go") || !own.User || !slices.Equal(own.Marks, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("main.go: %+v", own)
	}
}

// Typing on finds what typing it all at once finds.
func TestFindNarrows(t *testing.T) {
	index, _, _, _ := indexed(t)
	typed := "strings.Re"
	var before Matches
	for i := 1; i <= len(typed); i++ {
		before = find(t, index, typed[:i], before)
	}
	whole := find(t, index, typed, Matches{})
	if before.All == 0 || before.All != whole.All || len(before.at) >= len(index.Entries)/2 {
		t.Fatalf("%d and %d matches of %d", before.All, whole.All, len(index.Entries))
	}
	for i, m := range whole.List {
		if before.List[i].Entry != m.Entry {
			t.Errorf("%d: %+v, want %+v", i, before.List[i].Entry, m.Entry)
		}
	}
}

// A second build reads only what has changed.
func TestIndexAgain(t *testing.T) {
	first, x, p, root := indexed(t)
	file := filepath.Join(root, "app/store/store.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "\nfunc Later() {}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	x.Build(context.Background(), Subject{Workspace: p.workspace})
	second, err := x.Wait(context.Background(), first.Version)
	if err != nil || len(find(t, second, "Later", Matches{}).List) == 0 {
		t.Errorf("%d entries, %v", len(second.Entries), err)
	}
	if len(find(t, second, "fmt.Println", Matches{}).List) > 0 {
		t.Error("functions of a binary that is gone")
	}
}

// A stripped binary with trimmed paths names what is here.
func TestIndexOfATrimmedBinary(t *testing.T) {
	p, root := fixture(t)
	binary := filepath.Join(t.TempDir(), "app")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, ".")
	cmd.Dir = filepath.Join(root, "app")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	x := NewIndexer()
	x.Build(context.Background(), Subject{Workspace: p.workspace, Binary: binary})
	index, err := x.Wait(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"fmt.Fprintln": "/fmt/print.go", "runtime/proc.go": "/runtime/proc.go", "main.go": filepath.Join(root, "app/main.go")} {
		m := find(t, index, typed, Matches{})
		if len(m.List) == 0 || !strings.HasSuffix(m.List[0].File, want) {
			t.Errorf("%s: %+v", typed, m.List)
			continue
		}
		if _, err := os.Stat(m.List[0].File); err != nil {
			t.Error(err)
		}
	}
}

func TestSymbolName(t *testing.T) {
	for name, want := range map[string]string{
		"main.main":                               "main func",
		"fmt.(*pp).doPrintf":                      "fmt.(*pp).doPrintf method",
		"example.org/a/store.(*Stack[...]).Push":  "store.(*Stack).Push method",
		"gopkg.in/yaml%2ev3.Unmarshal":            "yaml.v3.Unmarshal func",
		"slices.SortFunc[go.shape.[]a/b.T,a/b.T]": "slices.SortFunc func",
	} {
		got, kind := symbolName(name)
		if got+" "+kind.String() != want {
			t.Errorf("%s: %s %v, want %s", name, got, kind, want)
		}
	}
}

// BenchmarkFind types a name into an index of 100,000 entries.
func BenchmarkFind(b *testing.B) {
	x := NewIndexer()
	var entries []Entry
	for i := range 100_000 {
		entries = append(entries, Entry{Name: fmt.Sprintf("package%d.(*Type%d).Method%d", i%700, i%3000, i), Kind: Method, User: i%10 == 0})
	}
	x.publish(entries, true)
	index, _ := x.Wait(context.Background(), 0)
	typed := "type7method"
	for b.Loop() {
		var before Matches
		for i := 1; i <= len(typed); i++ {
			before, _ = index.Find(context.Background(), ParseQuery(typed[:i]), before, 200)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(typed)), "µs/key")
}

// Session logs are no part of the module: git ignores their directory by its own file.
func TestFilesLeaveOutWhatIgnoresItself(t *testing.T) {
	root := t.TempDir()
	testsupport.Write(t, filepath.Join(root, "go.mod"), "module example.org/m\n")
	testsupport.Write(t, filepath.Join(root, "debug", ".gitignore"), "*\n")
	testsupport.Write(t, filepath.Join(root, "debug", "log.md"), "# a log\n")
	testsupport.Write(t, filepath.Join(root, "notes", ".gitignore"), "*.log\n")
	testsupport.Write(t, filepath.Join(root, "notes", "plan.md"), "# a plan\n")
	testsupport.Write(t, filepath.Join(root, "gen", ".gitignore"), "*\n!.gitignore\n")
	testsupport.Write(t, filepath.Join(root, "gen", "gen.go"), "package gen\n")
	files := userFiles(t.Context(), workspace.Workspace{Modules: []workspace.Module{{Path: "example.org/m", Dir: root}}})
	want := []string{filepath.Join(root, "gen", "gen.go"), filepath.Join(root, "go.mod"), filepath.Join(root, "notes", "plan.md")}
	if !slices.Equal(files, want) {
		t.Errorf("%q, want %q", files, want)
	}
}
