// Package blocks finds the calls of pause.Run in the user's code, and hashes what each
// block depends on. That is the block's function, what it refers to in the user's
// modules, how the variables are made that it takes from the function around it, where
// package-level variables are set that it reads, and what is embedded in them. A block
// whose hash is the same in another build does the same there.
//
// The hash may change where nothing that matters did; it must not stay the same
// where something did. Therefore a call through an interface stands for all
// methods of its name. What cannot be judged gets a reason instead of a hash.
//
// The package does not know how results are stored: that is package pause, which
// runs in the program.
package blocks

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
)

// Library is the import path of package pause.
const Library = "github.com/pausetui/pausetui/pause"

// Code is what is known of a block's code. Its fields are those that package
// pause reads.
type Code struct {
	Hash string `json:"hash"`
	Why  string `json:"why"` // why results of the block are not stored; then Hash is empty
}

// Describe returns the code of the blocks by the place of their function,
// "/src/main.go:42", as the runtime says it. Every hash also depends on base: the
// toolchain, the dependencies, the flags.
func Describe(code *workspace.Code, base string) map[string]Code {
	ix := newIndex(code)
	found := map[string]Code{}
	for _, pkg := range code.Packages {
		if pkg.Types == nil || pkg.Types.Path() == Library {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				ix.describe(found, pkg, decl, base)
			}
		}
	}
	return found
}

// describe adds the blocks of a declaration.
func (ix *index) describe(found map[string]Code, pkg *packages.Package, decl ast.Decl, base string) {
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 4 || !isLibrary(pkg.TypesInfo, call.Fun, "Run") {
			return true
		}
		d := &dependencies{index: ix, seen: map[types.Object]bool{}, locals: map[types.Object]bool{}, pieces: map[ast.Node]bool{}, called: map[types.Object]bool{}}
		at := d.block(pkg, decl, call)
		if at == token.NoPos {
			return true
		}
		d.globals(call.Args[3])
		place := ix.fset.Position(at)
		key := fmt.Sprintf("%s:%d", place.Filename, place.Line)
		one := d.code(base)
		if other, twice := found[key]; twice && other != one {
			one = Code{Why: "there are two blocks in its line"}
		}
		found[key] = one
		return true
	})
}

// index finds declarations.
type index struct {
	fset    *token.FileSet
	decls   map[types.Object]declaration
	methods map[string][]types.Object

	uses     map[types.Object][]site // of variables and functions
	dynamic  map[string][]site       // of methods of interfaces, by name
	flows    map[*types.Var]*flow
	embedded map[types.Object][]embedding
	sums     map[string]string // of embedded files
}

type declaration struct {
	node ast.Node
	info *types.Info
}

func newIndex(code *workspace.Code) *index {
	ix := &index{fset: code.Fset, decls: map[types.Object]declaration{}, methods: map[string][]types.Object{},
		uses: map[types.Object][]site{}, dynamic: map[string][]site{},
		flows: map[*types.Var]*flow{}, embedded: map[types.Object][]embedding{}, sums: map[string]string{}}
	for _, pkg := range code.Packages {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				ix.add(pkg.TypesInfo, decl)
			}
			ix.embeds(pkg, file)
			ix.use(pkg, file)
		}
	}
	return ix
}

// use adds the uses of variables and functions in a file.
func (ix *index) use(pkg *packages.Package, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := pkg.TypesInfo.Uses[id].(type) {
		case *types.Var:
			ix.uses[obj] = append(ix.uses[obj], site{pkg, file, id})
		case *types.Func:
			ix.uses[obj.Origin()] = append(ix.uses[obj.Origin()], site{pkg, file, id})
			if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				ix.dynamic[obj.Name()] = append(ix.dynamic[obj.Name()], site{pkg, file, id})
			}
		}
		return true
	})
}

func (ix *index) add(info *types.Info, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		obj := info.Defs[d.Name]
		if obj == nil {
			return
		}
		ix.decls[obj] = declaration{d, info}
		if d.Recv != nil {
			ix.methods[d.Name.Name] = append(ix.methods[d.Name.Name], obj)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				ix.addName(info, s.Name, s)
			case *ast.ValueSpec:
				var node ast.Node = s
				if d.Tok == token.CONST { // iota, and expressions that are repeated
					node = d
				}
				for _, name := range s.Names {
					ix.addName(info, name, node)
				}
			}
		}
	}
}

func (ix *index) addName(info *types.Info, name *ast.Ident, node ast.Node) {
	if obj := info.Defs[name]; obj != nil {
		ix.decls[obj] = declaration{node, info}
	}
}

// code is the hash of all that was found, or why there is none.
func (d *dependencies) code(base string) Code {
	if d.why != "" {
		return Code{Why: d.why}
	}
	slices.SortFunc(d.parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.text, b.text)) })
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n", len(base), base)
	for _, p := range slices.Compact(d.parts) {
		fmt.Fprintf(h, "%d %d\n%s%s", len(p.name), len(p.text), p.name, p.text)
	}
	return Code{Hash: hex.EncodeToString(h.Sum(nil)[:16])}
}

// text is the code of a node, without comments.
func (ix *index) text(n ast.Node) string {
	var b bytes.Buffer
	if fn, ok := n.(*ast.FuncDecl); ok && fn.Doc != nil {
		bare := *fn
		bare.Doc = nil
		n = &bare
	}
	if err := printer.Fprint(&b, ix.fset, n); err != nil {
		return fmt.Sprintf("%T at %d: %v", n, n.Pos(), err)
	}
	return b.String()
}

// isLibrary reports whether an expression names a function of package pause.
func isLibrary(info *types.Info, fun ast.Expr, name string) bool {
	switch f := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := ast.Unparen(fun).(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	default:
		return false
	}
	obj := info.Uses[id]
	return id.Name == name && obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == Library
}
