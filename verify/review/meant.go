// Package review looks through the user's code for what speaks for a fix, or against it: who
// else calls a function, whether nil is meant there, what a guard leaves half done. It reads
// syntax and what types say without the code of imports.
package review

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A nil that the program makes on purpose, or tests for, is a value like any other:
// a guard for it leaves out what there is not.

// MeantNil says where the old code means nil for what the guard of a point asks
// about; empty where it does not, the guard asks for something else, or it leaves nothing out.
func MeantNil(before, after map[string]string, p effect.Point) string {
	if p.Lost || p.Effect != verdict.Skips {
		return ""
	}
	now := load(after)
	compared := now.nilsAt(p)
	if len(compared) == 0 {
		return ""
	}
	was := load(before)
	why := ""
	for _, e := range compared {
		s := now.slot(e)
		if s == "" {
			return ""
		}
		if why = was.means(s); why == "" {
			return ""
		}
	}
	return why
}

// typed is a package with what types say of it without its imports.
type typed struct {
	fset  *token.FileSet
	names []string // of the files
	files []*ast.File
	info  *types.Info
}

// load checks the types of a package alone: what comes from its imports has none.
func load(files map[string]string) typed { return loadWith(files, nil) }

// loadWith checks the types of a package with those of some that it imports.
func loadWith(files map[string]string, with imports) typed {
	t := parseAll(files)
	t.check("p", with)
	return t
}

// parseAll is a package before its types are checked.
func parseAll(files map[string]string) typed {
	t := typed{fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if f, err := parser.ParseFile(t.fset, name, files[name], parser.SkipObjectResolution|parser.ParseComments); err == nil {
			t.names, t.files = append(t.names, name), append(t.files, f)
		}
	}
	return t
}

func (t typed) check(path string, with types.Importer) *types.Package {
	conf := types.Config{Importer: with, Error: func(error) {}, FakeImportC: true}
	p, _ := conf.Check(path, t.fset, t.files, t.info)
	return p
}

// imports are packages by their paths.
type imports map[string]*types.Package

var errNotLoaded = errors.New("the package is not loaded")

// Import finds one of them.
func (i imports) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, errNotLoaded
}

// nilsAt are the expressions that the guard of a point compares with nil, if it asks
// for nothing else.
func (t typed) nilsAt(p effect.Point) []ast.Expr {
	var guard ast.Expr
	for i, f := range t.files {
		if t.names[i] != p.File {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			from, to := t.fset.Position(n.Pos()).Offset, t.fset.Position(n.End()).Offset
			switch n := n.(type) {
			case *ast.IfStmt:
				if p.TestEnd == 0 && from <= p.Offset && p.Offset <= to {
					guard = n.Cond // the innermost comes last
				}
			case ast.Expr:
				if from == p.Offset && to == p.TestEnd {
					guard = n
				}
			}
			return true
		})
	}
	if guard == nil {
		return nil
	}
	op := token.EQL
	if strings.HasPrefix(p.When, "unless ") || p.TestEnd > 0 && !p.Holds {
		op = token.NEQ
	}
	return comparedWithNil(guard, op)
}

// comparedWithNil splits a condition into its comparisons with nil; nil where it has
// others.
func comparedWithNil(cond ast.Expr, op token.Token) []ast.Expr {
	c, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return nil
	case c.Op == op && match.IsNil(c.Y):
		return []ast.Expr{c.X}
	case c.Op == token.LOR && op == token.EQL, c.Op == token.LAND && op == token.NEQ:
		x, y := comparedWithNil(c.X, op), comparedWithNil(c.Y, op)
		if len(x) > 0 && len(y) > 0 {
			return append(x, y...)
		}
	}
	return nil
}

// slot names where a value comes from in words that hold in both versions of the
// package: a field, a result, a parameter. It is empty for others.
func (t typed) slot(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if s := t.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			return "field " + typeName(s.Recv()) + "." + e.Sel.Name
		}
	case *ast.CallExpr:
		return t.result(e, 0)
	case *ast.Ident:
		if v, ok := t.info.Uses[e].(*types.Var); ok {
			return t.variable(v)
		}
	}
	return ""
}

// variable is the slot of what a variable is first given.
func (t typed) variable(v *types.Var) string {
	found, written := "", 0
	for _, f := range t.files {
		if v.Pos() < f.FileStart || v.Pos() > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					id, ok := l.(*ast.Ident)
					if ok && t.info.Uses[id] == v {
						written++
					}
					if !ok || t.info.Defs[id] != v {
						continue
					}
					if call, ok := ast.Unparen(n.Rhs[min(i, len(n.Rhs)-1)]).(*ast.CallExpr); ok && len(n.Rhs) == 1 {
						found = t.result(call, i)
					} else if len(n.Rhs) == len(n.Lhs) {
						found = t.slot(n.Rhs[i])
					}
				}
			case *ast.FuncDecl:
				if i := parameterAt(t.info, n.Type, v); i >= 0 {
					found = fmt.Sprintf("parameter %d of %s", i, slotName(n))
				}
			}
			return true
		})
	}
	if written > 0 {
		return "" // of several values, which one is not known
	}
	return found
}

// parameterAt is the number of the parameter that a variable is; -1 for others.
func parameterAt(info *types.Info, typ *ast.FuncType, v *types.Var) int {
	i := 0
	for _, f := range typ.Params.List {
		for _, name := range f.Names {
			if info.Defs[name] == v {
				return i
			}
			i++
		}
	}
	return -1
}

// result is the slot of a call's result: of a function of the package, or of a type of
// functions.
func (t typed) result(call *ast.CallExpr, i int) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if f, ok := t.info.Uses[fun].(*types.Func); ok {
			return fmt.Sprintf("result %d of %s", i, f.Name())
		}
	case *ast.SelectorExpr:
		if s := t.info.Selections[fun]; s != nil && s.Kind() == types.MethodVal {
			return fmt.Sprintf("result %d of %s.%s", i, typeName(s.Recv()), fun.Sel.Name)
		}
	}
	if sig, ok := t.signature(call.Fun); ok {
		return fmt.Sprintf("result %d of a %s", i, sig)
	}
	return ""
}

// signature is the text of the type of a function value.
func (t typed) signature(e ast.Expr) (string, bool) {
	typ := t.info.TypeOf(e)
	if typ == nil {
		return "", false
	}
	sig, ok := typ.Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 {
		return "", false
	}
	text := types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()), nil)
	return text, !strings.Contains(text, "invalid type") // of an import
}

func unnamed(list *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range list.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

func typeName(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	} else if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return t.String()
}

// slotName is the name of a function as slots name it.
func slotName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return match.ReceiverOf(fn) + "." + fn.Name.Name
}

// means says where the package makes nil for a slot on purpose, or checks for it. It
// says nothing where nil is only ever made, and those who check for it refuse it.
func (t typed) means(slot string) string {
	why, declined := "", false
	at := func(n ast.Node, what string) {
		if why == "" {
			p := t.fset.Position(n.Pos())
			why = fmt.Sprintf("nil is allowed there: %s:%d %s", p.Filename, p.Line, what)
		}
	}
	checked := false
	refused := map[ast.Node]bool{} // comparisons of ifs that do not take nil for an answer
	for _, f := range t.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.IfStmt); ok && refusesNil(g.Body) {
				ast.Inspect(g.Cond, func(c ast.Node) bool { refused[c] = true; return true })
			}
			if refused[n] {
				declined = declined || t.comparesWithNil(n, slot)
			} else if t.comparesWithNil(n, slot) {
				why, declined = "", false
				at(n, "checks for it")
				checked = true
			} else {
				t.meansAt(n, slot, at)
			}
			return !checked
		})
	}
	if declined {
		return ""
	}
	return why
}

// comparesWithNil reports whether a node compares what is in a slot with nil.
func (t typed) comparesWithNil(n ast.Node, slot string) bool {
	c, ok := n.(*ast.BinaryExpr)
	return ok && (c.Op == token.EQL || c.Op == token.NEQ) && match.IsNil(c.Y) && t.slot(c.X) == slot
}

// meansAt notes that a node makes nil for a slot.
func (t typed) meansAt(n ast.Node, slot string, at func(ast.Node, string)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if len(n.Lhs) == len(n.Rhs) && match.IsNil(r) && t.slot(n.Lhs[i]) == slot {
				at(n, "sets it")
			}
		}
	case *ast.CompositeLit:
		t.makesNil(n, slot, at)
	case *ast.CallExpr:
		t.passesNil(n, slot, at)
	case *ast.FuncLit:
		if sig, ok := t.signature(n); ok {
			returnsNil(n.Body, slot, "of a "+sig, at)
		}
	case *ast.FuncDecl:
		if n.Body != nil {
			returnsNil(n.Body, slot, "of "+slotName(n), at)
		}
	}
}

// refusesNil reports whether a block ends in a panic, in the end of the program, or
// with an error.
func refusesNil(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch last := block.List[len(block.List)-1].(type) {
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return syntax.IsPanic(last) || ok && match.Ends(call, nil)
	case *ast.ReturnStmt:
		n := len(last.Results)
		return n > 0 && !match.Constant(last.Results[n-1])
	}
	return false
}

// makesNil notes a struct whose field is nil.
func (t typed) makesNil(lit *ast.CompositeLit, slot string, at func(ast.Node, string)) {
	typ := t.info.TypeOf(lit)
	if typ == nil {
		return
	}
	st, ok := typ.Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case !ok:
		case keyed && match.IsNil(kv.Value):
			if id, ok := kv.Key.(*ast.Ident); ok && slot == "field "+typeName(typ)+"."+id.Name {
				at(e, "sets it")
			}
		case !keyed && match.IsNil(e) && i < st.NumFields() && slot == "field "+typeName(typ)+"."+st.Field(i).Name():
			at(e, "sets it")
		}
	}
}

// passesNil notes a call that gives nil to a parameter.
func (t typed) passesNil(call *ast.CallExpr, slot string, at func(ast.Node, string)) {
	for i, a := range call.Args {
		if match.IsNil(a) && strings.HasPrefix(slot, fmt.Sprintf("parameter %d of ", i)) && t.result(call, 0) == fmt.Sprintf("result 0 of %s", strings.TrimPrefix(slot, fmt.Sprintf("parameter %d of ", i))) {
			at(call, "passes it")
		}
	}
}

// returnsNil notes a return of nil that comes with no error.
func returnsNil(body *ast.BlockStmt, slot, of string, at func(ast.Node, string)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for i, r := range n.Results {
				last := n.Results[len(n.Results)-1]
				if match.IsNil(r) && slot == fmt.Sprintf("result %d %s", i, of) && (i == len(n.Results)-1 || match.ZeroValue(last)) {
					at(n, "returns it")
				}
			}
		}
		return true
	})
}
