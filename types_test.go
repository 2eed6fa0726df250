package pausetui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The limits of CONTRIBUTING.md for a type with one job.
const (
	mostMethods = 60
	mostFields  = 25
)

// records are types with more fields, each with its reason: they hold what
// others write and read, and decide nothing.
var records = map[string]string{
	"debugger.Breakpoint":  "all settings of a breakpoint, as journals keep them",
	"fix.Candidate":        "one object of the JSON of fix",
	"session.State":        "what the events add up to",
	"ui/keymap.Facts":      "what reasons for disabled keys look at",
	"ui/theme.Colors":      "the colors that a configuration names",
	"ui/theme.Theme":       "one style for each thing on the screen",
	"verify/sandbox.order": "what the init is sent, over a pipe",
}

// typeSize is what a package declares for one of its types.
type typeSize struct{ methods, fields int }

// TestTypesHaveOneJob counts what is declared for a type, not what it gets by
// embedding: parts with names, files and tests of their own are the way to split it.
func TestTypesHaveOneJob(t *testing.T) {
	types := declaredTypes(t)
	for name, size := range types {
		if size.methods > mostMethods {
			t.Errorf("%s has %d methods", name, size.methods)
		}
		if _, record := records[name]; size.fields > mostFields && !record {
			t.Errorf("%s has %d fields", name, size.fields)
		}
	}
	for name := range records {
		if size := types[name]; size == nil || size.fields <= mostFields {
			t.Errorf("%s has at most %d fields, or is gone: it needs no exception", name, mostFields)
		}
	}
}

// declaredTypes returns the named types of the program, as "folder.Name".
func declaredTypes(t *testing.T) map[string]*typeSize {
	t.Helper()
	types := map[string]*typeSize{}
	of := func(path, name string) *typeSize {
		key := filepath.ToSlash(filepath.Dir(path)) + "." + name
		if types[key] == nil {
			types[key] = &typeSize{}
		}
		return types[key]
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipsWords(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if name := receiver(decl); name != "" {
					of(path, name).methods++
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						of(path, s.Name.Name).fields = fieldsOf(s.Type)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// receiver names the type that a method is declared for; "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	expr := f.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// fieldsOf counts the fields of a struct type, each name and each embedded type.
func fieldsOf(expr ast.Expr) (n int) {
	s, ok := expr.(*ast.StructType)
	if !ok {
		return 0
	}
	for _, f := range s.Fields.List {
		n += max(1, len(f.Names))
	}
	return n
}
