package deadlock

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// calleeLocks: a function that holds the lock calls one that takes it.
func (d lockWaits) calleeLocks(w waiter, holder int, l syntax.LockUse, uses []syntax.LockUse) {
	inner, ok := d.FunctionAt(w.frames[w.at])
	if !ok {
		return
	}
	fn := d.Innermost(inner, w.frames[w.at].Function, w.frames[w.at].Line)
	held, _ := d.statementAt(w, holder)
	reading, again := "", "again"
	if l.Method == "RLock" && w.kind == waitLock {
		reading, again = " for reading", "for writing"
	}
	d.say(held.Node().Pos(), "%s is locked twice by one goroutine: %s holds it%s (%s) when it comes to %s (%s), which locks it %s", d.mutexText(w.Place),
		syntax.FuncName(l.Function()), reading, d.Where(l.Node().Pos()), syntax.FuncName(fn), d.Where(w.Node().Pos()), again)
	decl, isDecl := fn.(*ast.FuncDecl)
	if isDecl {
		d.useVariant(inner.Of(decl), uses)
	}
	d.releaseFirst(l, held, uses, syntax.FuncName(fn))
}

// heldCalls splits the calls of a function by whether the caller holds the lock. ok is
// false where one holds it only for reading, and the function takes it for writing.
func (d lockWaits) heldCalls(v variant, uses []syntax.LockUse) (held, free []syntax.Place, ok bool) {
	obj, ok := v.Info().Defs[v.decl.Name].(*types.Func)
	if !ok {
		return nil, nil, false
	}
	write := slices.ContainsFunc(v.locks, func(l syntax.LockUse) bool { return l.Method == "Lock" })
	calls, _ := d.CallsOf(obj)
	for _, c := range calls {
		switch {
		case d.UnderLock(c, uses, write, 0):
			held = append(held, c)
		case d.UnderLock(c, uses, false, 0):
			return nil, nil, false
		default:
			free = append(free, c)
		}
	}
	return held, free, true
}

// useVariant makes functions that hold the lock call a function that does not take it.
func (d lockWaits) useVariant(p syntax.Place, uses []syntax.LockUse) {
	v, ok := variantOf(p, uses)
	if !ok {
		return
	}
	held, free, ok := d.heldCalls(v, uses)
	if !ok || len(held) == 0 {
		return
	}
	name := syntax.FuncName(v.decl)
	if len(free) == 0 && !v.decl.Name.IsExported() {
		ch := d.Change()
		for _, l := range v.locks {
			ch.Remove(l.Statement())
		}
		d.Offer(proposal.Idea{Rule: "deadlock/use-variant", Title: fmt.Sprintf("leave the locking to the callers of %s", name), Weight: exits.Origin, Change: ch,
			Why: fmt.Sprintf("Every caller of %s holds the lock already.", name)})
		return
	}
	ch := d.Change()
	if !d.split(ch, v) {
		return
	}
	for _, c := range held {
		if !callVariant(ch, c, v) {
			return
		}
	}
	d.Offer(proposal.Idea{Rule: "deadlock/use-variant", Title: fmt.Sprintf("call a variant of %s that does not lock", name), Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("%s does the work for those who hold the lock; %s takes the lock and calls it.", v.name, v.decl.Name.Name)})
}

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
