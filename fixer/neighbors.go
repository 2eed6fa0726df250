package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// thing is what a test looks at, the same wherever it is looked at: a field,
// an entry of a map, what a function returns.
type thing struct {
	object types.Object
	part   string // what of it: "len", "entry", "result", or nothing
}

// thingOf names what an expression is, through the local variables that hold it.
func (f *analysis) thingOf(p syntax.Place, e ast.Expr) (thing, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if name, call := p.Builtin(e); name == "len" {
			t, ok := f.thingOf(p, call.Args[0])
			t.part += " len"
			return t, ok
		}
		if fn := p.Callee(e); fn != nil {
			return thing{syntax.OriginOf(fn), "result"}, true
		}
	case *ast.IndexExpr:
		if syntax.IsMap(p.Info().TypeOf(e.X)) {
			t, ok := f.thingOf(p, e.X)
			t.part += " entry"
			return t, ok
		}
	case *ast.SelectorExpr:
		if v, ok := p.Object(e).(*types.Var); ok {
			return thing{syntax.OriginOf(v), ""}, true
		}
	case *ast.Ident:
		return f.thingOfName(p, e)
	}
	return thing{}, false
}

func (f *analysis) thingOfName(p syntax.Place, id *ast.Ident) (thing, bool) {
	v, ok := p.Object(id).(*types.Var)
	if !ok {
		return thing{}, false
	}
	if syntax.IsGlobal(v) {
		return thing{v, ""}, true
	}
	src := f.trace(p, -1, id)
	if src.Expr == nil || ast.Unparen(src.Expr) == ast.Expr(id) || src.Kind == code.FromRange {
		return thing{}, false
	}
	last := resultsOf(src) - 1
	if src.Result > 0 && src.Result != last {
		return thing{}, false
	}
	return f.thingOf(src.Place, src.Expr)
}

// resultsOf counts what the expression of a source gives.
func resultsOf(src code.Source) int {
	if tuple, ok := src.Info().TypeOf(src.Expr).(*types.Tuple); ok {
		return tuple.Len()
	}
	return 1
}

// refusal is an if statement of the user's that refuses a bad value.
type refusal struct {
	syntax.Place
	stmt   *ast.IfStmt
	looked ast.Expr // what it looks at
	bad    ast.Expr // what it looks at is here; may be nil
}

// refusalsOf lists how the package treats the same thing when it is bad, the
// nearest first. kinds are what may be bad about it: "nil", "zero", "negative", "short".
func (f *analysis) refusalsOf(p syntax.Place, e ast.Expr, kinds ...string) []refusal {
	t, ok := f.thingOf(p, e)
	if !ok {
		return nil
	}
	return f.refusalsOfThing(p, t, kinds...)
}

func (f *analysis) refusalsOfThing(p syntax.Place, t thing, kinds ...string) []refusal {
	var near, far []refusal
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
				r := refusal{Place: at, stmt: stmt, looked: looked}
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
func (f *analysis) refuses(p syntax.Place, cond ast.Expr, t thing, kinds []string) (looked ast.Expr, ok bool) {
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
	got, known := f.thingOf(p, looked)
	return looked, known && got.part == t.part && f.Same(got.object, t.object)
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

// treatAlike remembers how the rest of the package treats a bad value, for
// exits. Code that looks at the same thing elsewhere knows what is meant.
func (f *analysis) treatAlike(p syntax.Place, bad ast.Expr, kinds ...string) {
	for _, r := range f.refusalsOf(p, bad, kinds...) {
		r.bad = bad
		f.alike = append(f.alike, r)
	}
}

// alikeExits writes what neighbors do with the same bad value.
func (f *exitFinder) alikeExits(p syntax.Place) []exit {
	var list []exit
	for _, r := range f.alike {
		for _, lines := range f.ported(r, p) {
			list = append(list, exit{lines: lines, imports: r.packagesUsed(), weight: origin - 1,
				how: fmt.Sprintf("does as %s does (%s)", syntax.FuncName(r.Function()), f.Where(r.stmt.Pos()))})
		}
		if len(list) > 2 {
			break
		}
	}
	return list
}

// ported writes the body of a refusal for another place.
func (f *exitFinder) ported(r refusal, p syntax.Place) []string {
	from, to := r.Signature(), p.Signature()
	last, isReturn := r.stmt.Body.List[len(r.stmt.Body.List)-1].(*ast.ReturnStmt)
	if from == nil || to == nil || !isReturn || r.Function() == p.Function() && syntax.Contains(r.stmt, p.Node().Pos()) {
		return nil
	}
	swaps := f.swapsFor(r, p)
	var list []string
	if identicalResults(from, to) && (len(last.Results) > 0 || to.Results().Len() == 0) {
		parts, fits := make([]string, len(r.stmt.Body.List)), true
		for i, s := range r.stmt.Body.List {
			text, ok := f.adapted(r.Place, s, p, swaps)
			parts[i], fits = text, fits && ok
		}
		if fits {
			list = append(list, strings.Join(parts, "\n"))
		}
	}
	n, m := from.Results().Len(), to.Results().Len()
	if n > 0 && m > 0 && len(last.Results) == n && syntax.IsError(to.Results().At(m-1).Type()) && syntax.ImplementsError(from.Results().At(n-1).Type()) {
		rest, ok := syntax.ZeroResults(p, to, 1)
		text, fits := f.adapted(r.Place, last.Results[n-1], p, swaps)
		if ok && fits && !r.Info().Types[last.Results[n-1]].IsNil() {
			list = append(list, "return "+syntax.Join(rest, text))
		}
	}
	return list
}

func identicalResults(a, b *types.Signature) bool {
	if a.Results().Len() != b.Results().Len() {
		return false
	}
	for i := range a.Results().Len() {
		x, y := a.Results().At(i).Type(), b.Results().At(i).Type()
		_, param := x.(*types.TypeParam)
		if !types.Identical(x, y) && (!param || x.String() != y.String()) {
			return false
		}
	}
	return true
}

// swapsFor maps what plays a part in one function to what plays the same part in
// another: the receiver, parameters that are of one type and are either called
// the same or alone of that type, what the looked-up value is called, and what
// the lookup is given.
func (f *exitFinder) swapsFor(r refusal, p syntax.Place) map[string]string {
	swaps := map[string]string{}
	from, to := r.Signature(), p.Signature()
	if from.Recv() != nil && to.Recv() != nil && types.Identical(from.Recv().Type(), to.Recv().Type()) {
		swaps[from.Recv().Name()] = to.Recv().Name()
	}
	for i := range from.Params().Len() {
		x := from.Params().At(i)
		if y := samePart(x, from, to); y != nil {
			swaps[x.Name()] = y.Name()
		}
	}
	if r.bad == nil {
		return swaps
	}
	if id, ok := ast.Unparen(r.looked).(*ast.Ident); ok && types.Identical(r.Info().TypeOf(id), p.Info().TypeOf(r.bad)) && syntax.IsPath(r.bad) {
		swaps[id.Name] = f.Text(r.bad)
	}
	theirs, ours := f.trace(r.Place, -1, r.looked), f.trace(p, -1, r.bad)
	if theirs.Expr != nil && ours.Expr != nil && theirs.Function() == r.Function() && ours.Function() == p.Function() {
		given, _ := f.argumentsFor(ast.Unparen(theirs.Expr), ast.Unparen(ours.Expr))
		for their, our := range given {
			swaps[their] = our
		}
	}
	return swaps
}

// samePart finds the parameter of another function that plays the part of x.
func samePart(x *types.Var, from, to *types.Signature) *types.Var {
	alone := func(s *types.Signature) (only *types.Var, n int) {
		for i := range s.Params().Len() {
			if v := s.Params().At(i); types.Identical(v.Type(), x.Type()) {
				only, n = v, n+1
			}
		}
		return only, n
	}
	for i := range to.Params().Len() {
		if y := to.Params().At(i); y.Name() == x.Name() && types.Identical(x.Type(), y.Type()) {
			return y
		}
	}
	_, theirs := alone(from)
	y, ours := alone(to)
	if _, basic := x.Type().Underlying().(*types.Basic); basic || theirs != 1 || ours != 1 || y.Name() == "" || y.Name() == "_" {
		return nil
	}
	return y
}

// packagesUsed lists the packages that the body of a refusal names.
func (r refusal) packagesUsed() []string {
	var list []string
	ast.Inspect(r.stmt.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := r.Info().Uses[id].(*types.PkgName); ok {
				list = append(list, pkg.Imported().Path())
			}
		}
		return true
	})
	return list
}

// treatLengthAlike is treatAlike for what is too short to be indexed.
func (f indexRules) treatLengthAlike(x indexing) {
	t, ok := f.thingOf(x.Place, x.base)
	if !ok || x.negative() {
		return
	}
	kind := "short"
	if x.length == 0 {
		kind = "zero"
	}
	t.part += " len"
	f.alike = append(f.alike, f.refusalsOfThing(x.Place, t, kind)...)
}
