package analysis

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Suspect is an expression that may be the one that stopped the program.
type Suspect struct {
	syntax.Place
	Expr ast.Expr // the faulting expression
	Bad  ast.Expr // its operand with the bad value
	Fact Tri      // whether the paused values say that it is bad
	Fits bool     // its index is a constant, and the one that the message names
}

// LibraryGiven is the negative number, and the call of the user's code that gave it to the
// library, which called the function that stopped.
func (f *Analysis) LibraryGiven(s Suspect) (arg syntax.Place, call *ast.CallExpr, ok bool) {
	id, isName := ast.Unparen(s.Bad).(*ast.Ident)
	if !isName || f.At+1 >= len(f.Case.Stop.Frames) || f.Case.Stop.Frames[f.At+1].User {
		return syntax.Place{}, nil, false
	}
	bad, known := f.Number(s.Place, f.At, id)
	if src := f.Trace(s.Place, f.At, id); !known || bad >= 0 || src.Kind != code.FromParam {
		return syntax.Place{}, nil, false
	}
	outer := f.At + 1
	for outer < len(f.Case.Stop.Frames) && !f.Case.Stop.Frames[outer].User {
		outer++
	}
	if outer == len(f.Case.Stop.Frames) {
		return syntax.Place{}, nil, false
	}
	home, found := f.FunctionAt(f.Case.Stop.Frames[outer])
	if !found {
		return syntax.Place{}, nil, false
	}
	given := 0
	ast.Inspect(home.Node(), func(n ast.Node) bool {
		c, isCall := n.(*ast.CallExpr)
		if !isCall || f.Line(c.Pos()) != f.Case.Stop.Frames[outer].Line {
			return true
		}
		for _, a := range c.Args {
			if t := home.Info().TypeOf(a); t == nil || !syntax.IsInteger(t) {
				continue
			}
			if n, known := f.Number(home, outer, a); known && n == bad {
				given++
				arg, call = home.Of(a), c
			}
		}
		return true
	})
	return arg, call, given == 1
}

// Choose visits the nodes of the function in order of evaluation, collects
// what judge finds on the culprit's line and returns the most likely: one that
// the values prove, else one they do not disprove.
func (f *Analysis) Choose(judge func(syntax.Place, ast.Node) []Suspect) (Suspect, bool) {
	var exact, near []Suspect
	root := f.Home.Path[0]
	syntax.Visit(root, func(n ast.Node) {
		first, last := f.Line(n.Pos()), f.Line(n.End())
		if first > f.Frame.Line || last < f.Frame.Line {
			return
		}
		for _, s := range judge(f.Home, n) {
			s.Place = f.Home.Of(s.Expr)
			if !inFrame(f.Frame, s.Place) {
				continue
			}
			if f.LineOf(n) == f.Frame.Line {
				exact = append(exact, s)
			} else {
				near = append(near, s)
			}
		}
	})
	near = tightest(f.Code, near)
	for _, list := range [][]Suspect{exact, near} {
		for _, is := range likely {
			at := slices.IndexFunc(list, is)
			if at < 0 {
				continue
			}
			s := list[at]
			f.Chosen, f.Guessed = s, nil
			if s.Fact == Unknown {
				f.Guessed = f.distinct(list)
			}
			return s, s.Fact == Yes || !f.Doubtful || onlyOne(exact, near)
		}
	}
	return Suspect{}, false
}

// likely says which suspect is taken: the first that the values prove, else one that fits
// the message, else the first that the values do not rule out.
var likely = []func(Suspect) bool{
	func(s Suspect) bool { return s.Fact == Yes },
	func(s Suspect) bool { return s.Fact == Unknown && s.Fits },
	func(s Suspect) bool { return s.Fact == Unknown },
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
func onlyOne(lists ...[]Suspect) bool {
	left := 0
	for _, s := range slices.Concat(lists...) {
		if s.Fact != No {
			left++
		}
	}
	return left == 1
}

// distinct lists the texts of the suspects of which nothing is known.
func (f *Analysis) distinct(list []Suspect) []string {
	var texts []string
	for _, s := range list {
		if text := syntax.Brief(f.Text(s.Bad)); s.Fact == Unknown && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// tightest keeps the suspects whose statement is smallest around the line.
func tightest(f *code.Code, list []Suspect) []Suspect {
	best := 1 << 30
	var kept []Suspect
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

// CallsOnLine lists the calls on the culprit's line, the innermost first.
func (f *Analysis) CallsOnLine() []syntax.Place {
	var exact, near []syntax.Place
	syntax.Visit(f.Home.Path[0], func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || f.Line(call.Pos()) > f.Frame.Line || f.Line(call.End()) < f.Frame.Line || !inFrame(f.Frame, f.Home.Of(call)) {
			return
		}
		if f.LineOf(call) == f.Frame.Line {
			exact = append(exact, f.Home.Of(call))
		} else {
			near = append(near, f.Home.Of(call))
		}
	})
	return append(exact, near...)
}

// InLibrary reports whether the culprit's line is a call into code that is not
// the user's, where the panic began; the name is that of the function called.
func (f *Analysis) InLibrary() (string, bool) {
	if f.At < 1 || f.Case.Stop.Frames[f.At-1].Runtime {
		return "", false
	}
	return f.Case.Stop.Frames[f.At-1].Function, true
}
