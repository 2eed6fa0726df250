package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// amount is how often something happens, as an expression: a sum of products.
// A constant is kept apart, so that 2 goroutines and 1 more are 3.
type amount struct {
	terms  []string
	number int
}

func (a amount) String() string {
	parts := append([]string(nil), a.terms...)
	if a.number != 0 || len(parts) == 0 {
		parts = append(parts, strconv.Itoa(a.number))
	}
	return strings.Join(parts, "+")
}

func (a amount) plus(b amount) amount {
	return amount{append(append([]string(nil), a.terms...), b.terms...), a.number + b.number}
}

func (a amount) times(b amount) amount {
	switch {
	case len(a.terms) == 0 && a.number == 1:
		return b
	case len(b.terms) == 0 && b.number == 1:
		return a
	case len(a.terms) == 0 && len(b.terms) == 0:
		return amount{number: a.number * b.number}
	}
	factor := func(x amount) string {
		if len(x.terms)+min(x.number, 1) > 1 || len(x.terms) == 1 && strings.ContainsAny(x.terms[0], "+- ") {
			return "(" + x.String() + ")"
		}
		return x.String()
	}
	return amount{terms: []string{factor(a) + "*" + factor(b)}}
}

// iterations is how often a loop's body runs; false when its header does not tell.
func (f *facts) iterations(p place, l ast.Stmt) (amount, bool) {
	switch l := l.(type) {
	case *ast.RangeStmt:
		t := p.info().TypeOf(l.X)
		if n, ok := constantInt(p, l.X); ok {
			return amount{number: int(n)}, true
		}
		if t == nil || !isPathOrIndex(l.X) {
			return amount{}, false
		}
		switch u := t.Underlying().(type) {
		case *types.Slice, *types.Map, *types.Array:
			return amount{terms: []string{"len(" + f.text(l.X) + ")"}}, true
		case *types.Basic:
			if u.Info()&types.IsInteger != 0 {
				return amount{terms: []string{f.asInt(p, l.X)}}, true
			}
			return amount{terms: []string{"len(" + f.text(l.X) + ")"}}, u.Info()&types.IsString != 0
		}
	case *ast.ForStmt:
		return f.turnsOfFor(p, l)
	}
	return amount{}, false
}

// asInt writes an integer expression as an int.
func (f *facts) asInt(p place, e ast.Expr) string {
	if t := p.info().TypeOf(e); t != nil && !types.Identical(t, types.Typ[types.Int]) && !isConstant(p, e) {
		return "int(" + f.text(e) + ")"
	}
	return f.text(e)
}

// turnsOfFor counts "for i := a; i < b; i++".
func (f *facts) turnsOfFor(p place, l *ast.ForStmt) (amount, bool) {
	init, okInit := l.Init.(*ast.AssignStmt)
	cond, okCond := ast.Unparen(orNil(l.Cond)).(*ast.BinaryExpr)
	post, okPost := l.Post.(*ast.IncDecStmt)
	if !okInit || !okCond || !okPost || len(init.Lhs) != 1 || post.Tok != token.INC ||
		p.object(init.Lhs[0]) == nil || p.object(cond.X) != p.object(init.Lhs[0]) || !isPathOrIndex(cond.Y) {
		return amount{}, false
	}
	start, ok := constantInt(p, init.Rhs[0])
	if !ok {
		return amount{}, false
	}
	n := int(-start)
	switch cond.Op {
	case token.LSS:
	case token.LEQ:
		n++
	default:
		return amount{}, false
	}
	if end, isConst := constantInt(p, cond.Y); isConst {
		return amount{number: int(end) + n}, true
	}
	return amount{terms: []string{f.asInt(p, cond.Y)}, number: n}, true
}

// times counts how often a node runs in one call of its function, or within
// the innermost literal that is called where it stands. Loops over channels
// count what is sent on them.
func (f *analysis) times(p place, depth int) (amount, bool) {
	total := amount{number: 1}
	for _, l := range p.loops() {
		if !contains(loopBody(l), p.node().Pos()) {
			continue
		}
		if r, ok := l.(*ast.RangeStmt); ok && isChan(p.info().TypeOf(r.X)) {
			n, ok := f.sentOn(p, r.X, depth+1)
			if !ok {
				return amount{}, false
			}
			return total.times(n), true
		}
		n, ok := f.iterations(p, l)
		if !ok {
			return amount{}, false
		}
		total = total.times(n)
	}
	return total, true
}

func loopBody(l ast.Stmt) *ast.BlockStmt {
	switch l := l.(type) {
	case *ast.RangeStmt:
		return l.Body
	case *ast.ForStmt:
		return l.Body
	}
	return nil
}

// sentOn counts the values sent on a channel, as far as loops tell.
func (f *analysis) sentOn(p place, ch ast.Expr, depth int) (amount, bool) {
	uses := f.usesOf(p, ch)
	if len(uses.sends) == 0 || len(uses.sends) > 6 || depth > 3 {
		return amount{}, false
	}
	total := amount{}
	for _, group := range alternatives(uses.sends) {
		n, ok := f.runs(group, depth)
		if !ok {
			return amount{}, false
		}
		total = total.plus(n)
	}
	return total, true
}

// alternatives leaves out the sends of which only one runs, such as those in
// different branches: all that stand in one function and one loop count once.
func alternatives(list []place) []place {
	type key struct {
		fn   ast.Node
		loop ast.Stmt
		top  ast.Stmt
	}
	seen := map[key]bool{}
	var out []place
	for _, p := range list {
		k := key{p.function(), p.loop(), nil}
		if k.loop == nil && !branches(p) {
			k.top = p.anchor()
		}
		if !seen[k] {
			seen[k] = true
			out = append(out, p)
		}
	}
	return out
}

// branches reports whether a node stands in a branch of its function.
func branches(p place) bool {
	for _, n := range p.path {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		case *ast.IfStmt, *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}

// runs counts how often a node runs in all the goroutines that run it.
func (f *analysis) runs(p place, depth int) (amount, bool) {
	n, ok := f.times(p, depth)
	if !ok || depth > 3 {
		return amount{}, false
	}
	if overChannel(p) { // shared among the goroutines, however many
		return n, true
	}
	started, plain := f.runsIn(p, p.function())
	if plain && len(started) == 0 {
		return n, true
	}
	total := amount{}
	for _, g := range started {
		inner := n
		if call, isGo := g.node().(*ast.GoStmt); isGo {
			inner = f.asArguments(p, call.Call, n)
		}
		outer, ok := f.times(g, depth+1)
		if !ok {
			return amount{}, false
		}
		total = total.plus(outer.times(inner))
	}
	return total, true
}

// overChannel reports whether a node stands in a loop that ranges over a channel.
func overChannel(p place) bool {
	for _, l := range p.loops() {
		if r, ok := l.(*ast.RangeStmt); ok && isChan(p.info().TypeOf(r.X)) && contains(r.Body, p.node().Pos()) {
			return true
		}
	}
	return false
}

// asArguments writes a count that names parameters in terms of what a go
// statement passes for them.
func (f *facts) asArguments(p place, call *ast.CallExpr, n amount) amount {
	ft := typeOfFunc(p.function())
	if ft == nil || len(n.terms) == 0 {
		return n
	}
	out := amount{number: n.number}
	for _, term := range n.terms {
		i := 0
		for _, field := range ft.Params.List {
			for _, name := range field.Names {
				if i < len(call.Args) {
					switch term {
					case name.Name:
						term = f.text(call.Args[i])
					case "len(" + name.Name + ")":
						term = "len(" + f.text(call.Args[i]) + ")"
					}
				}
				i++
			}
		}
		out.terms = append(out.terms, term)
	}
	return out
}
