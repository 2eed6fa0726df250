package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// copiedBuilder: a strings.Builder was copied after it was written to: it was
// passed by value, or is part of a receiver that is a copy.
func (f libraryRules) copiedBuilder(p place, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	root := ast.Unparen(sel.X)
	for {
		x, isSel := root.(*ast.SelectorExpr)
		if !isSel {
			break
		}
		root = ast.Unparen(x.X)
	}
	id, ok := root.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := p.info().ObjectOf(id).(*types.Var)
	if !ok || isPointer(v.Type()) {
		return
	}
	fn, calls, index := f.paramOf(p, v)
	d, isDecl := fn.(*ast.FuncDecl)
	if !isDecl {
		return
	}
	f.diagnosis.Expr = f.text(sel.X)
	f.diagnosis.Sentence = fmt.Sprintf("%s is a copy of a strings.Builder: %s (%s) gets %s by value", f.text(sel.X), funcName(d), f.where(d.Pos()), v.Name())
	f.diagnosis.Origin = f.relWhere(d.Pos())
	if index < 0 {
		f.pointerMethods(p, d)
		return
	}
	f.pointerParameter(p, d, v, calls, index)
}

// pointerMethods gives all methods of a type pointer receivers.
func (f libraryRules) pointerMethods(p place, d *ast.FuncDecl) {
	t := named(p.info().TypeOf(d.Recv.List[0].Type))
	if t == nil {
		return
	}
	ch := f.change()
	f.each(func(q place) {
		for _, decl := range q.file.Decls {
			m, ok := decl.(*ast.FuncDecl)
			if !ok || m.Recv == nil {
				continue
			}
			if n, isNamed := types.Unalias(q.info().TypeOf(m.Recv.List[0].Type)).(*types.Named); isNamed && n.Origin() == t.Origin() {
				ch.insert(m.Recv.List[0].Type.Pos(), "*")
			}
		}
	})
	f.offer(idea{title: fmt.Sprintf("give the methods of %s a pointer receiver", t.Obj().Name()), weight: origin, change: ch,
		why: "A method that changes its value needs the value itself, not a copy of it."})
}

// pointerParameter makes a function take a pointer to what it takes by value.
func (f libraryRules) pointerParameter(p place, d *ast.FuncDecl, v *types.Var, calls []place, index int) {
	ch := f.change()
	for _, field := range d.Type.Params.List {
		for _, n := range field.Names {
			if p.info().Defs[n] == types.Object(v) {
				if len(field.Names) > 1 {
					return
				}
				ch.insert(field.Type.Pos(), "*")
			}
		}
	}
	// Where the parameter is passed on as an address, it is one now.
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && p.object(u.X) == types.Object(v) {
			ch.replace(u.Pos(), u.X.Pos(), "")
		}
		return true
	})
	for _, c := range calls {
		args := c.node().(*ast.CallExpr).Args
		if index >= len(args) || !addressable(args[index]) {
			return
		}
		if c.declaration() == d && c.object(args[index]) == types.Object(v) {
			continue
		}
		ch.insert(args[index].Pos(), "&")
	}
	f.offer(idea{title: fmt.Sprintf("pass a pointer to %s", funcName(d)), weight: origin, change: ch,
		why: fmt.Sprintf("%s changes what it is given; that takes the variable itself, not a copy.", funcName(d))})
}

// flagTwice: two flags have one name.
func (f libraryRules) flagTwice(p place, call *ast.CallExpr) {
	m := regexp.MustCompile(`flag redefined: (\S+)`).FindStringSubmatch(f.panic.Message)
	if m == nil {
		return
	}
	var sites []place
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := q.callee(c)
			if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "flag" {
				return true
			}
			for _, a := range c.Args[:min(2, len(c.Args))] {
				if tv := q.info().Types[a]; tv.Value != nil && strings.Trim(tv.Value.ExactString(), `"`) == m[1] {
					sites = append(sites, q.of(c))
				}
			}
			return true
		})
	})
	if len(sites) < 2 {
		return
	}
	first, second := sites[0], sites[len(sites)-1]
	if call == first.node() {
		first, second = second, first
	}
	f.diagnosis.Sentence = fmt.Sprintf("the flag %s is defined twice, at %s and at %s", m[1], f.where(first.node().Pos()), f.where(second.node().Pos()))
	f.diagnosis.Origin = f.relWhere(second.node().Pos())
	for _, s := range []place{second, first} {
		f.nameFlag(s, m[1])
	}
	if second.statement() != nil {
		f.offer(idea{title: fmt.Sprintf("define the flag %s once", m[1]), weight: origin + 2, change: f.change().remove(second.statement()),
			why: fmt.Sprintf("It is defined at %s already.", f.where(first.node().Pos()))})
	}
}

// nameFlag names a flag as the variable that it sets.
func (f libraryRules) nameFlag(p place, have string) {
	call := p.node().(*ast.CallExpr)
	name := ""
	var lit ast.Expr
	for _, a := range call.Args {
		if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
			name = lastName(u.X)
		}
		if tv := p.info().Types[a]; lit == nil && tv.Value != nil && strings.Trim(tv.Value.ExactString(), `"`) == have {
			lit = a
		}
	}
	switch n := p.path[1].(type) {
	case *ast.AssignStmt:
		name = f.text(n.Lhs[0])
	case *ast.ValueSpec:
		name = n.Names[0].Name
	}
	if name == "" || lit == nil || strings.EqualFold(name, have) {
		return
	}
	flagName := strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(name, "$1-$2"))
	f.offer(idea{title: fmt.Sprintf("call the flag of %s %s", name, flagName), weight: origin + 1, change: f.change().replace(lit.Pos(), lit.End(), `"`+flagName+`"`),
		why: fmt.Sprintf("Each flag has a name of its own: %s was taken.", have)})
}

// routeTwice: two handlers are registered for one pattern.
func (f libraryRules) routeTwice(p place, call *ast.CallExpr) {
	if len(call.Args) != 2 || p.statement() == nil {
		return
	}
	var first place
	f.each(func(q place) {
		ast.Inspect(q.file, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if ok && c != call && len(c.Args) == 2 && c.Pos() < call.Pos() && f.text(c.Args[0]) == f.text(call.Args[0]) && q.callee(c) != nil && strings.HasPrefix(q.callee(c).Name(), "Handle") {
				first = q.of(c)
			}
			return true
		})
	})
	if first.file == nil {
		f.ownMux(p, call)
		return
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s is registered twice, at %s and at %s", f.text(call.Args[0]), f.where(first.node().Pos()), f.where(call.Pos()))
	f.diagnosis.Origin = f.relWhere(call.Pos())
	w := origin + 3
	if f.text(first.node().(*ast.CallExpr).Args[1]) == f.text(call.Args[1]) {
		w = origin
	}
	f.offer(idea{title: fmt.Sprintf("register %s once", f.text(call.Args[0])), weight: w, change: f.change().remove(p.statement()),
		why: fmt.Sprintf("It is registered at %s already.", f.where(first.node().Pos()))})
}

// ownMux gives a server a mux of its own: the routes were registered on the
// shared one each time that the function ran.
func (f libraryRules) ownMux(p place, call *ast.CallExpr) {
	fn := p.function()
	if fn == nil || p.callee(call) == nil || p.callee(call).Type().(*types.Signature).Recv() != nil {
		return
	}
	pkg := pkgName(p.file, "net/http")
	name := fresh(p, "mux", "routes")
	ch := f.change()
	var firstStmt ast.Stmt
	served := false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			callee := p.callee(n)
			if callee == nil || callee.Pkg() == nil || callee.Pkg().Path() != "net/http" {
				return true
			}
			switch callee.Name() {
			case "Handle", "HandleFunc":
				sel := n.Fun.(*ast.SelectorExpr)
				ch.replace(sel.X.Pos(), sel.X.End(), name)
				if firstStmt == nil {
					firstStmt = p.of(n).anchor()
				}
			case "ListenAndServe":
				if last := n.Args[len(n.Args)-1]; f.text(last) == "nil" {
					ch.replace(last.Pos(), last.End(), name)
					served = true
				}
			}
		case *ast.CompositeLit:
			if t := named(p.info().TypeOf(n)); t != nil && t.Obj().Name() == "Server" && t.Obj().Pkg().Path() == "net/http" {
				b := building{place: p.of(n), literal: n}
				if st, ok := underStruct(t); ok {
					served = ch.setLiteral(b, []fieldInit{{fieldOf(st, "Handler"), "Handler", name}}, []string{"Handler: " + name}) || served
				}
			}
		}
		return true
	})
	if firstStmt == nil || !served {
		return
	}
	ch.before(firstStmt, fmt.Sprintf("%s := %s.NewServeMux()", name, pkg))
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) registers its routes on the mux that all servers share, each time that it runs", funcName(fn), f.where(call.Pos()))
	f.offer(idea{title: "give the server a mux of its own", weight: origin, change: ch,
		why: "Routes that are registered on a mux of their own do not meet those of another server."})
}

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
		f.offer(idea{title: fmt.Sprintf("store a pointer to %s", f.text(arg)), weight: origin, change: f.change().insert(arg.Pos(), "&"),
			why: "An atomic.Value holds one type only; what loads it expects a pointer."})
	case isPointer(have) && types.Identical(have.Underlying().(*types.Pointer).Elem(), want):
		f.offer(idea{title: fmt.Sprintf("store what %s points at", f.text(arg)), weight: origin, change: f.change().insert(arg.Pos(), "*"),
			why: "An atomic.Value holds one type only; what loads it expects the value."})
	case types.ConvertibleTo(have, want):
		if text, fits := typeText(p, want); fits {
			f.offer(idea{title: fmt.Sprintf("store it as a %s", text), weight: origin, change: f.change().insert(arg.Pos(), text+"(").insert(arg.End(), ")"),
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
	f.offer(idea{title: fmt.Sprintf("call %s before the first Scan", f.text(call.Fun)), weight: origin, change: f.change().remove(stmt).before(first, f.text(stmt)),
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
			f.offer(idea{title: fmt.Sprintf("return 0 bytes from %s with the error", funcName(d)), weight: origin - 1, change: ch,
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
		f.offer(idea{title: fmt.Sprintf("make %s with %s bytes", f.text(a), size), weight: origin, change: f.change().replace(mk.Args[1].Pos(), mk.Args[1].End(), size),
			why: "The cipher says how long it must be."})
		return
	}
}

// refusedValue: one of the arguments is nil, empty or no positive number. It is
// fixed where it comes from, or looked at before the call.
func (f libraryRules) refusedValue(p place, call *ast.CallExpr) {
	for _, a := range call.Args {
		if f.refusedNil(p, call, a) || f.refusedNumber(p, call, a) {
			return
		}
	}
}

func (f libraryRules) refusedNil(p place, call *ast.CallExpr, a ast.Expr) bool {
	t := p.info().TypeOf(a)
	if t == nil {
		return false
	}
	literal := p.info().Types[a].IsNil()
	if !literal && (!nilable(t) || f.isNil(p, f.at, a) != yes) {
		return false
	}
	text := f.text(a)
	f.diagnosis.Expr, f.diagnosis.Value, f.diagnosis.Origin = text, "nil", ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is nil when it is given to %s (%s)", text, f.text(call.Fun), f.where(call.Pos()))
	if literal {
		f.diagnosis.Sentence = fmt.Sprintf("%s (%s) is given nil", f.text(call.Fun), f.where(call.Pos()))
		f.contextInstead(p, call, a)
		return true
	}
	s := suspect{place: p, expr: call, bad: a, fact: yes}
	src := f.trace(p, f.at, a)
	if e := ast.Unparen(orNil(src.expr)); src.file != nil && src.info().Types[e].IsNil() {
		f.note(fmt.Sprintf("nil is passed at %s", f.where(e.Pos())), e.Pos())
		f.contextAt(src.place, e, t)
	}
	f.nilRules.nilOrigin(s, src)
	if c, ok := ast.Unparen(orNil(src.expr)).(*ast.CallExpr); ok {
		f.nilRules.checkIgnoredError(src, c)
	}
	f.orBackground(p, a, t)
	if isPathOrIndex(a) {
		f.guard(p, text+" == nil", message{percent(text) + " is nil", nil}, text)
	}
	return true
}

// contextInstead writes context.Background() for a literal nil.
func (f libraryRules) contextInstead(p place, call *ast.CallExpr, a ast.Expr) {
	sig, ok := p.info().TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i, arg := range call.Args {
		if arg == a && i < sig.Params().Len() {
			f.contextAt(p, a, sig.Params().At(i).Type())
		}
	}
}

func (f libraryRules) contextAt(p place, e ast.Expr, t types.Type) {
	if types.TypeString(t, nil) != "context.Context" {
		return
	}
	value := pkgName(p.file, "context") + ".Background()"
	if name, ok := contextAtHand(p); ok {
		value = name
	}
	f.offer(idea{title: fmt.Sprintf("pass %s instead of nil", value), weight: origin - 1, change: f.change().replace(e.Pos(), e.End(), value).need(p.file, "context"),
		why: "A context must never be nil; Background is the one that is never canceled."})
}

// contextAtHand is a parameter of the function that is a context.
func contextAtHand(p place) (string, bool) {
	sig := p.signature()
	for i := 0; sig != nil && i < sig.Params().Len(); i++ {
		v := sig.Params().At(i)
		if types.TypeString(v.Type(), nil) == "context.Context" && v.Name() != "" && v.Name() != "_" {
			return v.Name(), true
		}
		if types.TypeString(v.Type(), nil) == "*net/http.Request" && v.Name() != "" {
			return v.Name() + ".Context()", true
		}
	}
	return "", false
}

// orBackground uses the background context where none was given.
func (f libraryRules) orBackground(p place, a ast.Expr, t types.Type) {
	if types.TypeString(t, nil) != "context.Context" || !isPath(a) || p.anchor() == nil {
		return
	}
	text := f.text(a)
	f.offer(idea{title: "use the background context where none is given", weight: soft,
		change: f.change().before(p.anchor(), fmt.Sprintf("if %s == nil {\n\t%s = %s.Background()\n}", text, text, pkgName(p.file, "context"))).need(p.file, "context"),
		why:    "Where it is nil, the background context takes its place, which nothing cancels."})
}

// refusedNumber: a number that is zero or negative, or out of bounds.
func (f libraryRules) refusedNumber(p place, call *ast.CallExpr, a ast.Expr) bool {
	t := p.info().TypeOf(a)
	if t == nil || !isInteger(t) || p.info().Types[a].Value != nil {
		return false
	}
	n, known := f.number(p, f.at, a)
	if !known || n > 0 {
		return false
	}
	text := f.text(a)
	f.diagnosis.Expr, f.diagnosis.Value = text, fmt.Sprint(n)
	f.diagnosis.Origin = ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is %d when it is given to %s (%s)", text, n, f.text(call.Fun), f.where(call.Pos()))
	src := f.trace(p, f.at, a)
	switch e := ast.Unparen(orNil(src.expr)).(type) {
	case *ast.SelectorExpr:
		f.sizeRules.defaultForField(src.place, e)
	case *ast.CallExpr:
		f.nilRules.checkIgnoredError(src, e)
	}
	cond, m := text+" <= 0", message{percent(text) + " is %d, want a positive number", []string{text}}
	if n < 0 {
		cond, m = text+" < 0", message{percent(text) + " is %d, want no negative number", []string{text}}
	}
	if name, l := p.builtin(a); name == "len" && n == 0 {
		cond, m = text+" == 0", message{percent(f.text(l.Args[0])) + " is empty", nil}
	}
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(a.Pos())
	}
	if isPathOrIndex(a) {
		f.guard(p, cond, m, text)
	}
	return true
}
