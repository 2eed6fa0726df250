package diffview

import (
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/syntax"
)

var update = flag.Bool("update", false, "write the golden files again")

const before = `package index

// Index maps terms to documents.
type Index struct {
	terms map[string][]int
	docs  []Doc
}

// NewIndex makes an index of docs.
func NewIndex(docs []Doc) *Index {
	return &Index{docs: docs}
}

// Add records that doc contains term.
func (x *Index) Add(term string, doc int) {
	x.terms[term] = append(x.terms[term], doc)
	x.count++
}

/* Len is the number of
   documents. */
func (x *Index) Len() int {
	return len(x.docs)
}

func (x *Index) Name() string { return "日本語の索引" } // wide
`

func after() string {
	return strings.NewReplacer(
		"&Index{docs: docs}", "&Index{docs: docs, terms: make(map[string][]int)}",
		"   documents. */", "   documents\n   it holds. */",
		`"日本語の索引" } // wide`, `"日本語の目次" + "`+strings.Repeat("長い", 20)+`" } // wide`,
	).Replace(before)
}

func sample() []patch.Edit {
	return []patch.Edit{
		{File: "index.go", Before: before, After: after()},
		{File: "index_test.go", Create: true,
			After: "package index\n\nfunc TestAdd(t *testing.T) {\n\tNewIndex(nil).Add(\"go\", 1)\n}"},
		{File: "a/long/way/down/to/a/file/with/a/rather/long/name/crlf.go",
			Before: "package a\r\n\r\nvar x =\t1\r\nvar y = 2\n", After: "package a\r\n\r\nvar x =\t1\nvar y = 2\n"},
		{File: "gone.go", Before: "package gone\n"},
		{File: "empty.go", Create: true},
	}
}

var dark = Palette{
	Syntax: syntax.Palette{
		Keyword: rgb(0xc678dd), String: rgb(0x98c379), Number: rgb(0xd19a66), Comment: rgb(0x7f848e),
		Type: rgb(0xe5c07b), Function: rgb(0x61afef), Builtin: rgb(0x56b6c2), Operator: rgb(0xabb2bf),
	},
	AddBack: rgb(0x12261e), DelBack: rgb(0x2d1519), AddWord: rgb(0x1f5132), DelWord: rgb(0x6b2229),
	AddSign: rgb(0x3fb950), DelSign: rgb(0xf85149),
	Path: rgb(0xffffff), Number: rgb(0x6e7681), Dim: rgb(0x6e7681), Focus: rgb(0xa371f7), Taken: rgb(0x3fb950),
}

// few is a palette of a terminal with 16 colors.
var few = Palette{
	AddText: ansi.Green, DelText: ansi.Red, AddSign: ansi.Green, DelSign: ansi.Red, Underline: true,
	Dim: ansi.BrightBlack, Number: ansi.BrightBlack, Focus: ansi.Blue,
}

func rgb(c uint32) color.Color {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255}
}

func TestGolden(t *testing.T) {
	left := map[string]map[int]bool{"index.go": {1: true}}
	notes := map[string]string{"index_test.go": "regression test from the captured values"}
	for _, palette := range []struct {
		name string
		Palette
	}{{"plain", Palette{}}, {"dark", dark}, {"few", few}} {
		for _, width := range []int{60, 80, 120} {
			for _, mode := range []string{"unified", "split", "wrap"} {
				if palette.name != "plain" && (width != 120 || mode == "wrap") {
					continue
				}
				name := fmt.Sprintf("%s-%s-%d", mode, palette.name, width)
				t.Run(name, func(t *testing.T) {
					v := Render(sample(), Options{
						Width: width, Split: mode == "split", Wrap: mode == "wrap", Palette: palette.Palette,
						Left: left, Notes: notes, Cursor: HunkRef{"index.go", 1},
					})
					checkView(t, v, width)
					golden(t, name, v)
				})
			}
		}
	}
}

func golden(t *testing.T, name string, v View) {
	t.Helper()
	got := strings.Join(v.Lines, "⏎\n") + "⏎\n" // shows trailing space
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look, then run with -update. Got:\n%s", file, got)
	}
}

// checkView checks what holds for every view.
func checkView(t *testing.T, v View, width int) {
	t.Helper()
	for i, l := range v.Lines {
		if w := ansi.StringWidth(l); w != width {
			t.Fatalf("line %d is %d cells wide, want %d: %q", i, w, width, l)
		}
		if strings.ContainsAny(l, "\n\r\t") {
			t.Fatalf("line %d holds control characters: %q", i, l)
		}
	}
	if len(v.HunkLine) != len(v.Hunks) {
		t.Fatalf("%d hunk lines for %d hunks", len(v.HunkLine), len(v.Hunks))
	}
	last := -1
	for _, ref := range v.Hunks {
		at, ok := v.HunkLine[ref]
		if !ok || at <= last || at >= len(v.Lines)-1 {
			t.Fatalf("hunk %v at line %d (known: %v), after %d of %d", ref, at, ok, last, len(v.Lines))
		}
		last = at
	}
}

func TestHunkLines(t *testing.T) {
	v := Render(sample(), Options{Width: 80})
	want := []HunkRef{{"index.go", 0}, {"index.go", 1}, {"index_test.go", 0}, {sample()[2].File, 0}, {"gone.go", 0}}
	if !reflect.DeepEqual(v.Hunks, want) {
		t.Errorf("hunks %v, want %v", v.Hunks, want)
	}
	if l := v.Lines[v.HunkLine[HunkRef{"index.go", 1}]]; !strings.Contains(l, "hunk 2/2 ☑") {
		t.Errorf("second hunk begins with %q", l)
	}
}

func TestWithoutColorsOnlyThePathIsStyled(t *testing.T) {
	v := Render(sample(), Options{Width: 120, Split: true})
	heads := map[int]bool{len(v.Lines) - 1: true} // the empty file has no hunk
	for _, at := range v.HunkLine {
		heads[at] = true
	}
	for i, l := range v.Lines {
		if !heads[i] && strings.Contains(l, "\x1b") {
			t.Errorf("line %d: %q", i, l)
		}
	}
}

func TestSplitNeedsWidth(t *testing.T) {
	edits := sample()
	for width, split := range map[int]bool{SplitWidth - 1: false, SplitWidth: true} {
		got := Render(edits, Options{Width: width, Split: true})
		unified := Render(edits, Options{Width: width})
		if same := reflect.DeepEqual(got, unified); same == split {
			t.Errorf("width %d: split is %v, want %v", width, !same, split)
		}
	}
}

// TestWrapKeepsText finds all of a long line on its rows.
func TestWrapKeepsText(t *testing.T) {
	text := "var s = \"" + strings.Repeat("日本x語", 60) + "\""
	v := Render([]patch.Edit{{File: "f.go", After: text + "\n", Create: true}}, Options{Width: 41, Wrap: true})
	got := ""
	for i, l := range v.Lines[1:] {
		l = ansi.Strip(l)
		if i == 0 {
			l = strings.TrimPrefix(l, "+  1  ")
		}
		got += strings.TrimSpace(l)
	}
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
		t.Errorf("got %q, want %q", got, text)
	}
}

func TestOddSources(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	edits := []patch.Edit{
		{File: "\x1b[31mevil\n.go", Before: "a\x1b[2Jb\n", After: "a\x1b]0;t\x07c\u202ed\n"},
		{File: "long.go", Before: long + "\n", After: long + "y\n"},
		{File: strings.Repeat("日本/", 40) + "x.go", Before: "a\n", After: "e\u0301\n\u0301\n\u200d\n👩‍👩‍👧\n🇩🇪🇫\n"},
	}
	for width := range 130 {
		for _, o := range []Options{{}, {Split: true}, {Wrap: width > 20}, {Palette: dark}} {
			o.Width = width
			v := Render(edits, o)
			if width == 0 {
				if len(v.Lines) != 0 {
					t.Fatal("lines without width")
				}
				continue
			}
			checkView(t, v, width)
			for _, l := range v.Lines {
				if strings.Contains(ansi.Strip(l), "\x1b") || strings.ContainsAny(l, "\x07\u202e") {
					t.Fatalf("width %d: control characters in %q", width, l)
				}
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add(before, after(), 80, true, false)
	f.Add("a\tb", "日\u0301\r\n", 7, false, true)
	f.Add("👩‍👩‍👧 x\n", "👩‍👩 x\u200d🇩\n", 101, true, true)
	f.Fuzz(func(t *testing.T, before, after string, width int, split, wrap bool) {
		width = 1 + max(width, -width)%200
		if width < 1 {
			width = 1
		}
		edits := []patch.Edit{{File: "f.go", Before: before, After: after}, {File: after, After: before, Create: true}}
		for _, p := range []Palette{{}, dark} {
			v := Render(edits, Options{Width: width, Split: split, Wrap: wrap, Palette: p})
			checkWidths(t, v, width)
		}
	})
}

func checkWidths(t *testing.T, v View, width int) {
	t.Helper()
	for i, l := range v.Lines {
		if w := ansi.StringWidth(l); w != width {
			t.Fatalf("line %d is %d cells wide, want %d: %q", i, w, width, l)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	var cache syntax.Cache
	for b.Loop() {
		Render(sample(), Options{Width: 120, Split: true, Palette: dark, Lines: cache.Lines})
	}
}

func BenchmarkRenderNewFile5000(b *testing.B) {
	edits := []patch.Edit{{File: "new.go", After: strings.Repeat(before, 200), Create: true}}
	for b.Loop() {
		Render(edits, Options{Width: 120, Palette: dark})
	}
}

// Where there is little room, indentation that all lines have is left out, and lines
// break between words.
func TestNarrowDiffs(t *testing.T) {
	before := "func f() {\n\t\t\tx := 0\n\t\t\ta := 1\n\t\t\tb := 2\n\t\t\treturn strings.Repeat(first, second)\n\t\t\tc := 3\n\t\t\td := 4\n\t\t\te := 5\n\t\t\tf := 6\n}\n"
	e := patch.Edit{File: "a.go", Before: before, After: strings.Replace(before, "return", "return 1, 2, 3,", 1)}
	got := ansi.Strip(strings.Join(Render([]patch.Edit{e}, Options{Width: 34, Wrap: true}).Lines, "\n"))
	for _, want := range []string{"   3  a := 1", "−  5  return strings.Repeat(first,", "      second)", "+  5  return 1, 2, 3,"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
}
