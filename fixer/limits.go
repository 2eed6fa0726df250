package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// limit is a comparison that was to keep an index inside.
type limit struct {
	place
	compare *ast.BinaryExpr
	ours    ast.Expr // the side that is the index
	bound   ast.Expr // the other one
	value   int64    // of the bound
	known   bool
	here    bool // ours is the index that is out of range, not another variable
}

// badLimits fixes a check that let the index through: it compares with <= for
// <, or with the wrong one of two limits.
func (f boundRules) badLimits(x indexing) {
	if x.length < 0 || x.negative() {
		return
	}
	for _, group := range f.limitsOf(x) {
		for _, l := range group {
			if l.here && l.known {
				f.offByOne(x, l)
				f.otherLimit(x, l, group)
			}
		}
	}
}

// limitsOf lists the comparisons of each check that the function makes before
// the index is used: in an if, or in a function of the user's that it asks.
func (f boundRules) limitsOf(x indexing) [][]limit {
	var groups [][]limit
	index := f.text(x.index)
	ast.Inspect(bodyOf(x.function()), func(n ast.Node) bool {
		stmt, ok := n.(*ast.IfStmt)
		if !ok || stmt.Pos() > x.expr.Pos() {
			return true
		}
		groups = append(groups, f.comparisons(x.of(stmt), stmt.Cond, index, map[string]string{}))
		ast.Inspect(stmt.Cond, func(n ast.Node) bool {
			call, isCall := n.(*ast.CallExpr)
			if !isCall {
				return true
			}
			if d, found := f.declarationOf(x.callee(call)); found && d.declaration() != nil {
				if param, names, hit := f.handedOver(x, call, d); hit {
					groups = append(groups, f.comparisons(d, d.declaration().Body, param, names))
				}
			}
			return true
		})
		return true
	})
	return groups
}

// handedOver tells which parameter of a called function is the index, and what
// its receiver and parameters are called here.
func (f boundRules) handedOver(x indexing, call *ast.CallExpr, d place) (param string, names map[string]string, ok bool) {
	sig := d.info().Defs[d.declaration().Name].Type().(*types.Signature)
	names = map[string]string{}
	if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && sig.Recv() != nil {
		names[sig.Recv().Name()] = f.text(sel.X)
	}
	for i, a := range call.Args {
		if i >= sig.Params().Len() {
			break
		}
		name := sig.Params().At(i).Name()
		names[name] = f.text(a)
		if f.text(a) == f.text(x.index) {
			param, ok = name, true
		}
	}
	return param, names, ok
}

// comparisons lists the comparisons below a node, with their bounds' values.
func (f boundRules) comparisons(p place, root ast.Node, index string, names map[string]string) []limit {
	var list []limit
	ast.Inspect(root, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || b.Op != token.LSS && b.Op != token.LEQ && b.Op != token.GTR && b.Op != token.GEQ {
			return true
		}
		for _, sides := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if !isPath(sides[0]) || isConstant(p, sides[1]) {
				continue
			}
			if _, isIdent := ast.Unparen(sides[0]).(*ast.Ident); !isIdent && f.text(sides[0]) != index {
				continue
			}
			l := limit{place: p, compare: b, ours: sides[0], bound: sides[1], here: f.text(sides[0]) == index}
			if a := f.values.variable(f.at, f.renamed(sides[1], names)); a.known {
				l.value, l.known = parseInt(a.value.Value)
			} else if name, call := p.builtin(sides[1]); name == "len" {
				if v := f.values.variable(f.at, f.renamed(call.Args[0], names)); v.known {
					l.value, l.known = v.value.Len, true
				}
			}
			list = append(list, l)
			break
		}
		return true
	})
	return list
}

// offByOne: the index is the length, which the comparison lets through.
func (f boundRules) offByOne(x indexing, l limit) {
	strict := map[token.Token]string{token.LEQ: "<", token.GTR: ">="}
	if l.ours == l.compare.Y {
		strict = map[token.Token]string{token.GEQ: ">", token.LSS: "<="}
	}
	op, ok := strict[l.compare.Op]
	if !ok || x.value != x.length || l.value != x.length {
		return
	}
	text := f.text(l.compare)
	f.blame(fmt.Sprintf("%s (%s) allows the index %d, which is the length", text, f.where(l.compare.Pos()), x.value), l.compare.Pos())
	end := l.compare.OpPos + token.Pos(len(l.compare.Op.String()))
	f.offer(idea{rule: "limits/off-by-one", title: fmt.Sprintf("compare with %s in %s", op, funcName(l.function())), weight: origin - 2, change: f.change().replace(l.compare.OpPos, end, op),
		grounds: fmt.Sprintf("%s compares the index (%s)", text, f.where(l.compare.Pos())),
		why:     "The last index is one less than the length; the check now says so."})
}

// otherLimit: two limits of one check are in each other's places.
func (f boundRules) otherLimit(x indexing, l limit, group []limit) {
	if l.value == x.length || x.value >= l.value {
		return
	}
	for _, other := range group {
		if other.here || !other.known || other.value != x.length || f.text(other.bound) == f.text(l.bound) {
			continue
		}
		f.blame(fmt.Sprintf("%s (%s) compares with the other limit", f.text(l.compare), f.where(l.compare.Pos())), l.compare.Pos())
		ch := f.change()
		for _, one := range group {
			switch f.text(one.bound) {
			case f.text(l.bound):
				ch.replace(one.bound.Pos(), one.bound.End(), f.text(other.bound))
			case f.text(other.bound):
				ch.replace(one.bound.Pos(), one.bound.End(), f.text(l.bound))
			}
		}
		f.offer(idea{rule: "limits/other-limit", title: fmt.Sprintf("exchange %s and %s in %s", f.text(l.bound), f.text(other.bound), funcName(l.function())), weight: origin - 2, change: ch,
			grounds: fmt.Sprintf("%s is as large as what %s indexes", f.text(other.bound), f.text(x.index)),
			why:     fmt.Sprintf("%s is checked against the limit of the other index; each now has its own.", f.text(x.index))})
		return
	}
}
