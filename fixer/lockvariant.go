package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// variant is a function without the lock that another one takes around it.
type variant struct {
	syntax.Place // of the declaration
	decl         *ast.FuncDecl
	locks        []syntax.LockUse // the calls on the lock in it
	name         string
}

// variantOf prepares a variant of a method or function; false when its lock
// does not cover it as a whole.
func variantOf(p syntax.Place, uses []syntax.LockUse) (variant, bool) {
	decl, ok := p.Node().(*ast.FuncDecl)
	if !ok || decl.Body == nil {
		return variant{}, false
	}
	v := variant{Place: p, decl: decl, locks: syntax.InFunction(uses, decl)}
	if len(v.locks) == 0 {
		return v, false
	}
	for _, l := range v.locks {
		if l.Statement() == nil {
			return v, false
		}
	}
	v.name = variantName(p, decl)
	return v, v.name != ""
}

// variantName is a free name: that of the function with Locked after it.
func variantName(p syntax.Place, decl *ast.FuncDecl) string {
	for _, name := range []string{syntax.LowerFirst(decl.Name.Name) + "Locked", syntax.LowerFirst(decl.Name.Name) + "Unsafe"} {
		if decl.Recv != nil {
			t := syntax.Named(p.Info().TypeOf(decl.Recv.List[0].Type))
			if t == nil {
				return ""
			}
			if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, p.Pkg.Types, name); obj == nil {
				return name
			}
		} else if p.Pkg.Types.Scope().Lookup(name) == nil {
			return name
		}
	}
	return ""
}

// split writes the variant after the function, and makes the function lock,
// call it and unlock.
func (d lockWaits) split(ch *code.Change, v variant) bool {
	first := v.locks[0]
	if !first.Takes() {
		return false
	}
	call, ok := callOfSelf(v)
	if !ok {
		return false
	}
	mutex := d.Text(first.Mutex)
	unlock := mutex + "." + strings.Replace(first.Method, "Lock", "Unlock", 1) + "()"
	head := d.Source(d.Case.Code.Fset.Position(v.decl.Pos()).Filename)
	from := d.Case.Code.Fset.Position(v.decl.Type.Func).Offset
	if v.decl.Recv != nil {
		from = d.Case.Code.Fset.Position(v.decl.Pos()).Offset
	}
	open := d.Case.Code.Fset.Position(v.decl.Body.Lbrace).Offset
	signature := head[from:open]
	named := strings.Replace(signature, v.decl.Name.Name+"(", v.name+"(", 1)
	if v.decl.Type.TypeParams != nil || named == signature {
		return false
	}
	doc := fmt.Sprintf("// %s is %s for callers that hold the lock.\n", v.name, v.decl.Name.Name)
	wrapper := fmt.Sprintf("\n\t%s.%s()\n\tdefer %s\n\t%s\n}\n\n%s%s{", mutex, first.Method, unlock, call, doc, named)
	ch.Insert(v.decl.Body.Lbrace+1, wrapper)
	for _, l := range v.locks {
		ch.Remove(l.Statement())
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
func callVariant(ch *code.Change, call syntax.Place, v variant) bool {
	switch fun := ast.Unparen(call.Node().(*ast.CallExpr).Fun).(type) {
	case *ast.SelectorExpr:
		ch.Replace(fun.Sel.Pos(), fun.Sel.End(), v.name)
	case *ast.Ident:
		ch.Replace(fun.Pos(), fun.End(), v.name)
	default:
		return false
	}
	return true
}
