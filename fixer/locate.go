package fixer

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// suspect is an expression that may be the one that stopped the program.
type suspect struct {
	place
	expr ast.Expr // the faulting expression
	bad  ast.Expr // its operand with the bad value
	fact tri      // whether the paused values say that it is bad
	fits bool     // its index is a constant, and the one that the message names
}

// lineOf returns the line that the compiler gives a node: that of its
// operator, bracket, parenthesis or selector.
func (f *code) lineOf(n ast.Node) int {
	pos := n.Pos()
	switch n := n.(type) {
	case *ast.BinaryExpr:
		pos = n.OpPos
	case *ast.IndexExpr:
		pos = n.Lbrack
	case *ast.SliceExpr:
		pos = n.Lbrack
	case *ast.CallExpr:
		pos = n.Lparen
	case *ast.SelectorExpr:
		pos = n.X.End()
	case *ast.TypeAssertExpr:
		pos = n.Lparen
	case *ast.AssignStmt:
		pos = n.TokPos
	case *ast.IncDecStmt:
		pos = n.TokPos
	case *ast.SendStmt:
		pos = n.Arrow
	}
	return f.line(pos)
}

// choose visits the nodes of the function in order of evaluation, collects
// what judge finds on the culprit's line and returns the most likely: one that
// the values prove, else one they do not disprove.
func (f *analysis) choose(judge func(place, ast.Node) []suspect) (suspect, bool) {
	var exact, near []suspect
	root := f.home.path[0]
	visit(root, func(n ast.Node) {
		first, last := f.line(n.Pos()), f.line(n.End())
		if first > f.frame.Line || last < f.frame.Line {
			return
		}
		for _, s := range judge(f.home, n) {
			s.place = f.home.of(s.expr)
			if !inFrame(f.frame, s.place) {
				continue
			}
			if f.lineOf(n) == f.frame.Line {
				exact = append(exact, s)
			} else {
				near = append(near, s)
			}
		}
	})
	near = tightest(f.code, near)
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
func inFrame(frame debugger.Frame, p place) bool {
	name := rangeBody.ReplaceAllString(frame.Function, "")
	if debugger.IsWrapper(name) { // around what is on the line of its go or defer statement
		return true
	}
	_, isLit := p.function().(*ast.FuncLit)
	return isLit == closureName.MatchString(name)
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
		if text := brief(f.text(s.bad)); s.fact == unknown && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// tightest keeps the suspects whose statement is smallest around the line.
func tightest(f *code, list []suspect) []suspect {
	best := 1 << 30
	var kept []suspect
	for _, s := range list {
		anchor := s.anchor()
		if anchor == nil {
			continue
		}
		size := f.line(anchor.End()) - f.line(anchor.Pos())
		if size < best {
			best, kept = size, nil
		}
		if size == best {
			kept = append(kept, s)
		}
	}
	return kept
}

// visit calls do for every node below root after the nodes it is made of.
func visit(root ast.Node, do func(ast.Node)) {
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			do(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		return true
	})
}

// callsOnLine lists the calls on the culprit's line, the innermost first.
func (f *analysis) callsOnLine() []place {
	var exact, near []place
	visit(f.home.path[0], func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.line(call.Pos()) > f.frame.Line || f.line(call.End()) < f.frame.Line || !inFrame(f.frame, f.home.of(call)) {
			return
		}
		if f.lineOf(call) == f.frame.Line {
			exact = append(exact, f.home.of(call))
		} else {
			near = append(near, f.home.of(call))
		}
	})
	return append(exact, near...)
}

// inLibrary reports whether the culprit's line is a call into code that is not
// the user's, where the panic began; the name is that of the function called.
func (f *analysis) inLibrary() (string, bool) {
	if f.at < 1 || f.c.Stop.Frames[f.at-1].Runtime {
		return "", false
	}
	return f.c.Stop.Frames[f.at-1].Function, true
}

// terms splits an expression into the operands of its sum and an integer constant.
func offsetOf(p place, e ast.Expr) (base ast.Expr, offset int64, ok bool) {
	e = ast.Unparen(e)
	if b, isBinary := e.(*ast.BinaryExpr); isBinary && (b.Op == token.ADD || b.Op == token.SUB) {
		if n, isConst := constantInt(p, b.Y); isConst {
			base, inner, ok := offsetOf(p, b.X)
			if b.Op == token.SUB {
				n = -n
			}
			return base, inner + n, ok
		}
		if n, isConst := constantInt(p, b.X); isConst && b.Op == token.ADD {
			base, inner, ok := offsetOf(p, b.Y)
			return base, inner + n, ok
		}
	}
	return e, 0, true
}
