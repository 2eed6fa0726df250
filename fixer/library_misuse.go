package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// storedOtherType: an atomic.Value holds another type already.
func (f libraryRules) storedOtherType(p place, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	arg := call.Args[0]
	have := p.info().TypeOf(arg)
	want := f.loadedAs(p, sel.X)
	if have == nil || want == nil {
		return
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) stores a %s, and %s holds a %s", f.text(call), f.where(call.Pos()), types.TypeString(have, types.RelativeTo(p.pkg.Types)), f.text(sel.X), types.TypeString(want, types.RelativeTo(p.pkg.Types)))
	switch {
	case types.Identical(types.NewPointer(have), want) && addressable(arg):
		f.offer(idea{rule: "library/stored-other-type", title: fmt.Sprintf("store a pointer to %s", f.text(arg)), weight: origin, change: f.change().insert(arg.Pos(), "&"),
			why: "An atomic.Value holds one type only; what loads it expects a pointer."})
	case isPointer(have) && types.Identical(have.Underlying().(*types.Pointer).Elem(), want):
		f.offer(idea{rule: "library/stored-other-type", title: fmt.Sprintf("store what %s points at", f.text(arg)), weight: origin, change: f.change().insert(arg.Pos(), "*"),
			why: "An atomic.Value holds one type only; what loads it expects the value."})
	case types.ConvertibleTo(have, want):
		if text, fits := typeText(p, want); fits {
			f.offer(idea{rule: "library/stored-other-type", title: fmt.Sprintf("store it as a %s", text), weight: origin, change: f.change().insert(arg.Pos(), text+"(").insert(arg.End(), ")"),
				why: "An atomic.Value holds one type only."})
		}
	}
}

// loadedAs is the type that what loads an atomic.Value expects; else that of
// another store.
func (f libraryRules) loadedAs(p place, value ast.Expr) types.Type {
	obj := p.object(value)
	var asserted, stored types.Type
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if call, ok := n.X.(*ast.CallExpr); ok && n.Type != nil {
					if sel, isSel := call.Fun.(*ast.SelectorExpr); isSel && sel.Sel.Name == "Load" && f.same(q.object(sel.X), obj) {
						asserted = q.info().TypeOf(n.Type)
					}
				}
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Store" && len(n.Args) == 1 && f.same(q.object(sel.X), obj) && stored == nil {
					stored = q.info().TypeOf(n.Args[0])
				}
			}
			return true
		})
	})
	if asserted != nil {
		return asserted
	}
	return stored
}

// beforeScan moves the setting up of a scanner before its first use.
func (f libraryRules) beforeScan(p place, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	stmt := p.statement()
	if !ok || stmt == nil {
		return
	}
	obj := p.object(sel.X)
	var first ast.Stmt
	ast.Inspect(bodyOf(p.function()), func(n ast.Node) bool {
		if c, isCall := n.(*ast.CallExpr); isCall && first == nil {
			if s, isSel := c.Fun.(*ast.SelectorExpr); isSel && s.Sel.Name == "Scan" && p.object(s.X) == obj {
				if l := p.outermostLoop(c); l != ast.Node(c) {
					first, _ = l.(ast.Stmt)
				} else {
					first = p.of(c).anchor()
				}
			}
		}
		return true
	})
	if first == nil || first.Pos() > stmt.Pos() && !contains(first, stmt.Pos()) {
		return
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) comes after the first Scan (%s)", f.text(call), f.where(call.Pos()), f.where(first.Pos()))
	f.offer(idea{rule: "library/before-scan", title: fmt.Sprintf("call %s before the first Scan", f.text(call.Fun)), weight: origin, change: f.change().remove(stmt).before(first, f.text(stmt)),
		why: "A scanner must be set up before it is used."})
}

// negativeRead: a Read of the user's returned a count below zero.
func (f libraryRules) negativeRead() {
	f.each(func(p place) {
		for _, decl := range p.file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Recv == nil || d.Name.Name != "Read" || d.Body == nil {
				continue
			}
			ch := f.change()
			var first ast.Node
			for _, r := range returnsOf(d) {
				if len(r.Results) != 2 {
					continue
				}
				if n, isConst := constantInt(p.of(r), r.Results[0]); isConst && n < 0 {
					ch.replace(r.Results[0].Pos(), r.Results[0].End(), "0")
					if first == nil {
						first = r
					}
				}
			}
			if first == nil {
				continue
			}
			f.diagnosis.Sentence = fmt.Sprintf("%s returns a negative count (%s), which no reader may", funcName(d), f.where(first.Pos()))
			f.diagnosis.Origin = f.relWhere(first.Pos())
			f.offer(idea{rule: "library/negative-read", title: fmt.Sprintf("return 0 bytes from %s with the error", funcName(d)), weight: origin - 1, change: ch,
				why: "The error says that reading failed; the count is the number of bytes read, 0 then."})
		}
	})
}

// wrongNonce gives a nonce or an initialization vector the length that the
// cipher wants.
func (f libraryRules) wrongNonce(p place, call *ast.CallExpr) {
	for _, a := range call.Args {
		src := f.trace(p, f.at, a)
		name, mk := src.builtin(orNil(src.expr))
		if name != "make" || len(mk.Args) < 2 {
			continue
		}
		size := ""
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.info().Selections[sel] != nil {
			size = f.text(sel.X) + ".NonceSize()"
		} else if len(call.Args) > 0 {
			size = f.text(call.Args[0]) + ".BlockSize()"
		}
		if size == "" || f.text(mk.Args[1]) == size {
			continue
		}
		f.diagnosis.Sentence = fmt.Sprintf("%s has %s bytes (%s), and %s wants %s", f.text(a), f.text(mk.Args[1]), f.where(mk.Pos()), f.text(call.Fun), size)
		f.diagnosis.Origin = f.relWhere(mk.Pos())
		f.offer(idea{rule: "library/wrong-nonce", title: fmt.Sprintf("make %s with %s bytes", f.text(a), size), weight: origin, change: f.change().replace(mk.Args[1].Pos(), mk.Args[1].End(), size),
			why: "The cipher says how long it must be."})
		return
	}
}
