package proposal

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/patch"
)

// typechecks reports whether the edited packages have no more type errors than before.
func (f *Proposal) typechecks(edits []patch.Edit) bool {
	edited := map[string]string{}
	for _, e := range edits {
		edited[f.Case.Workspace.Abs(e.File)] = e.After
	}
	for _, pkg := range f.Case.Code.Packages {
		files, touched, ok := f.editedFiles(pkg, edited)
		if !ok {
			return false
		}
		if touched && countErrors(f.Case.Code.Fset, pkg, files, f.importer(pkg)) > len(pkg.TypeErrors) {
			return false
		}
	}
	return true
}

// editedFiles returns the syntax of a package after the edits.
func (f *Proposal) editedFiles(pkg *packages.Package, edited map[string]string) (files []*ast.File, touched, ok bool) {
	files = make([]*ast.File, len(pkg.Syntax))
	for i, old := range pkg.Syntax {
		name := f.Case.Code.Fset.Position(old.FileStart).Filename
		files[i] = old
		text, hit := edited[name]
		if !hit {
			continue
		}
		file, err := parser.ParseFile(f.Case.Code.Fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, false, false
		}
		files[i], touched = file, true
	}
	return files, touched, true
}

func countErrors(fset *token.FileSet, pkg *packages.Package, files []*ast.File, imp types.Importer) int {
	count := 0
	conf := types.Config{Importer: imp, Sizes: pkg.TypesSizes, Error: func(error) { count++ }, FakeImportC: true}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	if _, err := conf.Check(pkg.PkgPath, fset, files, nil); err != nil && count == 0 {
		count++
	}
	return count
}

// known imports what the user's packages import, and stand-ins for the few
// packages that edits add.
type known map[string]*types.Package

// Import returns a package that is loaded already, or a stand-in for it.
func (k known) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p, ok := k[path]; ok && p != nil {
		return p, nil
	}
	if p := standIn(path); p != nil {
		return p, nil
	}
	return nil, errors.New("not loaded")
}

func (f *Proposal) importer(pkg *packages.Package) types.Importer {
	k := known{}
	for _, other := range f.Case.Code.Packages {
		if other == pkg || other.Types == nil {
			continue
		}
		for _, p := range other.Types.Imports() {
			if _, have := k[p.Path()]; !have && p.Complete() {
				k[p.Path()] = p
			}
		}
	}
	if pkg.Types != nil {
		for _, p := range pkg.Types.Imports() {
			k[p.Path()] = p
		}
	}
	for path, p := range pkg.Imports {
		if p.Types != nil && p.Types.Complete() {
			k[path] = p.Types
		}
	}
	return k
}

// StandIns declare what edits use of packages that nothing imported before.
var StandIns = map[string]string{
	"fmt": `package fmt
func Errorf(format string, a ...any) error { return nil }
func Sprintf(format string, a ...any) string { return "" }
func Sprint(a ...any) string { return "" }
func Fprintf(w any, format string, a ...any) (int, error) { return 0, nil }
func Fprintln(w any, a ...any) (int, error) { return 0, nil }`,
	"errors": `package errors
func New(text string) error { return nil }
func As(err error, target any) bool { return false }
func Is(err, target error) bool { return false }`,
	"os": `package os
type File struct{}
func (f *File) Write(p []byte) (int, error) { return 0, nil }
var Stderr *File
func Exit(code int) {}`,
	"sync": `package sync
type Mutex struct{ state int }
func (m *Mutex) Lock() {}
func (m *Mutex) Unlock() {}
type Once struct{ done int }
func (o *Once) Do(f func()) {}
type WaitGroup struct{ n int }
func (w *WaitGroup) Add(n int) {}
func (w *WaitGroup) Done() {}
func (w *WaitGroup) Wait() {}
func (w *WaitGroup) Go(f func()) {}`,
	"strconv": `package strconv
func Itoa(i int) string { return "" }
func Atoi(s string) (int, error) { return 0, nil }
func ParseInt(s string, base, bits int) (int64, error) { return 0, nil }
func ParseUint(s string, base, bits int) (uint64, error) { return 0, nil }
func ParseFloat(s string, bits int) (float64, error) { return 0, nil }
func ParseBool(s string) (bool, error) { return false, nil }`,
	"time": `package time
type Duration int64
const ( Nanosecond Duration = 1; Millisecond Duration = 1e6; Second Duration = 1e9 )`,
	"math": `package math
func NaN() float64 { return 0 }
func Inf(sign int) float64 { return 0 }`,
	"slices": `package slices
func Clone[S ~[]E, E any](s S) S { return s }`,
	"maps": `package maps
func Clone[M ~map[K]V, K comparable, V any](m M) M { return m }`,
	"reflect": `package reflect
type Type interface { Comparable() bool }
func DeepEqual(x, y any) bool { return false }
func TypeOf(i any) Type { return nil }`,
	"strings": `package strings
func ToUpper(s string) string { return s }
func ToLower(s string) string { return s }
func TrimSpace(s string) string { return s }
func Join(elems []string, sep string) string { return "" }
func Contains(s, substr string) bool { return false }
func Split(s, sep string) []string { return nil }
func ReplaceAll(s, old, new string) string { return s }
func Repeat(s string, count int) string { return s }
func HasPrefix(s, prefix string) bool { return false }
func HasSuffix(s, suffix string) bool { return false }
func Title(s string) string { return s }`,
}

func standIn(path string) *types.Package {
	text, ok := StandIns[path]
	if !ok {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path+".go", text, 0)
	if err != nil {
		return nil
	}
	conf := types.Config{}
	pkg, err := conf.Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		return nil
	}
	return pkg
}
