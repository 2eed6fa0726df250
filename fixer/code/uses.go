package code

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// Source is where a value came from.
type Source struct {
	syntax.Place              // of the defining expression or declaration
	Frame        int          // the frame in which its names have values; -1 when none
	Expr         ast.Expr     // what gave the value; nil for a declaration without one
	Object       types.Object // the variable or parameter it was read from last; may be nil
	Stmt         ast.Node     // the assignment or declaration; may be nil
	Result       int          // which result of a call expr is; 0 otherwise
	Kind         sourceKind
	// Unsure: more than one statement may have given the value, and which one did is
	// not known.
	Unsure bool
}

// sourceKind is how a value was given.
type sourceKind int

const (
	FromExpr    sourceKind = iota // expr is the value
	FromNothing                   // declared without a value
	FromRange                     // an element of expr, which is ranged over
	FromParam                     // a parameter whose call is not known
	FromOK                        // the first result of a comma-ok form of expr
)

// RunsAsGoroutine reports whether the function of a place is started by a go statement.
func (f *Code) RunsAsGoroutine(p syntax.Place) bool {
	switch fn := p.Function().(type) {
	case *ast.FuncLit:
		at := p.Of(fn)
		for _, n := range at.Path[1:min(4, len(at.Path))] {
			if _, ok := n.(*ast.GoStmt); ok {
				return true
			}
			if _, call := syntax.WaitGroupCall(p, n, "Go"); call != nil {
				return true
			}
		}
	case *ast.FuncDecl:
		return len(f.GoStatements(p, fn)) > 0
	}
	return false
}

// GoStatements lists the go statements that start a declared function,
// directly or in the body of a function literal.
func (f *Code) GoStatements(p syntax.Place, d *ast.FuncDecl) []syntax.Place {
	obj := p.Info().Defs[d.Name]
	var list []syntax.Place
	f.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			switch g := n.(type) {
			case *ast.GoStmt:
				if startsFunc(f, q, g.Call, obj) {
					list = append(list, q.Of(g))
				}
			case *ast.CallExpr:
				if _, call := syntax.WaitGroupCall(q, g, "Go"); call != nil && len(call.Args) == 1 {
					if lit, ok := call.Args[0].(*ast.FuncLit); ok && callsIn(f, q, lit.Body, obj) {
						list = append(list, q.Of(g))
					}
				}
			}
			return true
		})
	})
	return list
}

func startsFunc(f *Code, q syntax.Place, call *ast.CallExpr, obj types.Object) bool {
	if fn := q.Callee(call); fn != nil && f.Same(syntax.OriginOf(fn), obj) {
		return true
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return ok && callsIn(f, q, lit.Body, obj)
}

func callsIn(f *Code, q syntax.Place, root ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(root, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := q.Callee(call); fn != nil && f.Same(syntax.OriginOf(fn), obj) {
				found = true
			}
		}
		return true
	})
	return found
}

// placeOf is the place of a use of the index.
func (f *Code) placeOf(u workspace.Use) syntax.Place {
	return f.in(u.In.Package, u.In.File).Of(u.Node)
}

// Innermost finds the function that runs at a line of a frame: a declaration, or a
// literal in it.
func (f *Code) Innermost(home syntax.Place, function string, line int) ast.Node {
	best := home.Path[0]
	if !syntax.ClosureName.MatchString(function) {
		return best
	}
	ast.Inspect(home.Path[0], func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && f.Line(lit.Pos()) <= line && line <= f.Line(lit.End()) {
			best = lit
		}
		return true
	})
	return best
}

// Definitions lists all places that give a variable a value, in source order.
func (f *Code) Definitions(p syntax.Place, v *types.Var) []Source {
	var list []Source
	add := func(q syntax.Place, at ast.Node, names []ast.Expr, values []ast.Expr) {
		for i, n := range names {
			id, ok := ast.Unparen(n).(*ast.Ident)
			if !ok || !f.Same(q.Info().ObjectOf(id), v) {
				continue
			}
			s := Source{Frame: -1, Stmt: at, Object: v}
			switch {
			case len(values) == 0:
				s.Kind, s.Place = FromNothing, q.Of(at)
			case len(values) == len(names):
				s.Expr, s.Place = values[i], q.Of(values[i])
			default:
				s.Expr, s.Place, s.Result = values[0], q.Of(values[0]), i
				if _, isCall := ast.Unparen(values[0]).(*ast.CallExpr); !isCall {
					s.Kind = FromOK
				}
			}
			list = append(list, s)
		}
	}
	visitFile := func(q syntax.Place, root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
					add(q, n, n.Lhs, n.Rhs)
				}
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(n.Names))
				for i := range n.Names {
					names[i] = n.Names[i]
				}
				add(q, n, names, n.Values)
			case *ast.RangeStmt:
				for i, e := range []ast.Expr{n.Key, n.Value} {
					if id, ok := e.(*ast.Ident); ok && f.Same(q.Info().ObjectOf(id), v) {
						list = append(list, Source{Place: q.Of(n.X), Frame: -1, Expr: n.X, Stmt: n, Object: v, Result: i, Kind: FromRange})
					}
				}
			}
			return true
		})
	}
	if v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || syntax.IsGlobal(v) {
		f.Each(func(q syntax.Place) { visitFile(q, q.File) })
		return list
	}
	if d := p.Declaration(); d != nil {
		visitFile(p, d)
	} else {
		visitFile(p, p.File)
	}
	return list
}

// DeclarationOf returns the user's declaration of a function.
func (f *Code) DeclarationOf(fn *types.Func) (syntax.Place, bool) {
	if fn == nil {
		return syntax.Place{}, false
	}
	var found syntax.Place
	f.Each(func(p syntax.Place) {
		for _, d := range p.File.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == fn.Name() && f.Same(syntax.OriginOf(p.Info().Defs[fd.Name]), syntax.OriginOf(fn)) {
				found = p.Of(fd)
			}
		}
	})
	return found, found.File != nil
}

// CallsOf lists the calls of a function in the user's packages; plain is false
// when it is also used otherwise (as a value, deferred, started as a goroutine).
func (f *Code) CallsOf(fn *types.Func) (calls []syntax.Place, plain bool) {
	plain = true
	for _, u := range f.Case.Code.Index().Uses(fn) {
		if u.Kind != workspace.Call {
			plain = false
			continue
		}
		at := f.placeOf(u)
		switch at.Path[1].(type) {
		case *ast.DeferStmt, *ast.GoStmt:
			plain = false
		}
		calls = append(calls, at)
	}
	return calls, plain
}

// FieldDecl finds the declaration of a field in the user's code.
func (f *Code) FieldDecl(field *types.Var) (syntax.Place, bool) {
	var found syntax.Place
	if field == nil {
		return found, false
	}
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if fl, ok := n.(*ast.Field); ok {
				for _, name := range fl.Names {
					if f.Same(p.Info().Defs[name], field) {
						found = p.Of(fl)
					}
				}
			}
			return true
		})
	})
	return found, found.File != nil
}

// UnderLock reports whether the lock is held at a call, for writing if that is needed:
// by its function, or by all who call that.
func (f *Code) UnderLock(c syntax.Place, uses []syntax.LockUse, write bool, depth int) bool {
	if l, ok := syntax.HeldAt(uses, c.Function(), c.Node()); ok {
		return l.Method == "Lock" || !write
	}
	decl, ok := c.Function().(*ast.FuncDecl)
	if !ok || depth > 3 || decl.Name.IsExported() {
		return false
	}
	obj, ok := c.Info().Defs[decl.Name].(*types.Func)
	if !ok {
		return false
	}
	calls, plain := f.CallsOf(obj)
	for _, outer := range calls {
		if !f.UnderLock(outer, uses, write, depth+1) {
			return false
		}
	}
	return plain && len(calls) > 0
}

// Transitive reports whether a function, or what it calls, does something.
func (f *Code) Transitive(p syntax.Place, fn ast.Node, does func(syntax.Place, ast.Node) bool) bool {
	seen := map[ast.Node]bool{}
	var visit func(syntax.Place, ast.Node, int) bool
	visit = func(p syntax.Place, fn ast.Node, depth int) bool {
		if fn == nil || seen[fn] || depth > 5 || syntax.BodyOf(fn) == nil {
			return false
		}
		seen[fn] = true
		found := false
		ast.Inspect(syntax.BodyOf(fn), func(n ast.Node) bool {
			if found || n == nil {
				return false
			}
			if _, ok := n.(*ast.GoStmt); ok {
				return false
			}
			if does(p, n) {
				found = true
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if d, ok := f.DeclarationOf(p.Callee(call)); ok && visit(d, d.Node(), depth+1) {
					found = true
				}
			}
			return !found
		})
		return found
	}
	return visit(p, fn, 0)
}

// ShortFunction names a frame's function for people: "main.(*Pool).run.func1"
// becomes "Pool.run".
func (f *Code) ShortFunction(fr debugger.Frame) string {
	if home, ok := f.FunctionAt(fr); ok {
		if d, isDecl := home.Path[0].(*ast.FuncDecl); isDecl {
			name := syntax.FuncName(d)
			if syntax.ClosureName.MatchString(fr.Function) {
				return "a function literal of " + name
			}
			return name
		}
	}
	return debugger.ShortArguments(fr.Function)
}
