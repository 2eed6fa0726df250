// Package copies finds writes that are lost, because they go to a copy that nobody reads.
// It must not know who asks.
package copies

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Lost reports whether a map or a slice that is assigned to path at a position is certainly
// lost when the innermost function around it, fn, ends. Path is a receiver or a parameter, the
// variable of a range loop or a local copy of something, or a field of one of these, and nothing
// that comes after it uses the value but to read or write its entries and the other fields.
// Who is given the whole may keep it. What a local variable holds may be meant for the function
// itself: it is lost only if its entries are not read either.
func Lost(info *types.Info, fn ast.Node, path ast.Expr, at token.Pos) bool {
	typ, body := partsOf(fn)
	v := rootOf(info, path)
	if body == nil || v == nil {
		return false
	}
	given := isParameter(info, fn, typ, v)
	if !given && !isCopied(info, body, v) {
		return false
	}
	_, whole := ast.Unparen(path).(*ast.Ident)
	c := copied{info: info, path: path, own: whole && !given}
	again := repeats(body, v, at)
	lost := true
	var around []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		id, ok := n.(*ast.Ident)
		if ok && info.Uses[id] == v && c.mayKeep(around, id.Pos() > at || again) {
			lost = false
		}
		return true
	})
	return lost
}

func partsOf(fn ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Type, fn.Body
	case *ast.FuncLit:
		return fn.Type, fn.Body
	}
	return nil, nil
}

// rootOf is the variable that holds path in itself, not behind a pointer; nil without one.
func rootOf(info *types.Info, path ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(path).(type) {
		case *ast.SelectorExpr:
			s := info.Selections[x]
			if s == nil || s.Kind() != types.FieldVal || s.Indirect() {
				return nil
			}
			path = x.X
		case *ast.Ident:
			v, _ := info.Uses[x].(*types.Var)
			return v
		default:
			return nil
		}
	}
}

// isParameter reports whether a variable is a parameter of a function, or its receiver.
func isParameter(info *types.Info, fn ast.Node, typ *ast.FuncType, v *types.Var) bool {
	lists := []*ast.FieldList{typ.Params}
	if d, ok := fn.(*ast.FuncDecl); ok && d.Recv != nil {
		lists = append(lists, d.Recv)
	}
	for _, list := range lists {
		for _, f := range list.List {
			if slices.ContainsFunc(f.Names, func(name *ast.Ident) bool { return info.Defs[name] == v }) {
				return true
			}
		}
	}
	return false
}

// isCopied reports whether a block declares a variable as a copy of something: an element
// in a range loop, a field, an entry, another variable.
func isCopied(info *types.Info, body *ast.BlockStmt, v *types.Var) (found bool) {
	declares := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && info.Defs[id] == v
	}
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			found = found || n.Value != nil && declares(n.Value)
		case *ast.AssignStmt:
			found = found || declares(n.Lhs[0]) && isPlace(n.Rhs[0]) || len(n.Lhs) == len(n.Rhs) && slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool {
				return declares(l) && isPlace(n.Rhs[slices.Index(n.Lhs, l)])
			})
		case *ast.ValueSpec:
			for i, name := range n.Names {
				found = found || len(n.Names) == len(n.Values) && declares(name) && isPlace(n.Values[i])
			}
		}
	}
	return found
}

// isPlace reports whether a value is that of a variable, a field or an entry.
func isPlace(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		return true
	}
	return false
}

// repeats reports whether the position is in a loop in which the variable lives on.
func repeats(body ast.Node, v *types.Var, at token.Pos) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || contains(n, at) && !contains(n, v.Pos())
		}
		return true
	})
	return found
}

func contains(n ast.Node, p token.Pos) bool { return n.Pos() <= p && p < n.End() }

// copied is what is asked about: the value at path.
type copied struct {
	info *types.Info
	path ast.Expr
	own  bool // it is a local variable, whose entries the function may have for itself
}

// mayKeep reports whether a use of the variable, the last node of around, may hand on the
// value. Before that is set, only its address leads there.
func (c copied) mayKeep(around []ast.Node, later bool) bool {
	use, i := c.chainOf(around)
	if !c.leadsTo(use) {
		return false // another field
	}
	for _, n := range around {
		if _, ok := n.(*ast.FuncLit); ok {
			return true // which may run at any time
		}
	}
	if i == 0 {
		return later
	}
	switch n := around[i-1].(type) {
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.SliceExpr:
		return true
	case *ast.SelectorExpr: // a method
		s := c.info.Selections[n]
		return later || s == nil || hasPointerReceiver(s)
	}
	return later && !c.onlyLooks(around[:i], use)
}

// chainOf is the longest chain of fields that begins with the last node of around, and
// where that is.
func (c copied) chainOf(around []ast.Node) (use ast.Expr, i int) {
	i = len(around) - 1
	use = around[i].(ast.Expr)
	for ; i > 0; i-- {
		if _, ok := around[i-1].(*ast.ParenExpr); ok {
			continue
		}
		sel, ok := around[i-1].(*ast.SelectorExpr)
		if !ok || c.info.Selections[sel] == nil || c.info.Selections[sel].Kind() != types.FieldVal {
			break
		}
		use = sel
	}
	return use, i
}

// onlyLooks reports whether the node around a use, the last one of around, takes no more than
// entries of it, or sets it.
func (c copied) onlyLooks(around []ast.Node, use ast.Expr) bool {
	switch n := around[len(around)-1].(type) {
	case *ast.IndexExpr:
		return contains(n.X, use.Pos()) && sameText(use, c.path) && (!c.own || len(around) > 1 && sets(around[len(around)-2], n))
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return contains(l, use.Pos()) })
	case *ast.RangeStmt:
		return !c.own && sameText(use, c.path)
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		id, ok := ast.Unparen(n.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := c.info.Uses[id].(*types.Builtin)
		return ok && (slices.Contains([]string{"delete", "clear"}, b.Name()) || b.Name() == "len" && !c.own)
	}
	return false
}

// sets reports whether a statement gives an entry a value.
func sets(n ast.Node, entry ast.Expr) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return slices.Contains(n.Lhs, entry)
	case *ast.IncDecStmt:
		return true
	}
	return false
}

// leadsTo reports whether a chain of fields is path or a part of it, or it a part of
// the chain.
func (c copied) leadsTo(use ast.Expr) bool {
	for _, pair := range [][2]ast.Expr{{use, c.path}, {c.path, use}} {
		for e := ast.Unparen(pair[0]); ; {
			if sameText(e, pair[1]) {
				return true
			}
			sel, ok := e.(*ast.SelectorExpr)
			if !ok {
				break
			}
			e = ast.Unparen(sel.X)
		}
	}
	return false
}

func sameText(a, b ast.Expr) bool {
	return types.ExprString(ast.Unparen(a)) == types.ExprString(ast.Unparen(b))
}

// hasPointerReceiver reports whether a method takes the address of its operand.
func hasPointerReceiver(s *types.Selection) bool {
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return false
	}
	_, pointer := sig.Recv().Type().Underlying().(*types.Pointer)
	return pointer
}
