package patch_test

import (
	"errors"
	"go/format"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

const indexGo = `// Package index counts.
package index

import (
	"fmt"
)

// Index counts words.
type Index struct {
	terms map[string]int // by word
}

// NewIndex returns an empty index.
//
//go:noinline
func NewIndex() *Index {
	return &Index{}
} // end of NewIndex

// Add counts a word.
func (x *Index) Add(word string) {
	// ... see the paper
	x.terms[word]++
}

func (x Index) String() string { return fmt.Sprint(len(x.terms)) }

const (
	small = iota
	large
)

var limit, step = 10, 1
`

func fenced(code string) string { return "The map is nil.\n\n```go\n" + code + "\n```\n" }

func TestSplice(t *testing.T) {
	cases := []struct {
		name, src, reply string
		old, new         string // what is replaced by what; nothing else changes
		warning          string
	}{
		{name: "function keeps its doc comment and directive", src: indexGo,
			reply: fenced("func NewIndex() *Index {\n\treturn &Index{terms: map[string]int{}}\n}"),
			old:   "return &Index{}", new: "return &Index{terms: map[string]int{}}"},
		{name: "method by receiver", src: indexGo,
			reply: fenced("func (ix *Index) Add(word string) {\n\t// ... see the paper\n\tif ix.terms == nil {\n\t\tix.terms = map[string]int{}\n\t}\n\tix.terms[word]++\n}"),
			old:   "func (x *Index) Add(word string) {\n\t// ... see the paper\n\tx.terms[word]++\n}",
			new:   "func (ix *Index) Add(word string) {\n\t// ... see the paper\n\tif ix.terms == nil {\n\t\tix.terms = map[string]int{}\n\t}\n\tix.terms[word]++\n}"},
		{name: "new doc keeps directives", src: indexGo,
			reply: fenced("// NewIndex makes an index.\nfunc NewIndex() *Index {\n\treturn &Index{map[string]int{}}\n}"),
			old:   "// NewIndex returns an empty index.\n//\n//go:noinline\nfunc NewIndex() *Index {\n\treturn &Index{}\n}",
			new:   "// NewIndex makes an index.\n//go:noinline\nfunc NewIndex() *Index {\n\treturn &Index{map[string]int{}}\n}"},
		{name: "whole file", src: indexGo,
			reply: fenced(strings.Replace(indexGo, "x.terms[word]++", "x.terms[word] += step", 1)),
			old:   "x.terms[word]++", new: "x.terms[word] += step"},
		{name: "a helper goes after the function and its trailing comment", src: indexGo,
			reply: fenced("func NewIndex() *Index {\n\treturn fresh()\n}\n\nfunc fresh() *Index { return &Index{map[string]int{}} }"),
			old:   "return &Index{}\n} // end of NewIndex",
			new:   "return fresh()\n} // end of NewIndex\n\nfunc fresh() *Index { return &Index{map[string]int{}} }"},
		{name: "type", src: indexGo,
			reply: fenced("type Index struct {\n\tterms map[string]int\n\tn     int\n}"),
			old:   "type Index struct {\n\tterms map[string]int // by word\n}",
			new:   "type Index struct {\n\tterms map[string]int\n\tn     int\n}"},
		{name: "const group", src: indexGo,
			reply: fenced("const (\n\tsmall = iota + 1\n\tlarge\n)"),
			old:   "small = iota", new: "small = iota + 1"},
		{name: "signature", src: indexGo,
			reply: fenced("func (x *Index) Add(word string) error {\n\treturn nil\n}"),
			old:   "Add(word string) {\n\t// ... see the paper\n\tx.terms[word]++\n}",
			new:   "Add(word string) error {\n\treturn nil\n}", warning: "changes the signature of Index.Add"},
		{name: "receiver", src: indexGo,
			reply: fenced("func (x *Index) String() string { return fmt.Sprint(len(x.terms)) }"),
			old:   "func (x Index) String()", new: "func (x *Index) String()", warning: "changes the signature of Index.String"},
		{name: "a sentinel error and a type", src: indexGo,
			reply: fenced("func NewIndex() *Index {\n\treturn nil\n}\n\n// errFull says so.\nvar errFull error\n\ntype full struct{}"),
			old:   "return &Index{}\n} // end of NewIndex", new: "return nil\n} // end of NewIndex\n\n// errFull says so.\nvar errFull error\n\ntype full struct{}"},
		{name: "a new method alone goes after its type", src: "package a\n\ntype T struct{}\n\nfunc f() {}\n",
			reply: fenced("func (t T) Error() string { return \"\" }"),
			old:   "type T struct{}\n", new: "type T struct{}\n\nfunc (t T) Error() string { return \"\" }\n"},
		{name: "adds an import", src: indexGo,
			reply: fenced("func (x *Index) Add(word string) {\n\tx.terms[strings.ToLower(word)]++\n}"),
			old:   "\t\"fmt\"\n)", new: "\t\"fmt\"\n\t\"strings\"\n)"},
		{name: "removes an import", src: indexGo,
			reply: fenced("func (x Index) String() string { return \"index\" }"),
			old:   "import (\n\t\"fmt\"\n)\n\n", new: ""},
		{name: "unformatted reply", src: indexGo,
			reply: fenced("func NewIndex() *Index {\n  return &Index{terms:map[string]int{}}\n}"),
			old:   "return &Index{}", new: "return &Index{terms: map[string]int{}}"},
		{name: "words between declarations leave nothing out", src: indexGo,
			reply: fenced("package index\n\n// ... existing code ...\n\nfunc NewIndex() *Index {\n\treturn nil\n}\n\n// rest of the file unchanged"),
			old:   "return &Index{}", new: "return nil"},
		{name: "old code shown first", src: indexGo,
			reply: "Was:\n```go\nfunc NewIndex() *Index {\n\treturn &Index{}\n}\n```\nNow:\n" + fenced("func NewIndex() *Index {\n\treturn nil\n}"),
			old:   "return &Index{}", new: "return nil"},
		{name: "a snippet next to it", src: indexGo,
			reply: "Here:\n```go\nx.terms[word]++\n```\n" + fenced("func NewIndex() *Index {\n\treturn nil\n}"),
			old:   "return &Index{}", new: "return nil"},
		{name: "no language, not closed", src: indexGo,
			reply: "```\nfunc NewIndex() *Index {\n\treturn nil\n}", old: "return &Index{}", new: "return nil"},
		{name: "only the code", src: indexGo,
			reply: "func NewIndex() *Index {\n\treturn nil\n}", old: "return &Index{}", new: "return nil"},
		{name: "final newline missing", src: "package a\n\nfunc f() int { return 1 }",
			reply: fenced("func f() int { return g() }\n\nfunc g() int { return 2 }"),
			old:   "return 1 }", new: "return g() }\n\nfunc g() int { return 2 }"},
		{name: "byte order mark", src: "\ufeffpackage a\n\nfunc f() int { return 1 }\n",
			reply: fenced("func f() int { return 2 }"), old: "return 1", new: "return 2"},
		{name: "generic receiver", src: "package a\n\ntype S[T any] struct{ v []T }\n\nfunc (s *S[T]) Pop() T { return s.v[0] }\n",
			reply: fenced("func (s *S[E]) Pop() E { return s.v[len(s.v)-1] }"),
			old:   "func (s *S[T]) Pop() T { return s.v[0] }", new: "func (s *S[E]) Pop() E { return s.v[len(s.v)-1] }",
			warning: "changes the signature"},
		{name: "unformatted file stays so", src: "package a\nfunc f( ) int {return 1}\nfunc g( ) {}\n",
			reply: fenced("func f( ) int {return 2}"), old: "return 1", new: "return 2"},
		{name: "spec in a group", src: "package a\n\ntype (\n\tA struct{ n int }\n\tB int\n)\n",
			reply: fenced("type A struct {\n\tn int64\n}"),
			old:   "A struct{ n int }", new: "A struct {\n\t\tn int64\n\t}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				src := strings.ReplaceAll(c.src, "\n", eol)
				want := strings.ReplaceAll(strings.Replace(c.src, c.old, c.new, 1), "\n", eol)
				if c.name == "adds an import" {
					want = strings.Replace(want, "x.terms[word]++", "x.terms[strings.ToLower(word)]++", 1)
					want = strings.Replace(want, "\t// ... see the paper"+eol, "", 1)
				}
				if c.name == "removes an import" {
					want = strings.Replace(want, "fmt.Sprint(len(x.terms))", `"index"`, 1)
				}
				got, err := patch.Splice([]byte(src), "index.go", c.reply)
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Edits) != 1 || got.Edits[0].After != want || got.Edits[0].Before != src {
					t.Fatalf("eol %q\ngot:\n%q\nwant:\n%q", eol, got.Edits[0].After, want)
				}
				if joined := strings.Join(got.Warnings, "\n"); !strings.Contains(joined, c.warning) || (c.warning == "") != (joined == "") {
					t.Errorf("warnings %q, want %q", joined, c.warning)
				}
			}
		})
	}
}

func TestSpliceRefuses(t *testing.T) {
	cases := []struct {
		name, reply string
		err         error
		line        int
		text        string
	}{
		{"prose", "You should make the map first. I hope this helps!", patch.ErrNoCode, 0, ""},
		{"empty", "", patch.ErrNoCode, 0, ""},
		{"other language", "```python\nprint(1)\n```", patch.ErrNoCode, 0, ""},
		{"only statements", fenced("x := 1\nprintln(x)"), patch.ErrSyntax, 1, "expected declaration"},
		{"does not parse", fenced("func NewIndex() *Index {\n\treturn &Index{\n}"), patch.ErrSyntax, 3, ""},
		{"elided", fenced("func (x *Index) Add(word string) {\n\tif x == nil {\n\t\treturn\n\t}\n\t// rest of function unchanged\n}"), patch.ErrElided, 5, "rest of function unchanged"},
		{"existing code", fenced("func (x *Index) Add(word string) {\n\t// ... existing code ...\n}"), patch.ErrElided, 2, "existing code"},
		{"existing code, plain", fenced("func (x *Index) Add(word string) {\n\t/* existing code here */\n}"), patch.ErrElided, 2, ""},
		{"dots", fenced("func (x *Index) Add(word string) {\n\t...\n}"), patch.ErrElided, 2, "..."},
		{"unknown function", fenced("func Other() {}"), patch.ErrUnknownDecl, 0, "Other"},
		{"method of another type", fenced("func (o *Other) Add(word string) {}"), patch.ErrUnknownDecl, 0, "Other.Add"},
		{"no change", fenced("func NewIndex() *Index {\n\n\treturn &Index{} // same\n}"), patch.ErrNoChange, 0, ""},
		{"diff", "```diff\n--- a/index.go\n+++ b/index.go\n@@ -1,2 +1,2 @@\n-a\n+b\n```", patch.ErrDiff, 0, ""},
		{"diff in a go fence", fenced("--- a/index.go\n+++ b/index.go\n@@ -1,2 +1,2 @@\n-a\n+b"), patch.ErrDiff, 0, ""},
		{"bare diff", "--- a/index.go\n+++ b/index.go\n@@ -1,2 +1,2 @@\n-a\n+b\n", patch.ErrDiff, 0, ""},
		{"too long", fenced("func NewIndex() {}\n" + strings.Repeat("// x\n", 300_000)), patch.ErrTooLong, 0, ""},
		{"part of a const group", fenced("const small = 7"), patch.ErrPartial, 0, "const group"},
		{"less of a const group", fenced("const (\n\tsmall = iota + 1\n)"), patch.ErrPartial, 0, "large"},
		{"one of two variables", fenced("var limit = 3"), patch.ErrPartial, 0, "limit,step"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := patch.Splice([]byte(indexGo), "index.go", c.reply)
			var reply *patch.ReplyError
			if !errors.Is(err, c.err) || !errors.As(err, &reply) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if reply.Line != c.line || !strings.Contains(reply.Text, c.text) {
				t.Errorf("line %d text %q, want line %d text %q", reply.Line, reply.Text, c.line, c.text)
			}
		})
	}
}

func TestSpliceAllFiles(t *testing.T) {
	files := map[string]string{
		"a/a.go":      "package a\n\nfunc F() int { return G() }\n",
		"a/g.go":      "package a\n\nfunc G() int { return 1 }\n\nfunc clamp() {}\n",
		"a/a_test.go": "package a_test\n\nfunc F() {}\n",
		"b/b.go":      "package b\n\nfunc H() int { return 1 }\n\nfunc small() int { return 3 }\n",
	}
	s := patch.Splicer{Prefer: "a/a.go"}
	got, err := s.Splice(files, fenced("func F() int { return G() + small() }\n\nfunc small() int { return 2 }")+fenced("func G() int { return 5 }")+fenced("func H() int { return 6 }"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a/a.go": "package a\n\nfunc F() int { return G() + small() }\n\nfunc small() int { return 2 }\n",
		"a/g.go": "package a\n\nfunc G() int { return 5 }\n\nfunc clamp() {}\n",
		"b/b.go": "package b\n\nfunc H() int { return 6 }\n\nfunc small() int { return 3 }\n",
	}
	if len(got.Edits) != len(want) {
		t.Fatalf("edits %v", got.Edits)
	}
	for _, e := range got.Edits {
		if e.After != want[e.File] {
			t.Errorf("%s:\n%s", e.File, e.After)
		}
	}
	if _, err := (patch.Splicer{}).Splice(files, fenced("func F() int { return 0 }")); !errors.Is(err, patch.ErrAmbiguous) {
		t.Errorf("two functions F: %v", err)
	}
	if _, err := (patch.Splicer{}).Splice(files, fenced("package a_test\n\nfunc F() { println() }")); err != nil {
		t.Errorf("the package clause chooses: %v", err)
	}
	files = map[string]string{"a/filename.go": "package a\n\nfunc F() {}\n", "b/name.go": "package b\n\nfunc F() {}\n"}
	if got, err := (patch.Splicer{}).Splice(files, fenced("// filename.go\nfunc F() { println() }")); err != nil || len(got.Edits) != 1 || got.Edits[0].File != "a/filename.go" {
		t.Errorf("the comment that names the file chooses: %+v, %v", got.Edits, err)
	}
}

func TestReplyText(t *testing.T) {
	cases := []struct{ reply, title, explanation string }{
		{"**Diagnosis:** x.terms should be a map; NewIndex never makes it. See index.go:18 too.\n\n```go\nfunc f() {}\n```\nafter", "x.terms should be a map; NewIndex never makes it", "x.terms should be a map; NewIndex never makes it. See index.go:18 too."},
		{"## Fix\n\nThe map\nis nil.\n\nMore.\n```go\n```", "The map is nil", "The map is nil.\n\nMore."},
		{"```go\nfunc f() {}\n```\nMakes the map.", "Makes the map", "Makes the map."},
		{"\x1b[31mRed\x1b[0m \x1b]0;title\x07words\x07 \u202eend", "Red words end", "Red words end"},
		{"", "", ""},
	}
	for _, c := range cases {
		title, explanation := patch.ReplyText(c.reply)
		if title != c.title || explanation != c.explanation {
			t.Errorf("%q:\n got %q / %q", c.reply, title, explanation)
		}
	}
	title, explanation := patch.ReplyText(strings.Repeat("word ", 10_000))
	if len([]rune(title)) > 100 || len([]rune(explanation)) > 2000 {
		t.Errorf("not bounded: %d, %d", len(title), len(explanation))
	}
}

// gofmt keeps the test's own sources honest.
func TestSourcesAreFormatted(t *testing.T) {
	if out, err := format.Source([]byte(indexGo)); err != nil || string(out) != indexGo {
		t.Fatalf("%v\n%s", err, out)
	}
}
