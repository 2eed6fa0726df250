package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

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
		f.offer(idea{rule: "library/flag-twice", title: fmt.Sprintf("define the flag %s once", m[1]), weight: origin + 2, change: f.change().remove(second.statement()),
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
	f.offer(idea{rule: "library/name-flag", title: fmt.Sprintf("call the flag of %s %s", name, flagName), weight: origin + 1, change: f.change().replace(lit.Pos(), lit.End(), `"`+flagName+`"`),
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
	f.offer(idea{rule: "library/route-twice", title: fmt.Sprintf("register %s once", f.text(call.Args[0])), weight: w, change: f.change().remove(p.statement()),
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
	f.offer(idea{rule: "library/own-mux", title: "give the server a mux of its own", weight: origin, change: ch,
		why: "Routes that are registered on a mux of their own do not meet those of another server."})
}
