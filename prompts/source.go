package prompts

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/evidence"
)

// maxSource bounds a source file that is read, in bytes.
const maxSource = 4 << 20

// sources reads and parses the user's files, each once.
type sources struct {
	c      evidence.Case
	learn  func(text string) // of a whole file: by itself, a part of it may not say what is a secret
	parsed map[string]*source
}

// source is a parsed file.
type source struct {
	file string // absolute
	text string
	fset *token.FileSet
	ast  *ast.File
}

// function is a function declaration as text.
type function struct {
	src   *source
	decl  *ast.FuncDecl
	first int // line of its doc comment, or of the keyword func
	last  int
}

func newSources(c evidence.Case) *sources {
	return &sources{c: c, learn: func(string) {}, parsed: map[string]*source{}}
}

// read reads a file of bounded size: no other than source of the program. What
// names it, as a trace or a debug server, may name any file of this machine.
func (s *sources) read(file string) (string, bool) {
	var dirs map[string]string
	if s.c.Code != nil {
		dirs = s.c.Code.Dirs
	}
	if !s.c.Workspace.Readable(file, dirs) {
		return "", false
	}
	return readFile(file)
}

// readFile reads a file of bounded size.
func readFile(file string) (string, bool) {
	data, err := regular.ReadUpTo(file, maxSource)
	return string(data), err == nil
}

// file returns a parsed file; nil when it cannot be read or parsed at all.
func (s *sources) file(name string) *source {
	if have, ok := s.parsed[name]; ok {
		return have
	}
	s.parsed[name] = nil
	text, ok := s.read(name)
	if !ok {
		return nil
	}
	s.learn(text)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return nil
	}
	s.parsed[name] = &source{name, text, fset, f}
	return s.parsed[name]
}

func (f *source) line(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

// span returns the text from one position to another.
func (f *source) span(from, to token.Pos) string {
	return f.text[f.fset.PositionFor(from, false).Offset:f.fset.PositionFor(to, false).Offset]
}

// lineText returns a line, trimmed.
func (f *source) lineText(n int) string {
	lines := strings.SplitN(f.text, "\n", n+1)
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// funcAt returns the function declaration around a line.
func (s *sources) funcAt(file string, line int) (function, bool) {
	src := s.file(file)
	if src == nil {
		return function{}, false
	}
	for _, d := range src.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && src.line(fn.Pos()) <= line && line <= src.line(fn.End()) {
			return newFunction(src, fn), true
		}
	}
	return function{}, false
}

func newFunction(src *source, d *ast.FuncDecl) function {
	f := function{src, d, src.line(d.Pos()), src.line(d.End())}
	if d.Doc != nil {
		f.first = src.line(d.Doc.Pos())
	}
	return f
}

// text returns the function with its doc comment.
func (f function) text() string {
	from := f.decl.Pos()
	if f.decl.Doc != nil {
		from = f.decl.Doc.Pos()
	}
	return strings.ReplaceAll(f.src.span(from, f.decl.End()), "\r\n", "\n")
}

// packageFiles lists the Go files that are built together with file, sorted.
// Test files belong to it only when file is one.
func (s *sources) packageFiles(file string) []string {
	test := strings.HasSuffix(file, "_test.go")
	var names []string
	for _, name := range s.dirFiles(filepath.Dir(file)) {
		if test || !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	return names
}

// dirFiles lists the Go files of a directory that the build takes: as the
// loaded packages say, or else by build constraints.
func (s *sources) dirFiles(dir string) []string {
	var names []string
	if s.c.Code != nil {
		for _, p := range s.c.Code.Packages {
			for _, name := range p.GoFiles {
				if filepath.Dir(name) == dir && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) == 0 {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil
		}
		for _, e := range entries {
			if ok, err := build.Default.MatchFile(dir, e.Name()); err == nil && ok && strings.HasSuffix(e.Name(), ".go") {
				names = append(names, filepath.Join(dir, e.Name()))
			}
		}
	}
	slices.Sort(names)
	return names
}

// typeSpec is the declaration of a type as text.
type typeSpec struct {
	src  *source
	spec *ast.TypeSpec
	text string
}

// types lists the types declared at the top level of a file's package, by name.
func (s *sources) types(file string) map[string]typeSpec {
	found := map[string]typeSpec{}
	for _, name := range s.packageFiles(file) {
		src := s.file(name)
		if src == nil {
			continue
		}
		for _, d := range src.ast.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				t := spec.(*ast.TypeSpec)
				found[t.Name.Name] = typeSpec{src, t, typeText(src, gen, t)}
			}
		}
	}
	return found
}

func typeText(src *source, gen *ast.GenDecl, t *ast.TypeSpec) string {
	doc := t.Doc
	if !gen.Lparen.IsValid() {
		doc = gen.Doc
	}
	text := "type " + src.span(t.Pos(), t.End())
	if doc != nil {
		text = src.span(doc.Pos(), doc.End()) + "\n" + text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// names collects the identifiers in a node.
func names(n ast.Node) map[string]bool {
	set := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			set[id.Name] = true
		}
		return true
	})
	return set
}
