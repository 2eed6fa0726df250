// Package syntax holds parsed Go files together with their texts. It must not know what
// they are looked at for.
package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/patch"
)

// File is a parsed Go file with its text.
type File struct {
	Text string
	Set  *token.FileSet
	AST  *ast.File // without comments
}

// Parse returns nil for a text that does not parse.
func Parse(text string) *File {
	f := &File{Text: text, Set: token.NewFileSet()}
	var err error
	if f.AST, err = parser.ParseFile(f.Set, "", text, parser.SkipObjectResolution); err != nil {
		return nil
	}
	return f
}

// Code returns a node's text with its white space folded.
func (f *File) Code(n ast.Node) string { return f.Between(n.Pos(), n.End()) }

// Between returns the text between two positions with its white space folded.
func (f *File) Between(from, to token.Pos) string {
	return Fold(f.Text[f.Offset(from):f.Offset(to)])
}

// Plain is a node as gofmt writes it, without comments: two that differ only in how they are
// laid out have the same text.
func (f *File) Plain(n ast.Node) string {
	text, err := patch.FormatNode(f.Set, n)
	if err != nil {
		return f.Code(n)
	}
	return string(text)
}

// Fold makes each run of white space in a text one space, and none at its ends.
func Fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// Offset is the number of bytes before a position.
func (f *File) Offset(p token.Pos) int { return f.Set.PositionFor(p, false).Offset }

// Line is the line of a position in the text, whatever line directives say.
func (f *File) Line(p token.Pos) int { return f.Set.PositionFor(p, false).Line }

// Spans reports whether a node has a part on the line.
func (f *File) Spans(n ast.Node, line int) bool {
	return f.Line(n.Pos()) <= line && line <= f.Line(n.End())
}

// Declared are the functions and methods with a body, in the order of the text.
func (f *File) Declared() []*ast.FuncDecl {
	var list []*ast.FuncDecl
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			list = append(list, fn)
		}
	}
	return list
}

// At is the function with a body that has a part on the line; nil without one.
func (f *File) At(line int) *ast.FuncDecl {
	for _, fn := range f.Declared() {
		if f.Spans(fn, line) {
			return fn
		}
	}
	return nil
}

// Functions are the declared functions by their names, "(*T).Name" for methods, also
// those without a body.
func (f *File) Functions() map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			found[f.NameOf(fn)] = fn
		}
	}
	return found
}

// NameOf is the name of a function: "Name", "(*T).Name".
func (f *File) NameOf(fn *ast.FuncDecl) string { return NameOf(fn) }

// NameOf is File.NameOf for a function of any file.
func NameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return "(" + types.ExprString(fn.Recv.List[0].Type) + ")." + fn.Name.Name
}

// Key tells the functions of a package from one another: "T.Name", also where the receiver
// is a pointer.
func Key(fn *ast.FuncDecl) string {
	receiver, _ := patch.Receiver(fn)
	return receiver + "." + fn.Name.Name
}

// Function finds a function with a body that is no method; nil without one.
func (f *File) Function(name string) *ast.FuncDecl {
	for _, fn := range f.Declared() {
		if fn.Recv == nil && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

// Cgo reports whether the file uses cgo.
func (f *File) Cgo() bool {
	return slices.ContainsFunc(f.AST.Imports, ImportsC)
}

// ImportsC reports whether an import is that of cgo, however it is written: "\x43" is.
func ImportsC(i *ast.ImportSpec) bool {
	path, err := strconv.Unquote(i.Path.Value)
	return err == nil && path == "C"
}

// Imports are the paths of the file's imports by the names it has for them: "." with the
// path for one whose names it has as its own. The name of a package is taken from its path.
func (f *File) Imports() map[string]string {
	paths := map[string]string{}
	for _, i := range f.AST.Imports {
		from, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(from)
		if i.Name != nil {
			name = i.Name.Name
		}
		if name == "." {
			name += from // there may be several
		}
		paths[name] = from
	}
	return paths
}

// Named parses one of some files, by their names; nil where it is not among them, or does
// not parse.
func Named(files map[string]string, name string) *File {
	for file, text := range files {
		if path.Clean(file) == path.Clean(name) {
			return Parse(text)
		}
	}
	return nil
}

// Change is a file before and after a candidate's edit.
type Change struct {
	File          string // absolute, or as the candidate names it
	Before, After string
}
