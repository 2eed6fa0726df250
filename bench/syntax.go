package bench

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/patch"
)

// declarations maps each declaration of the Go files, named as in a stack
// trace without its package, to its text. Where two packages declare the same
// name, the texts are joined.
func declarations(files []txtar.File) (map[string]string, error) {
	found := map[string]string{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		text := func(n ast.Node) string {
			return string(f.Data[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
		}
		for _, d := range parsed.Decls {
			for name, node := range named(d) {
				found[name] += text(node) + "\n"
			}
		}
	}
	return found, nil
}

// Declares is the declaration at a line of the module's file, named as in a stack trace
// without its package; empty where there is none.
func (c *Case) Declares(file string, line int) string {
	i := slices.IndexFunc(c.module, func(f txtar.File) bool { return f.Name == file })
	if i < 0 {
		return ""
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, c.module[i].Data, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range parsed.Decls {
		for name, node := range named(d) {
			if fset.Position(node.Pos()).Line <= line && line <= fset.Position(node.End()).Line {
				return name
			}
		}
	}
	return ""
}

func named(d ast.Decl) map[string]ast.Node {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return map[string]ast.Node{patch.FuncSymbol(d): d}
	case *ast.GenDecl:
		return namedSpecs(d)
	}
	return nil
}

func namedSpecs(d *ast.GenDecl) map[string]ast.Node {
	found := map[string]ast.Node{}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			found[s.Name.Name] = s
		case *ast.ValueSpec:
			for _, n := range s.Names {
				found[n.Name] = s
			}
		}
	}
	return found
}

// hushed returns the files with a recover at the start of the function where
// the case stops: the quietest of all wrong fixes.
func (c *Case) hushed() ([]txtar.File, error) {
	var files []txtar.File
	count := 0
	for _, f := range c.module {
		if strings.HasSuffix(f.Name, ".go") && !strings.HasSuffix(f.Name, "_test.go") {
			data, n, err := hush(f.Name, f.Data, Outermost(c.StopsIn))
			if err != nil {
				return nil, err
			}
			f.Data = data
			count += n
		}
		files = append(files, f)
	}
	if count == 0 {
		return nil, fmt.Errorf("no %s outside the tests", c.StopsIn)
	}
	return files, nil
}

func hush(name string, src []byte, function string) ([]byte, int, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	at, count := 0, 0
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || patch.FuncSymbol(f) != function {
			continue
		}
		brace := fset.Position(f.Body.Lbrace).Offset + 1
		out.Write(src[at:brace])
		out.WriteString(" defer func() { _ = recover() }();")
		at = brace
		count++
	}
	out.Write(src[at:])
	return out.Bytes(), count, nil
}
