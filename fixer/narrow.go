package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// tooNarrow fixes a number that became negative, or another one, because a
// type on its way has no room for it.
func (f sizeRules) tooNarrow(p place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q place, at int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.info().TypeOf(call)), basicInteger(q.info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) >= bitsOf(from) {
			return true
		}
		if n, known := f.number(q, at, call.Args[0]); known && holdsNumber(to, n) {
			return true
		}
		f.widen(q, call, to, from)
		return false
	})
}

// basicInteger returns an integer type under a name; nil for others.
func basicInteger(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return nil
	}
	return b
}

// bitsOf is the size of an integer type as this machine's kind has it.
func bitsOf(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// holdsNumber reports whether a type has room for a number.
func holdsNumber(b *types.Basic, n int64) bool {
	bits := bitsOf(b)
	if b.Info()&types.IsUnsigned != 0 {
		return n >= 0 && (bits == 64 || n < 1<<bits)
	}
	return bits == 64 || -(1<<(bits-1)) <= n && n < 1<<(bits-1)
}

// widen takes a conversion away and gives what it is stored in the type that
// the number has.
func (f sizeRules) widen(p place, call *ast.CallExpr, to, from *types.Basic) {
	wide, ok := typeText(p, p.info().TypeOf(call.Args[0]))
	if !ok {
		return
	}
	f.blame(fmt.Sprintf("%s (%s) has no room for it in %s", funcName(p.function()), f.where(call.Pos()), to.Name()), call.Pos())
	ch := f.change().replace(call.Pos(), call.End(), f.text(call.Args[0]))
	what := ""
	switch up := p.of(call).path[1].(type) {
	case *ast.ReturnStmt:
		what = widenResult(ch, p, up, call, to, wide)
	case *ast.AssignStmt:
		what = f.widenTarget(ch, p, up, call, to, wide)
	case *ast.KeyValueExpr:
		if id, isIdent := up.Key.(*ast.Ident); isIdent {
			if v, isVar := p.info().Uses[id].(*types.Var); isVar {
				what = f.widenDeclared(ch, v, to, wide)
			}
		}
	case *ast.CallExpr:
		what = short(f.text(call.Args[0]))
	}
	if what == "" {
		return
	}
	f.offer(idea{rule: "narrow/widen", title: fmt.Sprintf("hold %s as %s", what, wide), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s holds numbers up to %s only; %s stays %s.", to.Name(), largest(to), short(f.text(call.Args[0])), wide)})
}

func largest(b *types.Basic) string {
	bits := bitsOf(b)
	if b.Info()&types.IsUnsigned == 0 {
		bits--
	}
	return fmt.Sprint(uint64(1)<<bits - 1)
}

// widenResult changes the type of a function's result.
func widenResult(ch *change, p place, r *ast.ReturnStmt, call *ast.CallExpr, to *types.Basic, wide string) string {
	ft := typeOfFunc(p.function())
	if ft == nil || ft.Results == nil {
		return ""
	}
	i := 0
	for _, field := range ft.Results.List {
		n := max(len(field.Names), 1)
		for range n {
			if i < len(r.Results) && ast.Unparen(r.Results[i]) == ast.Expr(call) && n == 1 && basicInteger(p.info().TypeOf(field.Type)) == to {
				ch.replace(field.Type.Pos(), field.Type.End(), wide)
				return "the result of " + funcName(p.function())
			}
			i++
		}
	}
	return ""
}

// widenTarget changes the type of what is assigned to.
func (f sizeRules) widenTarget(ch *change, p place, as *ast.AssignStmt, call *ast.CallExpr, to *types.Basic, wide string) string {
	for i, l := range as.Lhs {
		if i >= len(as.Rhs) || ast.Unparen(as.Rhs[i]) != ast.Expr(call) && as.Tok != token.ADD_ASSIGN {
			continue
		}
		if as.Tok == token.DEFINE {
			return f.text(l)
		}
		if v, ok := p.object(l).(*types.Var); ok {
			return f.widenDeclared(ch, v, to, wide)
		}
	}
	return ""
}

// widenDeclared changes the declared type of a variable or field.
func (f sizeRules) widenDeclared(ch *change, v *types.Var, to *types.Basic, wide string) string {
	what := ""
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			var names []*ast.Ident
			var typ ast.Expr
			switch n := n.(type) {
			case *ast.Field:
				names, typ = n.Names, n.Type
			case *ast.ValueSpec:
				names, typ = n.Names, n.Type
			}
			for _, id := range names {
				if len(names) == 1 && typ != nil && f.same(p.info().Defs[id], v) && basicInteger(p.info().TypeOf(typ)) == to {
					ch.replace(typ.Pos(), typ.End(), wide)
					what = v.Name()
				}
			}
			return true
		})
	})
	return what
}
