package bounds

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// signLost fixes a number that became negative because bytes were read as a
// signed type: int(int8(b)), int(int16(hi)<<8 | int16(lo)).
func (f sizeRules) signLost(p syntax.Place, frame int, e ast.Expr) {
	f.backwardSlice(p, frame, e, func(q syntax.Place, _ int, e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !q.Info().Types[call.Fun].IsType() {
			return true
		}
		to, from := basicInteger(q.Info().TypeOf(call)), basicInteger(q.Info().TypeOf(call.Args[0]))
		if to == nil || from == nil || bitsOf(to) <= bitsOf(from) || from.Info()&types.IsUnsigned != 0 || q.Info().Types[call.Args[0]].Value != nil {
			return true
		}
		return true
	})
}

// basicInteger returns an integer type under a name; nil for others.
func basicInteger(t types.Type) *types.Basic {
	if t == nil {
		return nil
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return nil
	}
	return b
}

// bitsOf is the size of an integer type as this machine's kind has it.
func bitsOf(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// maxSlice bounds how many expressions a value is followed back through.
const maxSlice = 80

// backwardSlice visits the expressions that a value is made from, the nearest
// first: operands, what variables were given, arguments of callers, what called
// functions return, what fields are set to. It ends when visit returns false.
func (f sizeRules) backwardSlice(p syntax.Place, frame int, e ast.Expr, visit func(p syntax.Place, frame int, e ast.Expr) bool) {
	w := sliceWalk{f: f.Analysis, visit: visit, seen: map[ast.Node]bool{}}
	w.add(p, frame, e)
	for len(w.queue) > 0 && len(w.seen) < maxSlice && !w.done {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.step(next)
	}
}

type sliceStep struct {
	p     syntax.Place
	frame int
	e     ast.Expr
}

type sliceWalk struct {
	f     *analysis.Analysis
	visit func(syntax.Place, int, ast.Expr) bool
	seen  map[ast.Node]bool
	queue []sliceStep
	done  bool
}

func (w *sliceWalk) add(p syntax.Place, frame int, e ast.Expr) {
	if e == nil {
		return
	}
	e = ast.Unparen(e)
	if !w.seen[e] {
		w.seen[e] = true
		w.queue = append(w.queue, sliceStep{p.Of(e), frame, e})
	}
}

func (w *sliceWalk) step(at sliceStep) {
	if !w.visit(at.p, at.frame, at.e) {
		w.done = true
		return
	}
	switch e := at.e.(type) {
	case *ast.BinaryExpr:
		w.add(at.p, at.frame, e.X)
		w.add(at.p, at.frame, e.Y)
	case *ast.UnaryExpr:
		w.add(at.p, at.frame, e.X)
	case *ast.StarExpr:
		w.add(at.p, at.frame, e.X)
	case *ast.Ident:
		w.variable(at, e)
	case *ast.SelectorExpr:
		w.field(at, e)
	case *ast.CallExpr:
		w.call(at, e)
	}
}

func (w *sliceWalk) variable(at sliceStep, id *ast.Ident) {
	v, ok := at.p.Info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	if arg, found := w.f.Argument(at.p, at.frame, v); found {
		if arg.Expr != nil {
			w.add(arg.Place, arg.Frame, arg.Expr)
		}
	}
	for _, d := range w.f.Definitions(at.p, v) {
		if d.Expr == nil || d.Kind == code.FromRange {
			continue
		}
		frame := at.frame
		if syntax.IsGlobal(v) {
			frame = -1
		}
		if call, ok := ast.Unparen(d.Expr).(*ast.CallExpr); ok && d.Result > 0 {
			w.returned(d.Place, call, d.Result)
			continue
		}
		w.add(d.Place, frame, d.Expr)
	}
}

func (w *sliceWalk) field(at sliceStep, sel *ast.SelectorExpr) {
	t, field := syntax.StructOf(at.p, sel)
	if t == nil {
		if v, ok := at.p.Info().ObjectOf(sel.Sel).(*types.Var); ok && syntax.IsGlobal(v) {
			for _, d := range w.f.Definitions(at.p, v) {
				w.add(d.Place, -1, d.Expr)
			}
		}
		return
	}
	for _, b := range w.f.Buildings(t) {
		if v, present := b.FieldValue(field); present {
			w.add(b.Place, -1, v)
		}
	}
	for _, as := range w.f.AssignmentsTo(field) {
		s := as.Node().(*ast.AssignStmt)
		for i, l := range s.Lhs {
			if other, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(s.Lhs) == len(s.Rhs) && w.f.Same(as.Info().ObjectOf(other.Sel), field) {
				w.add(as, -1, s.Rhs[i])
			}
		}
	}
}

func (w *sliceWalk) call(at sliceStep, call *ast.CallExpr) {
	if tv := at.p.Info().Types[call.Fun]; tv.IsType() {
		w.add(at.p, at.frame, call.Args[0])
		return
	}
	if name, _ := at.p.Builtin(call); name == "min" || name == "max" {
		for _, a := range call.Args {
			w.add(at.p, at.frame, a)
		}
		return
	}
	w.returned(at.p, call, 0)
}

// returned adds what a called function returns as one of its results.
func (w *sliceWalk) returned(p syntax.Place, call *ast.CallExpr, result int) {
	d, ok := w.f.DeclarationOf(p.Callee(call))
	if !ok {
		return
	}
	for _, r := range syntax.ReturnsOf(d.Node()) {
		if len(r.Results) > result {
			w.add(d, -1, r.Results[result])
		}
	}
}
