package reach

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Shares reports whether the statement at a line uses a local variable of
// one of the seeds' statements in the same function, or one that is set from such
// a variable. It goes by names, and so errs on the side of yes.
func Shares(text string, line int, seeds []int) bool {
	file := syntax.Parse(text)
	if file == nil {
		return true
	}
	fn := file.At(line)
	if fn == nil {
		return true
	}
	f := flow{file, localsOf(fn)}
	reached := map[string]bool{}
	any := false
	for _, seed := range seeds {
		if seed > 0 && file.Spans(fn, seed) {
			any = true
			for name := range f.used(f.innermost(fn.Body, seed)) {
				reached[name] = true
			}
			if seed == line {
				return true
			}
		}
	}
	if !any {
		return false
	}
	f.spread(fn.Body, reached)
	for name := range f.used(f.innermost(fn.Body, line)) {
		if reached[name] {
			return true
		}
	}
	return false
}

// flow follows the local variables of a function by their names.
type flow struct {
	*syntax.File
	locals map[string]bool
}

// localsOf are the names of a function's receiver, parameters, results and variables.
func localsOf(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				add(name)
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				add(name)
			}
		}
		return true
	})
	return names
}

// innermost is the smallest statement at a line; nil without one.
func (f flow) innermost(body *ast.BlockStmt, line int) (best ast.Stmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && n != ast.Node(body) && f.Spans(s, line) {
			if _, block := s.(*ast.BlockStmt); !block {
				best = s
			}
		}
		return true
	})
	return best
}

// used are the local variables in a statement, without those of the blocks in it.
func (f flow) used(s ast.Node) map[string]bool {
	names := map[string]bool{}
	if s == nil || s == ast.Stmt(nil) {
		return names
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return n == s
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && f.locals[id.Name] {
					names[id.Name] = true
				}
				return true
			})
			return false
		case *ast.Ident:
			if f.locals[n.Name] {
				names[n.Name] = true
			}
		}
		return true
	})
	return names
}

// spread adds the variables that are set from those that are reached.
func (f flow) spread(body *ast.BlockStmt, reached map[string]bool) {
	for grown := true; grown; {
		grown = false
		set := func(from []ast.Expr, to ...ast.Expr) { grown = f.set(reached, from, to) || grown }
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				set(n.Rhs, n.Lhs...)
			case *ast.RangeStmt:
				set([]ast.Expr{n.X}, n.Key, n.Value)
			case *ast.ValueSpec:
				for _, name := range n.Names {
					set(n.Values, name)
				}
			case *ast.CallExpr: // a method may keep what it is given
				if method, ok := n.Fun.(*ast.SelectorExpr); ok {
					set(n.Args, method.X)
				}
			}
			return true
		})
	}
}

// set adds the variables of the targets where one of the sources is reached, and
// reports whether there are more now.
func (f flow) set(reached map[string]bool, from, to []ast.Expr) bool {
	isReached := func(e ast.Expr) bool {
		for name := range f.used(e) {
			if reached[name] {
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc(from, isReached) {
		return false
	}
	before := len(reached)
	for _, target := range to {
		if target != nil {
			maps.Copy(reached, f.used(target))
		}
	}
	return len(reached) > before
}
