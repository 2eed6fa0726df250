package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Thing is what a test looks at, the same wherever it is looked at: a field,
// an entry of a map, what a function returns.
type Thing struct {
	object types.Object
	Part   string // what of it: "len", "entry", "result", or nothing
}

// ThingOf names what an expression is, through the local variables that hold it.
func (f *Analysis) ThingOf(p syntax.Place, e ast.Expr) (Thing, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if name, call := p.Builtin(e); name == "len" {
			t, ok := f.ThingOf(p, call.Args[0])
			t.Part += " len"
			return t, ok
		}
		if fn := p.Callee(e); fn != nil {
			return Thing{syntax.OriginOf(fn), "result"}, true
		}
	case *ast.IndexExpr:
		if syntax.IsMap(p.Info().TypeOf(e.X)) {
			t, ok := f.ThingOf(p, e.X)
			t.Part += " entry"
			return t, ok
		}
	case *ast.SelectorExpr:
		if v, ok := p.Object(e).(*types.Var); ok {
			return Thing{syntax.OriginOf(v), ""}, true
		}
	case *ast.Ident:
		return f.thingOfName(p, e)
	}
	return Thing{}, false
}

func (f *Analysis) thingOfName(p syntax.Place, id *ast.Ident) (Thing, bool) {
	v, ok := p.Object(id).(*types.Var)
	if !ok {
		return Thing{}, false
	}
	if syntax.IsGlobal(v) {
		return Thing{v, ""}, true
	}
	src := f.Trace(p, -1, id)
	if src.Expr == nil || ast.Unparen(src.Expr) == ast.Expr(id) || src.Kind == code.FromRange {
		return Thing{}, false
	}
	last := resultsOf(src) - 1
	if src.Result > 0 && src.Result != last {
		return Thing{}, false
	}
	return f.ThingOf(src.Place, src.Expr)
}

// resultsOf counts what the expression of a source gives.
func resultsOf(src code.Source) int {
	if tuple, ok := src.Info().TypeOf(src.Expr).(*types.Tuple); ok {
		return tuple.Len()
	}
	return 1
}

// Refusal is an if statement of the user's that refuses a bad value.
type Refusal struct {
	syntax.Place
	Stmt   *ast.IfStmt
	Looked ast.Expr // what it looks at
	Bad    ast.Expr // what it looks at is here; may be nil
}

// refusalsOf lists how the package treats the same thing when it is bad, the
// nearest first. kinds are what may be bad about it: "nil", "zero", "negative", "short".
func (f *Analysis) refusalsOf(p syntax.Place, e ast.Expr, kinds ...string) []Refusal {
	t, ok := f.ThingOf(p, e)
	if !ok {
		return nil
	}
	return f.RefusalsOfThing(p, t, kinds...)
}

// RefusalsOfThing lists the checks in the package of a place that refuse a bad value of
// a thing.
func (f *Analysis) RefusalsOfThing(p syntax.Place, t Thing, kinds ...string) []Refusal {
	var near, far []Refusal
	f.Each(func(q syntax.Place) {
		if q.Pkg != p.Pkg {
			return
		}
		ast.Inspect(q.File, func(n ast.Node) bool {
			stmt, ok := n.(*ast.IfStmt)
			if !ok || stmt.Else != nil || len(stmt.Body.List) > 3 || !syntax.Leaves(stmt.Body.List) {
				return true
			}
			at := q.Of(stmt)
			if looked, hit := f.refuses(at, stmt.Cond, t, kinds); hit {
				r := Refusal{Place: at, Stmt: stmt, Looked: looked}
				if q.File == p.File {
					near = append(near, r)
				} else {
					far = append(far, r)
				}
			}
			return true
		})
	})
	return append(near, far...)
}

// refuses reports whether a condition holds when the thing is bad.
func (f *Analysis) refuses(p syntax.Place, cond ast.Expr, t Thing, kinds []string) (looked ast.Expr, ok bool) {
	cond = ast.Unparen(cond)
	if b, isBinary := cond.(*ast.BinaryExpr); isBinary && b.Op == token.LOR {
		if looked, ok = f.refuses(p, b.X, t, kinds); ok {
			return looked, ok
		}
		return f.refuses(p, b.Y, t, kinds)
	}
	looked, kind := tested(p, cond)
	if looked == nil || !slices.Contains(kinds, kind) {
		return nil, false
	}
	got, known := f.ThingOf(p, looked)
	return looked, known && got.Part == t.Part && f.Same(got.object, t.object)
}

// tested returns what a simple condition looks at, and what is bad about it.
func tested(p syntax.Place, cond ast.Expr) (ast.Expr, string) {
	switch c := cond.(type) {
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(c.X).(*ast.Ident); ok && c.Op == token.NOT {
			return id, "missing"
		}
	case *ast.BinaryExpr:
		if tv := p.Info().Types[c.Y]; tv.IsNil() && c.Op == token.EQL {
			return c.X, "nil"
		}
		if n, ok := syntax.ConstantInt(p, c.Y); ok {
			switch {
			case n == 0 && c.Op == token.EQL, n == 1 && c.Op == token.LSS, n == 0 && c.Op == token.LEQ:
				return c.X, "zero"
			case n == 0 && c.Op == token.LSS, n == -1 && c.Op == token.EQL:
				return c.X, "negative"
			case c.Op == token.LSS, c.Op == token.LEQ, c.Op == token.NEQ:
				return c.X, "short"
			}
		}
	}
	return nil, ""
}

// TreatAlike remembers how the rest of the package treats a bad value, for
// exits. Code that looks at the same thing elsewhere knows what is meant.
func (f *Analysis) TreatAlike(p syntax.Place, bad ast.Expr, kinds ...string) {
	for _, r := range f.refusalsOf(p, bad, kinds...) {
		r.Bad = bad
		f.Alike = append(f.Alike, r)
	}
}
