package conversation

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

func TestCitations(t *testing.T) {
	known := func(n string) bool { return n == "x" || n == "docs" }
	for in, want := range map[string]string{
		"see [frame 2] and [Frame 12].":              "F2 F12",
		"at [index.go:18], store/a.go:7 (b_x.go:3)":  "Lindex.go:18 Lstore/a.go:7 Lb_x.go:3",
		"lines [a.go:10-20]":                         "La.go:10",
		"[x.terms] and [docs] and [*x]":              "Vx.terms Vdocs V*x",
		"`x.terms` and `docs[0].Name` and `fmt.X()`": "Vx.terms Vdocs[0].Name",
		"**[x]** and [`x.count`]":                    "Vx Vx.count",
		"[docs[2].Name], [x.m[\"k\"]]":               "Vdocs[2].Name Vx.m[\"k\"]",
		"a[x] b.c[0] f()[x]":                         "",
		"[x](https://example.com) [link](index)":     "",
		"[y] [y.z] [sic] [1] [restart] []":           "",
		"[x.f()] [x.m[f()]] [x = nil] [x; y] [!x]":   "",
		"[docs[1<<99999999999]] [docs[x+1].n]":       "Vdocs[x+1].n",
		"[docs[remove(\"a\")]] [func() {}]":          "",
		"`[frame 1]` stays code":                     "",
		"[frame 99999] [a.go:0] [a.txt:3] [.go:1]":   "",
	} {
		var got []string
		for _, s := range spans(in, known) {
			if s.cite == nil {
				continue
			}
			switch c := *s.cite; c.Kind {
			case Frame:
				got = append(got, "F"+text.Count(int64(c.Frame)))
			case Line:
				got = append(got, "L"+c.File+":"+text.Count(int64(c.Line)))
			case Value:
				got = append(got, "V"+c.Expr)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q gives %q, want %q", in, g, want)
		}
	}
}

// However long its words and whatever its markdown, an answer stays within its
// width, and its citations are found where they are drawn.
func TestAnswersStayWithinTheirWidth(t *testing.T) {
	th := theme.New(true, colorprofile.TrueColor)
	for _, in := range []string{
		strings.Repeat("word ", 200), strings.Repeat("unbroken", 60), "日本語" + strings.Repeat("語", 90), "- " + strings.Repeat("item ", 80),
		"# " + strings.Repeat("head ", 40), "> " + strings.Repeat("quote ", 40), "```\n" + strings.Repeat("code ", 80) + "\nnever closed", "~~~~go\n```\nx\n~~~~\nafter [frame 1]",
		"(" + strings.Repeat("[frame 3],", 40) + ")", "[" + strings.Repeat("a/", 80) + "x.go:12]", "**bold `code** [", "\x1b]0;title\x07\x1b[2J[frame 2]\r\nnext", "", "\n\n\n", strings.Repeat("`", 500),
		strings.Repeat("[[", 500) + strings.Repeat("**", 500),
	} {
		for _, w := range []int{8, 20, 72, 104} {
			p := render(th, in, w, 0, func(string) bool { return true })
			for _, l := range p.lines {
				if text.Width(l) > w || strings.ContainsAny(ansi.Strip(l), "\x1b\x07\r\n") {
					t.Errorf("width %d: a line of %d cells: %q", w, text.Width(l), l)
				}
			}
			for i, at := range p.at {
				if at < 0 || at >= len(p.lines) {
					t.Fatalf("width %d: citation %d stands in row %d of %d", w, i, at, len(p.lines))
				}
				if c := p.cites[i]; c.Kind == Frame && !strings.Contains(ansi.Strip(p.lines[at]), "fra") {
					t.Errorf("width %d: citation %d is not in %q", w, i, p.lines[at])
				}
			}
		}
	}
}

// An answer that grows piece by piece looks like one that came at once.
func TestAGrowingAnswerLooksLikeAWholeOne(t *testing.T) {
	th := theme.New(true, colorprofile.TrueColor)
	in := "## Why\n\n[x.terms] is nil:\n- see [index.go:18]\n- **and** [frame 2]\n\n```go\nx := 1\n```\n\nThat is `all`, " + strings.Repeat("and more ", 30) + ".\n\n"
	all := func(string) bool { return true }
	p := newPainter(th, 40, 1, all)
	for n := range len(in) + 1 {
		p.whole(in[:n])
		if got, want := p.rest(in[:n]), render(th, in[:n], 40, 1, all); !reflect.DeepEqual(got, want) {
			t.Fatalf("after %d bytes:\n%v\nwant\n%v", n, got, want)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	th := theme.New(true, colorprofile.TrueColor)
	in := strings.Repeat("the value [x.terms] at [index.go:18] is `nil`, because **nobody** made it in [frame 2].\n\n", 700) // 64 KiB
	for b.Loop() {
		render(th, in, 100, -1, func(string) bool { return true })
	}
}
