package patch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

// FuzzSplice holds that bytes outside the declarations that the splice names,
// and outside imports, never change, whatever file and reply are.
func FuzzSplice(f *testing.F) {
	replies := []string{
		fenced("func NewIndex() *Index {\n\treturn fresh()\n}\n\nfunc fresh() *Index { return &Index{map[string]int{}} }"),
		fenced("type Index struct{ terms map[string]int }\n\nvar x = strings.ToUpper(\"a\")"),
		fenced("const (\n\tsmall = iota\n\tlarge\n\thuge\n)"),
		fenced("package index\n\nimport \"os\"\n\n// doc\nfunc (x Index) String() string { return os.Args[0] }"),
		fenced("func f() int { return 2 }\nvar limit, step = 1, 2"),
	}
	sources := []string{
		indexGo,
		strings.ReplaceAll(indexGo, "\n", "\r\n"),
		"\ufeffpackage a;func f( ) int {return 1}; /* doc of g */ func g() {} // tail",
		"package a\n\ntype (\n\t// Index is.\n\tIndex int // i\n\tB int\n)\n\nfunc f() int { return 1 } /* a\nb */",
	}
	for _, s := range sources {
		for _, r := range replies {
			f.Add(s, r)
		}
	}
	f.Fuzz(func(t *testing.T, src, reply string) {
		got, err := patch.Splice([]byte(src), "f.go", reply)
		if err != nil {
			return
		}
		named := map[string]bool{}
		for _, id := range slices.Concat(got.Replaced, got.Added) {
			for n := range strings.SplitSeq(strings.TrimPrefix(id, "f.go: "), ",") {
				named[n] = true
			}
		}
		for _, e := range got.Edits {
			checkEnds(t, e)
			before, after := remainder(t, e.Before, named), remainder(t, e.After, named)
			if before != after {
				t.Fatalf("changed elsewhere; named %v\nbefore %q\nafter  %q\nreply %q\nfull %q", named, before, after, reply, e.After)
			}
		}
	})
}

// checkEnds wants a file whose lines all end alike to stay so.
func checkEnds(t *testing.T, e patch.Edit) {
	t.Helper()
	crlf, all := strings.Count(e.Before, "\r\n"), strings.Count(e.Before, "\n")
	now, allNow := strings.Count(e.After, "\r\n"), strings.Count(e.After, "\n")
	if crlf == 0 && now > 0 || crlf == all && all > 0 && now != allNow {
		t.Fatalf("line ends: %q became %q", e.Before, e.After)
	}
	if strings.HasPrefix(e.Before, "\ufeff") != strings.HasPrefix(e.After, "\ufeff") {
		t.Fatalf("byte order mark: %q became %q", e.Before, e.After)
	}
}

var seams = regexp.MustCompile(`[\s;|]+`)

// remainder returns a file without imports, the named declarations and their
// doc comments, white space folded; then every other declaration as it is.
func remainder(t *testing.T, src string, named map[string]bool) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "f.go", src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	var out strings.Builder
	var exact []string
	at := 0
	drop := func(from, to token.Pos) {
		if start := offset(from); start >= at {
			out.WriteString(strings.Trim(src[at:start], "\r\n\t ;") + "|")
		}
		at = max(at, offset(to))
	}
	for _, d := range f.Decls {
		start := d.Pos()
		before := at
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil && named[patch.FuncKey(d)] {
				start = d.Doc.Pos()
			}
			if named[patch.FuncKey(d)] {
				drop(start, d.End())
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT || namesAny(d, named) {
				drop(start, d.End())
			}
		}
		if before == at {
			exact = append(exact, src[offset(d.Pos()):offset(d.End())])
		}
	}
	out.WriteString(strings.Trim(src[at:], "\r\n\t ;"))
	return strings.TrimSpace(seams.ReplaceAllString(out.String(), " ")) + "\n" + strings.Join(exact, "\n")
}

func namesAny(d *ast.GenDecl, named map[string]bool) bool {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if named[s.Name.Name] {
				return true
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if named[n.Name] || n.Name == "_" && named["_"] {
					return true
				}
			}
		}
	}
	return false
}
