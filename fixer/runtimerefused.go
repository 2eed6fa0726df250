package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// runtimeRefused fixes what the runtime refuses and no class of its own is
// for: keys that cannot be hashed, values that cannot be compared, an iterator
// that goes on after its loop has ended.
func (f refusalRules) runtimeRefused() bool {
	switch m := f.panic.Message; {
	case strings.Contains(m, "hash of unhashable type"):
		f.unhashableKey()
	case strings.Contains(m, "comparing uncomparable type"):
		f.uncomparable()
	case strings.Contains(m, "range function continued iteration"):
		f.yieldIgnored()
	default:
		return false
	}
	return true
}

// uncomparable: == of two interfaces whose values are slices, maps or functions.
func (f refusalRules) uncomparable() {
	s, ok := f.choose(func(p place, n ast.Node) []suspect {
		b, isBinary := n.(*ast.BinaryExpr)
		if !isBinary || b.Op != token.EQL && b.Op != token.NEQ {
			return nil
		}
		if t := p.info().TypeOf(b.X); t == nil || !mayHoldAny(t) {
			return nil
		}
		return []suspect{{expr: b, bad: b.X, fact: unknown}}
	})
	if !ok {
		return
	}
	b := s.expr.(*ast.BinaryExpr)
	kind := strings.TrimPrefix(f.panic.Message, "runtime error: comparing uncomparable type ")
	f.diagnosis = evidence.Diagnosis{Expr: f.text(b.X), Value: kind, Origin: f.relWhere(b.Pos()),
		Sentence: fmt.Sprintf("%s holds a %s, which == (%s) cannot compare", f.text(b.X), kind, f.where(b.OpPos))}
	not := ""
	if b.Op == token.NEQ {
		not = "!"
	}
	f.offer(idea{rule: "runtimerefused/uncomparable", title: "compare with reflect.DeepEqual", weight: origin, change: f.change().replace(b.Pos(), b.End(),
		fmt.Sprintf("%s%s.DeepEqual(%s, %s)", not, pkgName(s.file, "reflect"), f.text(b.X), f.text(b.Y))).need(s.file, "reflect"),
		why: "DeepEqual compares values of all types, slices and maps by what is in them."})
}

// mayHoldAny reports whether a value of a type may hold something that cannot be
// compared: an interface, or a struct with one.
func mayHoldAny(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			if mayHoldAny(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return mayHoldAny(u.Elem())
	}
	return false
}

// unhashableKey: the key of a map holds a slice, a map or a function.
func (f refusalRules) unhashableKey() {
	s, ok := f.choose(func(p place, n ast.Node) []suspect {
		ix, isIndex := n.(*ast.IndexExpr)
		if !isIndex || !isMap(p.info().TypeOf(ix.X)) {
			return nil
		}
		m, _ := typeUnder[*types.Map](p.info().TypeOf(ix.X))
		if !mayHoldAny(m.Key()) {
			return nil
		}
		return []suspect{{expr: ix, bad: ix.Index, fact: unknown}}
	})
	if !ok {
		return
	}
	ix := s.expr.(*ast.IndexExpr)
	kind := strings.TrimPrefix(f.panic.Message, "runtime error: hash of unhashable type ")
	key := f.text(ix.Index)
	f.diagnosis = evidence.Diagnosis{Expr: key, Value: kind, Origin: f.relWhere(ix.Pos()),
		Sentence: fmt.Sprintf("%s holds a %s, which cannot be a key of %s (%s)", key, kind, f.text(ix.X), f.where(ix.Pos()))}
	f.textKeys(s, ix)
	if isPathOrIndex(ix.Index) && s.anchor() != nil {
		m := message{percent(key) + " is a %T, which cannot be a key", []string{key}}
		ref := pkgName(s.file, "reflect")
		cond := fmt.Sprintf("%s != nil && !%s.TypeOf(%s).Comparable()", key, ref, key)
		at := s.of(s.anchor())
		for _, e := range f.exits(at, m, "") {
			ch := f.change().before(s.anchor(), "if "+cond+" {\n\t"+indented(e.lines)+"\n}").need(s.file, append([]string{"reflect"}, e.imports...)...)
			if e.edit != nil && !e.edit(ch) {
				continue
			}
			f.offer(idea{rule: "runtimerefused/unhashable-key", title: fmt.Sprintf("check that %s can be a key: %s", key, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
				why: fmt.Sprintf("Slices, maps and functions cannot be keys; where %s is one, %s %s.", key, funcName(at.function()), e.how)})
		}
	}
}

// textKeys keys a local map by the text of its values.
func (f refusalRules) textKeys(s suspect, ix *ast.IndexExpr) {
	id, ok := ast.Unparen(ix.X).(*ast.Ident)
	if !ok {
		return
	}
	v, ok := s.info().ObjectOf(id).(*types.Var)
	if !ok || isGlobal(v) || v.IsField() {
		return
	}
	m, _ := typeUnder[*types.Map](v.Type())
	if _, isInterface := m.Key().Underlying().(*types.Interface); !isInterface {
		return
	}
	ch := f.change().need(s.file, "fmt")
	fine, makes := true, 0
	ast.Inspect(s.declaration(), func(n ast.Node) bool {
		use, isIdent := n.(*ast.Ident)
		if !isIdent || s.info().ObjectOf(use) != types.Object(v) {
			return true
		}
		at := s.of(use)
		switch outer := at.path[1].(type) {
		case *ast.IndexExpr:
			if outer.X == ast.Expr(use) {
				ch.insert(outer.Index.Pos(), pkgName(s.file, "fmt")+".Sprintf(\"%T %#v\", "+f.text(outer.Index)+", ").insert(outer.Index.End(), ")")
				return true
			}
			fine = false
		case *ast.AssignStmt:
			if len(outer.Lhs) != 1 || outer.Lhs[0] != ast.Expr(use) || len(outer.Rhs) != 1 || !retyped(ch, outer.Rhs[0]) {
				fine = false
			}
			makes++
		case *ast.CallExpr:
			if name, _ := at.builtin(outer); name != "len" {
				fine = false
			}
		default:
			fine = false
		}
		return true
	})
	if !fine || makes != 1 {
		return
	}
	f.offer(idea{rule: "runtimerefused/text-keys", title: fmt.Sprintf("key %s by the text of its values", id.Name), weight: origin + 1, change: ch,
		why: "Values of any type have a text, and equal values of one type the same one; texts can be keys."})
}

// retyped makes "make(map[any]V)" or "map[any]V{}" a map with string keys.
func retyped(ch *change, e ast.Expr) bool {
	var t ast.Expr
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "make" && len(x.Args) > 0 {
			t = x.Args[0]
		}
	case *ast.CompositeLit:
		if len(x.Elts) == 0 {
			t = x.Type
		}
	}
	m, ok := t.(*ast.MapType)
	if !ok {
		return false
	}
	ch.replace(m.Key.Pos(), m.Key.End(), "string")
	return true
}

// yieldIgnored: an iterator does not ask whether its loop wants more.
func (f refusalRules) yieldIgnored() {
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			es, ok := n.(*ast.ExprStmt)
			if !ok {
				return true
			}
			call, ok := es.X.(*ast.CallExpr)
			if !ok || p.callee(call) != nil {
				return true
			}
			v, ok := p.object(call.Fun).(*types.Var)
			if !ok || !isYield(v) {
				return true
			}
			at := p.of(es)
			fn, _, index := f.paramOf(at, v)
			if fn == nil || index != 0 || at.function() != fn || typeOfFunc(fn).Results.NumFields() > 0 {
				return true
			}
			f.diagnosis.Sentence = fmt.Sprintf("the loop has ended, and %s (%s) goes on: what %s returns is not looked at", funcName(p.of(fn).enclosing()), f.where(call.Pos()), v.Name())
			f.diagnosis.Origin = f.relWhere(call.Pos())
			f.offer(idea{rule: "runtimerefused/yield-ignored", title: fmt.Sprintf("end the iteration when %s returns false", v.Name()), weight: origin,
				change: f.change().instead(es, fmt.Sprintf("if !%s {\n\treturn\n}", f.text(call))),
				why:    "An iterator must stop when its loop wants no more values: after a break or a return in the loop."})
			return true
		})
	})
}

// isYield reports whether a variable is what an iterator hands its values to.
func isYield(v *types.Var) bool {
	sig, ok := v.Type().Underlying().(*types.Signature)
	return ok && sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) && sig.Params().Len() <= 2
}

// fatalError: errors of the runtime without a class of their own.
func (f refusalRules) fatalError() {
	if !strings.Contains(f.panic.Message, "go of nil func value") {
		return
	}
	s, ok := f.choose(func(p place, n ast.Node) []suspect {
		g, isGo := n.(*ast.GoStmt)
		if !isGo || p.callee(g.Call) != nil {
			return nil
		}
		return []suspect{{expr: g.Call, bad: g.Call.Fun, fact: f.isNil(p, f.at, g.Call.Fun)}}
	})
	if !ok {
		return
	}
	text := f.text(s.bad)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: fmt.Sprintf("%s is nil when a goroutine is started with it (%s)", text, f.where(s.expr.Pos()))}
	src := f.trace(s.place, f.at, s.bad)
	f.nilRules.nilOrigin(s, src)
	f.nilRules.refuseNil(s, src)
	f.nilRules.optionalCall(s)
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(s.expr.Pos())
	}
}
