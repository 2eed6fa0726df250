package fixer

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// suspect is an expression that may be the one that stopped the program.
type suspect struct {
	syntax.Place
	expr ast.Expr // the faulting expression
	bad  ast.Expr // its operand with the bad value
	fact tri      // whether the paused values say that it is bad
	fits bool     // its index is a constant, and the one that the message names
}

// choose visits the nodes of the function in order of evaluation, collects
// what judge finds on the culprit's line and returns the most likely: one that
// the values prove, else one they do not disprove.
func (f *analysis) choose(judge func(syntax.Place, ast.Node) []suspect) (suspect, bool) {
	var exact, near []suspect
	root := f.home.Path[0]
	syntax.Visit(root, func(n ast.Node) {
		first, last := f.Line(n.Pos()), f.Line(n.End())
		if first > f.frame.Line || last < f.frame.Line {
			return
		}
		for _, s := range judge(f.home, n) {
			s.Place = f.home.Of(s.expr)
			if !inFrame(f.frame, s.Place) {
				continue
			}
			if f.LineOf(n) == f.frame.Line {
				exact = append(exact, s)
			} else {
				near = append(near, s)
			}
		}
	})
	near = tightest(f.Code, near)
	for _, list := range [][]suspect{exact, near} {
		for _, is := range likely {
			at := slices.IndexFunc(list, is)
			if at < 0 {
				continue
			}
			s := list[at]
			f.chosen, f.guessed = s, nil
			if s.fact == unknown {
				f.guessed = f.distinct(list)
			}
			return s, s.fact == yes || !f.doubtful || onlyOne(exact, near)
		}
	}
	return suspect{}, false
}

// likely says which suspect is taken: the first that the values prove, else one that fits
// the message, else the first that the values do not rule out.
var likely = []func(suspect) bool{
	func(s suspect) bool { return s.fact == yes },
	func(s suspect) bool { return s.fact == unknown && s.fits },
	func(s suspect) bool { return s.fact == unknown },
}

// inFrame reports whether a node may be what a frame executes: a function literal on the
// line is another function than the one around it.
func inFrame(frame debugger.Frame, p syntax.Place) bool {
	name := rangeBody.ReplaceAllString(frame.Function, "")
	if debugger.IsWrapper(name) { // around what is on the line of its go or defer statement
		return true
	}
	_, isLit := p.Function().(*ast.FuncLit)
	return isLit == syntax.ClosureName.MatchString(name)
}

var rangeBody = lazyregexp.New(`(-range\d+)+$`)

// onlyOne reports whether the values leave one suspect.
func onlyOne(lists ...[]suspect) bool {
	left := 0
	for _, s := range slices.Concat(lists...) {
		if s.fact != no {
			left++
		}
	}
	return left == 1
}

// distinct lists the texts of the suspects of which nothing is known.
func (f *analysis) distinct(list []suspect) []string {
	var texts []string
	for _, s := range list {
		if text := syntax.Brief(f.Text(s.bad)); s.fact == unknown && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// tightest keeps the suspects whose statement is smallest around the line.
func tightest(f *code.Code, list []suspect) []suspect {
	best := 1 << 30
	var kept []suspect
	for _, s := range list {
		anchor := s.Anchor()
		if anchor == nil {
			continue
		}
		size := f.Line(anchor.End()) - f.Line(anchor.Pos())
		if size < best {
			best, kept = size, nil
		}
		if size == best {
			kept = append(kept, s)
		}
	}
	return kept
}

// callsOnLine lists the calls on the culprit's line, the innermost first.
func (f *analysis) callsOnLine() []syntax.Place {
	var exact, near []syntax.Place
	syntax.Visit(f.home.Path[0], func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.Line(call.Pos()) > f.frame.Line || f.Line(call.End()) < f.frame.Line || !inFrame(f.frame, f.home.Of(call)) {
			return
		}
		if f.LineOf(call) == f.frame.Line {
			exact = append(exact, f.home.Of(call))
		} else {
			near = append(near, f.home.Of(call))
		}
	})
	return append(exact, near...)
}

// inLibrary reports whether the culprit's line is a call into code that is not
// the user's, where the panic began; the name is that of the function called.
func (f *analysis) inLibrary() (string, bool) {
	if f.at < 1 || f.Case.Stop.Frames[f.at-1].Runtime {
		return "", false
	}
	return f.Case.Stop.Frames[f.at-1].Function, true
}

// terms splits an expression into the operands of its sum and an integer constant.
func offsetOf(p syntax.Place, e ast.Expr) (base ast.Expr, offset int64, ok bool) {
	e = ast.Unparen(e)
	if b, isBinary := e.(*ast.BinaryExpr); isBinary && (b.Op == token.ADD || b.Op == token.SUB) {
		if n, isConst := syntax.ConstantInt(p, b.Y); isConst {
			base, inner, ok := offsetOf(p, b.X)
			if b.Op == token.SUB {
				n = -n
			}
			return base, inner + n, ok
		}
		if n, isConst := syntax.ConstantInt(p, b.X); isConst && b.Op == token.ADD {
			base, inner, ok := offsetOf(p, b.Y)
			return base, inner + n, ok
		}
	}
	return e, 0, true
}
