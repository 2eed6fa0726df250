package syntax

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
)

const letters = "·ksnctfbo" // one for each kind, in order

// show writes the kinds below the text: each span as kind:text.
func show(line []Span) string {
	var out []string
	for _, s := range line {
		out = append(out, string([]rune(letters)[s.Kind])+":"+s.Text)
	}
	return strings.Join(out, "|")
}

func TestLines(t *testing.T) {
	source := "package p // why\n\nfunc (x *Index) Add(n int) error {\n\tx.s = `a\n\tb`\n\tv := []Doc{{1.5, 'c'}}\n" +
		"/* one\ntwo */ return nil\n\tmake(x.len, a*b)\n}\ntype T struct{}"
	want := []string{
		"k:package|·: p |c:// why",
		"",
		"k:func|·: (x |o:*|t:Index|·:) |f:Add|·:(n |t:int|·:) |t:error|·: {",
		"·:    x.s |o:=|·: |s:`a",
		"s:    b`",
		"·:    v |o::=|·: []|t:Doc|·:{{|n:1.5|·:, |s:'c'|·:}}",
		"c:/* one",
		"c:two */|·: |k:return|·: |b:nil",
		"·:    |b:make|·:(x.len, a|o:*|·:b)",
		"·:}",
		"k:type|·: |t:T|·: |k:struct|·:{}",
	}
	lines := Lines(source)
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	for i := range want {
		if got := show(lines[i]); got != want[i] {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, got, want[i])
		}
	}
}

func TestLinesCount(t *testing.T) {
	for source, want := range map[string]int{"": 0, "\n": 1, "a": 1, "a\n": 1, "a\n\n": 2, "a\nb": 2, "`\n\n": 2, "\r\n\r": 2} {
		if got := len(Lines(source)); got != want {
			t.Errorf("%q: %d lines, want %d", source, got, want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		line, want string
		at, wantAt []int
	}{
		{"plain", "plain", []int{0, 2, 9}, []int{0, 2, 5}},
		{"\tx", "    x", []int{0, 1, 2}, []int{0, 4, 5}},
		{"ab\tx", "ab  x", []int{2, 3}, []int{2, 4}},
		{"日\tx", "日  x", []int{0, 3, 4}, []int{0, 3, 5}},
		{"abcd\tx", "abcd    x", nil, nil},
		{"a\x1b[31mb\r\x00\u0085", "a‹U+001B›[31mb‹U+000D›‹U+0000›‹U+0085›", []int{1, 2, 6}, []int{1, 13, 17}},
		{"a\u202eb\u2066c\r", "a‹U+202E›b‹U+2066›c", nil, nil},
		{"a\u200bb\U000E0041c", "a‹U+200B›b‹U+E0041›c", nil, nil},
		{"👩🏽‍🚀 é", "👩🚀 é", nil, nil}, // emoji apart, as every terminal counts them
		{"x\xffy", "x\ufffdy", []int{1, 2}, []int{1, 4}},
		{"e\u0301x", "e\u0301x", []int{1, 3}, []int{0, 3}}, // within a grapheme
	} {
		got, at := Expand(c.line, c.at...)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
		if len(c.at) > 0 && !reflect.DeepEqual(at, c.wantAt) {
			t.Errorf("%q: offsets %v, want %v", c.line, at, c.wantAt)
		}
	}
}

func TestLongLinesAreBounded(t *testing.T) {
	lines := Lines("x := 1\n\"" + strings.Repeat("é", 1<<20) + "\"\nvar y int\n")
	if n := len(Text(lines[1])); n > maxLine+10 || n < maxLine {
		t.Errorf("the long line keeps %d bytes, want about %d", n, maxLine)
	}
	if got := show(lines[2]); got != "k:var|·: y |t:int" {
		t.Errorf("the line after it: %s", got)
	}
	big := strings.Repeat("var x int\n", maxSource/10+2)
	if got := show(Lines(big)[0]); got != "·:var x int" {
		t.Errorf("a huge file: %s, want it plain", got)
	}
}

func TestCut(t *testing.T) {
	line := Lines("return \"日本語\" // e\u0301nd")[0]
	for _, c := range []struct {
		from, width int
		want        string
	}{
		{0, 6, "k:return"},
		{3, 5, "k:urn|·: |s:\""},
		{7, 4, "s:\"日 "},
		{9, 3, "s: 本"},
		{9, 4, "s: 本 "},
		{8, 2, "s:日"},
		{15, 6, "·: |c:// e\u0301n"},
		{-4, 2, "k:re"},
		{100, 5, ""},
		{0, 0, ""},
		{0, -1, ""},
	} {
		if got := show(Cut(line, c.from, c.width)); got != c.want {
			t.Errorf("Cut(%d, %d) = %s, want %s", c.from, c.width, got, c.want)
		}
	}
}

func TestPaint(t *testing.T) {
	line := Lines("return 1")[0]
	if got := Paint(line, Palette{}, nil); got != "return 1" {
		t.Errorf("without colors: %q", got)
	}
	p := Palette{Keyword: color.RGBA{1, 2, 3, 255}}
	got := Paint(line, p, ansi.Style{}.BackgroundColor(color.RGBA{9, 9, 9, 255}))
	want := "\x1b[48;2;9;9;9;38;2;1;2;3mreturn\x1b[m\x1b[48;2;9;9;9m \x1b[m\x1b[48;2;9;9;9m1\x1b[m"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = Paint([]Span{{"e\u0301 x", 200}}, p, ansi.Style{}.Underline(true))
	if want := "\x1b[4me\u0301 x\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStandardLibrary checks on real code that spans tell the whole source.
func TestStandardLibrary(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", "go", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Skip("no Go sources here")
	}
	for _, file := range files[:min(len(files), 60)] {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, string(source))
	}
}

// checkLines checks what holds for the lines of any source.
func checkLines(t *testing.T, source string) {
	t.Helper()
	lines := Lines(source)
	texts := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	if source == "" {
		texts = nil
	}
	if len(lines) != len(texts) {
		t.Fatalf("%d lines, want %d", len(lines), len(texts))
	}
	for i, l := range lines {
		want, _ := Expand(texts[i])
		got := Text(l)
		if got != want {
			t.Fatalf("line %d: %q, want %q", i+1, got, want)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r == '\t' }) || len(patch.HiddenIn("", got)) > 0 {
			t.Fatalf("line %d: %q holds control characters", i+1, got)
		}
		if w := ansi.StringWidth(got); Width(l) != w {
			t.Fatalf("line %d: %q: spans are %d cells wide, the line %d", i+1, got, Width(l), w)
		}
		for _, from := range []int{0, 1, 7} {
			if w := Width(Cut(l, from, 5)); w > 5 || w < min(5, Width(l)-from) {
				t.Fatalf("line %d: %q: Cut(%d, 5) is %d cells wide", i+1, got, from, w)
			}
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("package p\n\tx := `a\nb`\r\n// 日本 \x1b[0m\n")
	f.Add("\"e\u0301\u200d😀\n'\n/* \u202e")
	f.Add("👩‍👩‍👧 🇩🇪🇫 x\u200dy")
	f.Fuzz(checkLines)
}

func TestCache(t *testing.T) {
	var c Cache
	for round := range 2 {
		for i := range cached + 3 {
			source := fmt.Sprintf("var x%d int\n", i)
			if got := c.Lines(source); !reflect.DeepEqual(got, Lines(source)) {
				t.Fatalf("round %d: %v", round, got)
			}
		}
	}
	if len(c.entries) != cached {
		t.Errorf("%d entries, want %d", len(c.entries), cached)
	}
	a, b := c.Lines("var y int\n"), c.Lines("var y int\n")
	if &a[0] != &b[0] {
		t.Error("the same source was cut twice")
	}
}

func BenchmarkLines5000(b *testing.B) {
	source, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "net", "http", "server.go"))
	if err != nil {
		b.Skip(err)
	}
	text := strings.Join(strings.SplitAfter(strings.Repeat(string(source), 2), "\n")[:5000], "")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Lines(text)
	}
}
