package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// storedElsewhere fixes the place that stored a number of another type than is
// asserted where it is read: an int64 for an int.
func (f typeRules) storedElsewhere(a assertion) {
	from, to := basicNamed(a.actual), a.want
	toBasic, ok := to.Underlying().(*types.Basic)
	if from == nil || !ok || from.Info()&types.IsNumeric == 0 || toBasic.Info()&types.IsNumeric == 0 {
		return
	}
	f.storeConverted(a, from)
}

// keptAsInterface reports whether a value is converted to an interface where it
// stands: returned, passed, appended, stored as one.
func (f typeRules) keptAsInterface(p place) bool {
	e, ok := p.node().(ast.Expr)
	if !ok || len(p.path) < 2 {
		return false
	}
	isInterface := func(t types.Type) bool {
		if t == nil {
			return false
		}
		_, is := t.Underlying().(*types.Interface)
		_, param := t.(*types.TypeParam)
		return is && !param
	}
	switch n := p.path[1].(type) {
	case *ast.ReturnStmt:
		sig := p.signature()
		for i, r := range n.Results {
			if r == e && sig != nil && sig.Results().Len() == len(n.Results) {
				return isInterface(sig.Results().At(i).Type())
			}
		}
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if r == e && len(n.Lhs) == len(n.Rhs) {
				return isInterface(p.info().TypeOf(n.Lhs[i]))
			}
		}
	case *ast.CallExpr:
		return isInterface(parameterType(p, n, e)) && (keepsValue(lastNameOnly(n.Fun)) || !f.isOutside(p, n))
	case *ast.KeyValueExpr:
		if lit, ok := p.path[2].(*ast.CompositeLit); ok && n.Value == e {
			return isInterface(elementType(p.info().TypeOf(lit), n.Key))
		}
	case *ast.CompositeLit:
		return isInterface(elementType(p.info().TypeOf(n), nil))
	case *ast.SendStmt:
		if ch, ok := typeUnder[*types.Chan](p.info().TypeOf(n.Chan)); ok {
			return isInterface(ch.Elem())
		}
	}
	return false
}

// isOutside reports whether a call leaves the user's code, as for printing.
func (f typeRules) isOutside(p place, call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && fn.Pkg() != nil && !f.ownsPackage(fn.Pkg())
}

// parameterType is the type of the parameter that an argument is given for.
func parameterType(p place, call *ast.CallExpr, arg ast.Expr) types.Type {
	if name, _ := p.builtin(call); name == "append" {
		if s, ok := typeUnder[*types.Slice](p.info().TypeOf(call.Args[0])); ok && arg != call.Args[0] {
			return s.Elem()
		}
		return nil
	}
	sig, ok := typeUnder[*types.Signature](p.info().TypeOf(call.Fun))
	if !ok {
		return nil
	}
	for i, a := range call.Args {
		if a != arg {
			continue
		}
		last := sig.Params().Len() - 1
		if sig.Variadic() && i >= last {
			return sig.Params().At(last).Type().(*types.Slice).Elem()
		}
		if i <= last {
			return sig.Params().At(i).Type()
		}
	}
	return nil
}

// elementType is the type of what a literal holds, for structs under a key.
func elementType(t types.Type, key ast.Expr) types.Type {
	if t == nil {
		return nil
	}
	if st, ok := underStruct(t); ok {
		if id, isIdent := key.(*ast.Ident); isIdent {
			if field := fieldOf(st, id.Name); field != nil {
				return field.Type()
			}
		}
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return u.Elem()
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return nil
}

// storeConverted converts a number where it becomes an interface, when that
// happens in one place of the user's code.
func (f typeRules) storeConverted(a assertion, from *types.Basic) {
	var found []place
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			t := q.info().TypeOf(e)
			if tuple, isTuple := t.(*types.Tuple); isTuple && tuple.Len() == 2 {
				t = tuple.At(0).Type()
			}
			if t == nil || !types.Identical(t, from) {
				return true
			}
			if here := q.of(e); f.keptAsInterface(here) || returnedAsInterface(here) {
				found = append(found, here)
			}
			return true
		})
	})
	if len(found) != 1 {
		return
	}
	f.convertAt(a, found[0])
}

// returnedAsInterface: return strconv.ParseInt(…) as (any, error).
func returnedAsInterface(p place) bool {
	call, ok := p.node().(*ast.CallExpr)
	if !ok || len(p.path) < 2 {
		return false
	}
	r, ok := p.path[1].(*ast.ReturnStmt)
	sig := p.signature()
	tuple, isTuple := p.info().TypeOf(call).(*types.Tuple)
	if !ok || !isTuple || sig == nil || len(r.Results) != 1 || sig.Results().Len() != 2 || tuple.Len() != 2 || !isError(sig.Results().At(1).Type()) {
		return false
	}
	_, isInterface := sig.Results().At(0).Type().Underlying().(*types.Interface)
	return isInterface
}

func (f typeRules) convertAt(a assertion, p place) {
	e := p.node().(ast.Expr)
	want, fits := typeText(p, a.want)
	if !fits {
		return
	}
	ch := f.change()
	if _, isTuple := p.info().TypeOf(e).(*types.Tuple); isTuple {
		r := p.path[1].(*ast.ReturnStmt)
		name := fresh(p, "n", "number")
		ch.replace(r.Pos(), r.End(), fmt.Sprintf("%s, err := %s\nreturn %s(%s), err", name, f.text(e), want, name))
		if p.of(r).anchor() != ast.Stmt(r) {
			return
		}
	} else {
		ch.replace(e.Pos(), e.End(), want+"("+f.text(e)+")")
	}
	f.diagnosis.Origin = ""
	f.note(fmt.Sprintf("%s (%s) stores it as %s", funcName(p.function()), f.where(e.Pos()), a.actual), e.Pos())
	f.offer(idea{rule: "assert/convert-at", title: fmt.Sprintf("store %s in %s", want, funcName(p.function())), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s is asserted to be %s; %s now stores it as that.", f.text(a.x.X), want, funcName(p.function()))})
}
