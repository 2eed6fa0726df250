package regress

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/literal"
)

// testFile is the file that a test goes to.
type testFile struct {
	dir        string // absolute
	rel        string // relative to the workspace's root
	before     string // its text; empty when it is new
	fresh      bool
	crlf       bool   // lines end with carriage returns
	pkg        string // of the package clause
	constraint string // the //go:build line of a new file
	imports    *literal.Imports
	fn         workspace.Func // the function tested
	base       *patch.Edit    // that is gone on with; nil without one
}

func position(fn workspace.Func) token.Position {
	return fn.Package.Fset.Position(fn.Decl.Pos())
}

// fileFor finds the file for the test of a function: the one that belongs to
// its source file, if the test may go there.
func (m *maker) fileFor(fn workspace.Func) (*testFile, error) {
	source := position(fn).Filename
	text, err := regular.Read(source)
	if err != nil {
		return nil, fmt.Errorf("its source cannot be read: %w", err)
	}
	if strings.HasSuffix(source, "_test.go") {
		return m.file(fn, source, buildLine(text))
	}
	base := strings.TrimSuffix(source, ".go")
	for _, name := range []string{base + "_test.go", base + "_regression_test.go"} {
		f, err := m.file(fn, name, buildLine(text))
		if err == nil || !errors.Is(err, errUnfit) {
			return f, err
		}
	}
	return nil, fmt.Errorf("both %s_test.go and %[1]s_regression_test.go are taken", filepath.Base(base))
}

// errUnfit tells that a file exists to which the test cannot be added.
var errUnfit = errors.New("the test does not fit into the file")

func (m *maker) file(fn workspace.Func, path, constraint string) (*testFile, error) {
	f := &testFile{dir: filepath.Dir(path), rel: m.c.Workspace.Rel(path), pkg: fn.Package.Name, constraint: constraint, fn: fn}
	warning, err := m.c.Workspace.Editable(f.rel)
	if err != nil {
		return nil, fmt.Errorf("a test may not be written: %w", err)
	}
	text, err := regular.Read(path)
	if m.beside != nil && m.beside.Edit.File == f.rel {
		f.base = &m.beside.Edit
		text, err = []byte(f.base.After), nil
	}
	var specs []*ast.ImportSpec
	switch {
	case os.IsNotExist(err):
		f.fresh = true
		source, _ := regular.Read(position(fn).Filename)
		f.crlf = endsCRLF(string(source))
	case err != nil:
		return nil, fmt.Errorf("a test cannot be added: %w", err)
	default:
		syntax, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || syntax.Name.Name != f.pkg || warning != "" || buildLine(text) != constraint {
			return nil, errUnfit
		}
		f.before, specs = string(text), syntax.Imports
		f.crlf = endsCRLF(f.before)
	}
	f.imports = literal.NewImports(fn.Package.PkgPath, specs, slices.Values(fn.Package.Types.Scope().Names()))
	f.imports.Language = language(fn)
	return f, nil
}

// language is the version of the language that a function's module is compiled as.
func language(fn workspace.Func) string {
	switch m := fn.Package.Module; {
	case m == nil:
		return ""
	case m.GoVersion == "":
		return "go1.16" // what the go command takes where go.mod says nothing
	default:
		return version.Lang("go" + m.GoVersion)
	}
}

// buildLine returns the //go:build line of a file; empty without one.
func buildLine(text []byte) string {
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if constraint.IsGoBuild(line) {
			return line
		}
	}
	return ""
}

// endsCRLF reports whether most lines of a text end with carriage returns.
func endsCRLF(text string) bool {
	return 2*strings.Count(text, "\r\n") > strings.Count(text, "\n")
}

// edit adds the test function to the file, whose lines end as those around it;
// a new file's end as those of the file it tests.
func (f *testFile) edit(function string) (patch.Edit, error) {
	e := patch.Edit{File: f.rel, Before: f.before, Create: f.fresh}
	if f.base != nil {
		e.Before, e.Create = f.base.Before, f.base.Create
	}
	if f.fresh {
		text, err := f.whole(function)
		if f.crlf {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		e.After = text
		return e, err
	}
	var add []patch.Import
	for _, i := range f.imports.Added {
		add = append(add, patch.Import{Name: i.Name, Path: i.Path})
	}
	text, err := patch.AddImports(f.rel, f.before, add)
	if err != nil {
		return e, err
	}
	newline := "\n"
	if f.crlf {
		newline = "\r\n"
		function = strings.ReplaceAll(function, "\n", newline)
	}
	if !strings.HasSuffix(text, "\n") {
		text += newline
	}
	e.After = text + newline + function
	return e, nil
}

// whole is the text of a new file.
func (f *testFile) whole(function string) (string, error) {
	var b strings.Builder
	if f.constraint != "" {
		b.WriteString(f.constraint + "\n\n")
	}
	b.WriteString("package " + f.pkg + "\n\n")
	b.WriteString(importBlock(f.imports.Added))
	b.WriteString("\n" + function)
	out, err := format.Source([]byte(b.String()))
	return string(out), err
}

// importBlock writes imports as goimports groups them.
func importBlock(list []literal.Import) string {
	if len(list) == 1 && list[0].Name == "" {
		return fmt.Sprintf("import %q\n", list[0].Path)
	}
	var std, other []string
	for _, i := range list {
		line := strings.TrimSpace(fmt.Sprintf("%s %q", i.Name, i.Path))
		if first, _, _ := strings.Cut(i.Path, "/"); strings.Contains(first, ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	text := strings.Join(std, "\n")
	if len(std) > 0 && len(other) > 0 {
		text += "\n\n"
	}
	return "import (\n" + text + strings.Join(other, "\n") + "\n)\n"
}
