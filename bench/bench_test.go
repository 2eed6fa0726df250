package bench

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/format"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// Every case of the corpus crashes as it says, has a hidden check that tells
// right from quiet, and a reference fix that is right. Each takes
// several builds, so that by default one of each of three classes is proved.
func TestCorpusIsHonest(t *testing.T) {
	cases, err := Load(os.DirFS("corpus"))
	if err != nil {
		t.Error(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases in corpus")
	}
	if !testsupport.Whole() {
		part := someClasses(cases)
		t.Logf("%d of %d cases; %s=1 proves all", len(part), len(cases), testsupport.WholeVariable)
		cases = part
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if err := c.Prove(t.Context(), t.TempDir()); err != nil {
				t.Error(err)
			}
		})
	}
}

// someClasses picks a case of each of three classes, by name only, so that the pick
// stays the same.
func someClasses(cases []*Case) []*Case {
	hash := func(c *Case) uint32 { return crc32.ChecksumIEEE([]byte("prove " + c.Name)) }
	cases = slices.SortedFunc(slices.Values(cases), func(a, b *Case) int { return cmp.Compare(hash(a), hash(b)) })
	taken := map[string]bool{"stack-overflow": true} // takes long to fill its stack
	return slices.DeleteFunc(cases, func(c *Case) bool {
		again := taken[c.Class] || len(taken) > 3
		taken[c.Class] = true
		return again
	})
}

// The code reads like any other: gofmt has been over it.
func TestCorpusIsFormatted(t *testing.T) {
	cases, _ := Load(os.DirFS("corpus"))
	for _, c := range cases {
		for dir, files := range map[string][]txtar.File{"": c.module, "hidden/": c.hidden, "fixed/": c.fixed} {
			for _, f := range files {
				if !strings.HasSuffix(f.Name, ".go") {
					continue
				}
				if out, err := format.Source(f.Data); err != nil || string(out) != string(f.Data) {
					t.Errorf("%s: %s%s is not formatted (%v)", c.Name, dir, f.Name, err)
				}
			}
		}
	}
}

// Half of the faults lie in another function than the stop.
func TestFaultsLieElsewhereAsOftenAsNot(t *testing.T) {
	cases, _ := Load(os.DirFS("corpus"))
	elsewhere, fixable := 0, 0
	for _, c := range cases {
		if !c.CanBeFixed() {
			continue
		}
		fixable++
		if c.Fault == Elsewhere {
			elsewhere++
		}
	}
	if share := float64(elsewhere) / float64(fixable); fixable >= 20 && (share < 0.4 || share > 0.6) {
		t.Errorf("%d of %d faults lie elsewhere", elsewhere, fixable)
	}
}

// good is a small case without a mistake.
//
//go:embed testdata/index-out-of-range-read.txtar
var good string

func TestParseIsStrict(t *testing.T) {
	if _, err := Parse("index-out-of-range-x.txtar", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{`kind = "program"`, "kind = \"program\"\nknid = 3", `x.txtar:5: unknown key "knid"`},
		{`stops_in = "main"`, `stops_in = 3`, "x.txtar:5:"},
		{`class = "index`, `class = "indx`, "class: unknown class"},
		{`stops_in = "main"`, `stops_in = "Main"`, "does not declare Main"},
		{`fault = "here"`, `fault = "there"`, "fault: "},
		{`fault = "here"`, "fault = \"here\"\nfault_in = \"main\"", "fault_in: "},
		{`stdout = "1"`, ``, "hidden.run 1: looks at nothing"},
		{`-- fixed/main.go`, `-- fixed/other.go`, "fixed/other.go: the module has no such file"},
		{`fmt.Print([]int{1}[0])`, `fmt.Print([]int{1}[1])`, "the same as in the module"},
		{`-- go.mod --`, `-- go.sum --`, "no go.mod"},
		{`-- go.mod --`, `-- ../go.mod --`, "not a clean relative path"},
		{"Adds.\n", "", "no comment"},
		{`stops_in`, "stdin = \"in.txt\"\nstops_in", "stdin: "},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		_, err := Parse("index-out-of-range-x.txtar", []byte(text))
		if err == nil || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%q for %q: %v, want %q", test.new, test.old, err, test.want)
		}
	}
}

func TestCulprit(t *testing.T) {
	report := `panic: boom [recovered, repanicked]

goroutine 7 [running]:
testing.tRunner.func1.2({0x1, 0x2})
	/go/testing.go:1 +0x1
panic({0x1?, 0x2?})
	/go/panic.go:1 +0x1
example.com/shop/stock.(*Shelf[...]).put(0xc000012345, {0x1, 0x2})
	example.com/shop/stock/shelf.go:3 +0x1
example.com/shop/stock.TestPut(0x1)
	example.com/shop/stock/shelf_test.go:3 +0x1
created by testing.(*T).Run in goroutine 1
	/go/testing.go:1 +0x1
`
	if got, want := culprit(report, "example.com/shop"), (traced{"(*Shelf).put", "example.com/shop/stock/shelf.go", 3}); got != want {
		t.Errorf("culprit is %v", got)
	}
	if got := FunctionName("example.com/a.b/cmd.Max[go.shape.int]"); got != "Max" {
		t.Errorf("name is %q", got)
	}
}
