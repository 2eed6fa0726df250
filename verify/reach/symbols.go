package reach

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// symbol is a local variable of a function or, without one, a field, a variable of a
// package, or what a function returns. Those of one name are taken for one.
type symbol struct{ in, name string }

// symbols is a file whose names are looked up, with its assignments that only make or read
// values.
type symbols struct {
	*syntax.File
	path    string
	structs map[string]bool                   // the types of its package that are structs
	locals  map[*ast.FuncDecl]map[string]bool // as localsOf found them
	sets    []assignment
}

type assignment struct {
	from, end int // offsets
	text      string
	to        []symbol // and what may share its data
}

// newSymbols returns nil for a text that does not parse.
func newSymbols(path, text string, structs map[string]bool) *symbols {
	f := &symbols{File: syntax.Parse(text), path: path, structs: structs, locals: map[*ast.FuncDecl]map[string]bool{}}
	if f.File == nil {
		return nil
	}
	for _, d := range f.AST.Decls {
		fn, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && f.isStruct(lit) {
				for _, e := range lit.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						f.collect(fn, pair)
					}
				}
			}
			_, pair := n.(*ast.KeyValueExpr)
			return pair || !f.collect(fn, n)
		})
	}
	return f
}

// isStruct reports whether a literal is one of a struct.
func (f *symbols) isStruct(lit *ast.CompositeLit) bool {
	id, ok := lit.Type.(*ast.Ident)
	return ok && f.structs[id.Name]
}

// collect keeps a node that is an assignment and does nothing else.
func (f *symbols) collect(fn *ast.FuncDecl, n ast.Node) bool {
	to, ok := f.assigned(fn, n)
	if ok {
		f.sets = append(f.sets, assignment{f.Offset(n.Pos()), f.Offset(n.End()), f.Code(n), to})
	}
	return ok
}

// assigned returns what a statement, a declaration or a pair of a literal gives values to;
// false for what does anything else.
func (f *symbols) assigned(fn *ast.FuncDecl, n ast.Node) (to []symbol, ok bool) {
	var left, right []ast.Expr
	switch n := n.(type) {
	default:
		return nil, false
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		if !ok {
			return nil, false
		}
		to, right = append(to, symbol{name: key.Name}), []ast.Expr{n.Value}
	case *ast.IncDecStmt:
		left = []ast.Expr{n.X}
	case *ast.AssignStmt:
		left, right = n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, name := range n.Names {
			left = append(left, name)
		}
		right = n.Values
	case *ast.IfStmt:
		if n.Init != nil || n.Else != nil {
			return nil, false
		}
		right = []ast.Expr{n.Cond}
		for _, s := range n.Body.List {
			inner, ok := f.assigned(fn, s)
			if !ok {
				return nil, false
			}
			to = append(to, inner...)
		}
	}
	for _, e := range left {
		v, ok := f.symbol(fn, e)
		if !ok {
			return nil, false
		}
		to = append(to, v)
	}
	for _, e := range right {
		if !plain(e) {
			return nil, false
		}
		to = append(to, f.shared(fn, e)...)
	}
	return to, true
}

// symbol is what a name, or a selector of names, stands for.
func (f *symbols) symbol(fn *ast.FuncDecl, e ast.Expr) (symbol, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		return f.meant(fn, e), true
	case *ast.SelectorExpr:
		_, ok := f.symbol(fn, e.X)
		return symbol{name: e.Sel.Name}, ok
	}
	return symbol{}, false
}

// meant is what a name in a function stands for.
func (f *symbols) meant(fn *ast.FuncDecl, id *ast.Ident) symbol {
	if fn == nil {
		return symbol{name: id.Name}
	}
	if f.locals[fn] == nil {
		f.locals[fn] = localsOf(fn)
	}
	if !f.locals[fn][id.Name] {
		return symbol{name: id.Name}
	}
	return symbol{f.path + " " + syntax.Key(fn), id.Name}
}

// shared are the variables with which a value may share its data.
func (f *symbols) shared(fn *ast.FuncDecl, e ast.Expr) (found []symbol) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.CallExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
			return false // a new value, or a type
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				found = append(found, f.shared(fn, e)...)
			}
			return false
		case *ast.SelectorExpr:
			found = append(found, symbol{name: n.Sel.Name})
			return false
		case *ast.Ident:
			found = append(found, f.meant(fn, n))
		}
		return true
	})
	return found
}

// plain reports whether an expression only makes or reads a value.
func plain(e ast.Expr) bool {
	only := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			only = only && ok && slices.Contains([]string{"make", "new", "len", "cap"}, id.Name)
		case *ast.FuncLit, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
			only = false
		case *ast.UnaryExpr:
			only = only && n.Op != token.ARROW
		}
		return only
	})
	return only
}

// onlyAssigns returns what an edit assigns values to, and keeps of after's assignments
// those that it has made; false where the edit does anything else.
func onlyAssigns(before, after *symbols) (to []symbol, only bool) {
	more := map[string]int{} // how often each assignment is there now, less how often it was
	for _, s := range before.sets {
		more[s.text]--
	}
	for _, s := range after.sets {
		more[s.text]++
	}
	for _, f := range []*symbols{before, after} {
		f.sets = slices.DeleteFunc(f.sets, func(s assignment) bool { return more[s.text] == 0 })
		for _, s := range f.sets {
			to = append(to, s.to...)
		}
	}
	return to, slices.Equal(before.rest(), after.rest())
}

// isSet reports whether an offset is in one of the assignments that are kept.
func (f *symbols) isSet(at int) bool {
	return slices.ContainsFunc(f.sets, func(s assignment) bool { return s.from <= at && at < s.end })
}

// rest is the text without these, comments, commas and semicolons.
func (f *symbols) rest() (words []string) {
	file := token.NewFileSet().AddFile("", -1, len(f.Text))
	var s scanner.Scanner
	s.Init(file, []byte(f.Text), nil, 0)
	for {
		switch pos, tok, text := s.Scan(); {
		case tok == token.EOF:
			return words
		case tok == token.COMMA, tok == token.SEMICOLON, f.isSet(file.Offset(pos)):
		default:
			words = append(words, tok.String()+" "+text)
		}
	}
}
