package assertion

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// storedOtherwise fixes the place that stores a value where a pointer is asked
// for everywhere, or the other way round.
func (f typeRules) storedOtherwise(a assertion) {
	want := a.want
	have := pointee(want)
	toPointer := have != nil
	if have == nil {
		have = types.NewPointer(want)
	}
	name := types.TypeString(have, func(pkg *types.Package) string { return pkg.Name() })
	if !sameTypeName(name, a.actual) || f.assertionsOf(want) <= f.assertionsOf(have) {
		return
	}
	ch := f.Change()
	var first ast.Expr
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || !types.Identical(p.Info().TypeOf(e), have) || p.Info().Types[e].IsType() || !f.keptAsInterface(p.Of(e)) {
				return true
			}
			if toPointer {
				if _, isLit := e.(*ast.CompositeLit); !isLit && !syntax.IsPath(e) {
					return true
				}
				ch.Insert(e.Pos(), "&")
			} else if u, isAddress := e.(*ast.UnaryExpr); isAddress {
				ch.Replace(u.Pos(), u.X.Pos(), "")
			} else {
				ch.Insert(e.Pos(), "*")
			}
			if first == nil {
				first = e
			}
			return false
		})
	})
	if first == nil {
		return
	}
	kind := "the value itself"
	if toPointer {
		kind = "a pointer"
	}
	f.Blame(fmt.Sprintf("%s is stored at %s", name, f.Where(first.Pos())), first.Pos())
	f.Offer(proposal.Idea{Rule: "assert/stored-otherwise", Title: fmt.Sprintf("store %s, as the assertions expect", kind), Weight: exits.Origin - 2, Change: ch,
		Why: fmt.Sprintf("All that reads it asserts %s; where it is stored (%s) it now is one.", f.Text(a.x.Type), f.Where(first.Pos()))})
}

func pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// assertionsOf counts the type assertions to a type in the user's code.
func (f typeRules) assertionsOf(t types.Type) int {
	count := 0
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if n.Type != nil && types.Identical(p.Info().TypeOf(n.Type), t) {
					count++
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					if p.Info().Types[e].IsType() && types.Identical(p.Info().TypeOf(e), t) {
						count++
					}
				}
			}
			return true
		})
	})
	return count
}

// keepsValue reports whether a function of that name stores what it is given.
func keepsValue(name string) bool {
	switch name {
	case "PushFront", "PushBack", "InsertBefore", "InsertAfter", "Push", "Store", "Put", "Set", "Add", "LoadOrStore", "Swap", "WithValue", "Enqueue", "Send", "Publish", "Register":
		return true
	}
	return false
}
