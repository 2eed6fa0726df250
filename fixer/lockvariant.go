package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// variant is a function without the lock that another one takes around it.
type variant struct {
	place // of the declaration
	decl  *ast.FuncDecl
	locks []lockUse // the calls on the lock in it
	name  string
}

// variantOf prepares a variant of a method or function; false when its lock
// does not cover it as a whole.
func variantOf(p place, uses []lockUse) (variant, bool) {
	decl, ok := p.node().(*ast.FuncDecl)
	if !ok || decl.Body == nil {
		return variant{}, false
	}
	v := variant{place: p, decl: decl, locks: inFunction(uses, decl)}
	if len(v.locks) == 0 {
		return v, false
	}
	for _, l := range v.locks {
		if l.statement() == nil {
			return v, false
		}
	}
	v.name = variantName(p, decl)
	return v, v.name != ""
}

// variantName is a free name: that of the function with Locked after it.
func variantName(p place, decl *ast.FuncDecl) string {
	for _, name := range []string{lowerFirst(decl.Name.Name) + "Locked", lowerFirst(decl.Name.Name) + "Unsafe"} {
		if decl.Recv != nil {
			t := named(p.info().TypeOf(decl.Recv.List[0].Type))
			if t == nil {
				return ""
			}
			if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, p.pkg.Types, name); obj == nil {
				return name
			}
		} else if p.pkg.Types.Scope().Lookup(name) == nil {
			return name
		}
	}
	return ""
}

// split writes the variant after the function, and makes the function lock,
// call it and unlock.
func (d lockWaits) split(ch *change, v variant) bool {
	first := v.locks[0]
	if !first.takes() {
		return false
	}
	call, ok := callOfSelf(v)
	if !ok {
		return false
	}
	mutex := d.text(first.mutex)
	unlock := mutex + "." + strings.Replace(first.method, "Lock", "Unlock", 1) + "()"
	head := d.source(d.c.Code.Fset.Position(v.decl.Pos()).Filename)
	from := d.c.Code.Fset.Position(v.decl.Type.Func).Offset
	if v.decl.Recv != nil {
		from = d.c.Code.Fset.Position(v.decl.Pos()).Offset
	}
	open := d.c.Code.Fset.Position(v.decl.Body.Lbrace).Offset
	signature := head[from:open]
	named := strings.Replace(signature, v.decl.Name.Name+"(", v.name+"(", 1)
	if v.decl.Type.TypeParams != nil || named == signature {
		return false
	}
	doc := fmt.Sprintf("// %s is %s for callers that hold the lock.\n", v.name, v.decl.Name.Name)
	wrapper := fmt.Sprintf("\n\t%s.%s()\n\tdefer %s\n\t%s\n}\n\n%s%s{", mutex, first.method, unlock, call, doc, named)
	ch.insert(v.decl.Body.Lbrace+1, wrapper)
	for _, l := range v.locks {
		ch.remove(l.statement())
	}
	return true
}

// callOfSelf writes the call of the variant with the function's own parameters.
func callOfSelf(v variant) (string, bool) {
	var args []string
	for _, field := range v.decl.Type.Params.List {
		if len(field.Names) == 0 {
			return "", false
		}
		for _, n := range field.Names {
			if n.Name == "_" {
				return "", false
			}
			arg := n.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	call := v.name + "(" + strings.Join(args, ", ") + ")"
	if v.decl.Recv != nil {
		if len(v.decl.Recv.List[0].Names) == 0 {
			return "", false
		}
		call = v.decl.Recv.List[0].Names[0].Name + "." + call
	}
	if v.decl.Type.Results.NumFields() > 0 {
		call = "return " + call
	}
	return call, true
}

// callVariant makes a call take the variant instead, where it names the function.
func callVariant(ch *change, call place, v variant) bool {
	switch fun := ast.Unparen(call.node().(*ast.CallExpr).Fun).(type) {
	case *ast.SelectorExpr:
		ch.replace(fun.Sel.Pos(), fun.Sel.End(), v.name)
	case *ast.Ident:
		ch.replace(fun.Pos(), fun.End(), v.name)
	default:
		return false
	}
	return true
}
