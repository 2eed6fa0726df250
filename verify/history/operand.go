package history

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// failure is the type of errors.
var failure = types.Universe.Lookup("error").Type()

// ErrValue is returned where a query names no value, and its place has none that is to blame.
var ErrValue = errors.New("which value is to blame is not known: name one, as in why x.field")

// picker picks the expression whose history is recorded.
type picker struct {
	*marker
	file *file
	stmt ast.Stmt // at which the program stopped
}

// resolve is the expression whose history is recorded: the one of the query, or, where that
// has none of its own because it is computed, a part of it. Without one it is what the
// statement waits for, fails with, or has looked at before.
func (p picker) resolve(text string) (string, error) {
	candidates := p.waited()
	if text != "" {
		e, err := parser.ParseExpr(text)
		if err != nil {
			return "", fmt.Errorf("%q is no Go expression", text)
		}
		if p.fits(text) || !p.isTyped(text) {
			return text, nil // what is wrong with it is said when it is marked
		}
		if candidates = p.parts(e); len(candidates) == 0 {
			candidates = indexed(p.stmt, types.ExprString(e))
		}
	} else if len(candidates) == 0 {
		candidates = p.refused()
	}
	var names []string
	for _, e := range candidates {
		if name := types.ExprString(e); p.fits(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0 && text == "":
		return "", ErrValue
	case len(names) == 0:
		return text, nil // what is wrong with it is said when it is marked
	case text != "":
		names = p.mostFirst(text, names)
		words := fmt.Sprintf("%s has no history of its own: this is that of %s", text, names[0])
		if len(names) > 1 {
			words += ", and not of " + strings.Join(names[1:], ", ")
		}
		p.gap(words)
	}
	return names[0], nil
}

// mostFirst puts that part of a sum first that most of it comes from: of an index p+i which
// is too large, not the p that is 0.
func (p picker) mostFirst(sum string, names []string) []string {
	number := p.plan.query.Number
	if e, err := parser.ParseExpr(sum); err != nil || !isSum(e) || number == nil {
		return names
	}
	size := map[string]float64{}
	for _, name := range names {
		n, ok := number(name)
		if !ok {
			return names
		}
		size[name] = math.Abs(float64(n))
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(size[b], size[a]) })
	return sorted
}

// isSum reports whether an expression adds or subtracts names and constants.
func isSum(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB) && isSum(e.X) && isSum(e.Y)
	case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit:
		return true
	}
	return false
}

// fits reports whether the history of an expression can be found at the statement.
func (p picker) fits(text string) bool {
	return p.somewhere(text, func(o operand) bool { return unfit(o) == "" })
}

// isTyped reports whether an expression has a meaning there.
func (p picker) isTyped(text string) bool {
	return p.somewhere(text, func(operand) bool { return true })
}

// somewhere reports whether an expression is as wanted at the statement, or in its condition.
func (p picker) somewhere(text string, wanted func(operand) bool) bool {
	places := []token.Pos{p.stmt.Pos()}
	if cond := condition(p.stmt); cond != nil {
		places = append(places, cond.Pos())
	}
	return slices.ContainsFunc(places, func(at token.Pos) bool {
		o, err := p.check(p.file, text, at)
		return err == nil && wanted(o)
	})
}

// parts are the variables, fields and elements that an expression is computed from.
func (p picker) parts(e ast.Expr) (list []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				list = append(list, p.parts(sel.X)...)
			}
			for _, a := range n.Args {
				list = append(list, p.parts(a)...)
			}
			return false
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			if e := n.(ast.Expr); p.fits(types.ExprString(e)) {
				list = append(list, e)
				return false
			}
			if sel, ok := n.(*ast.SelectorExpr); ok { // its name alone may be another thing
				list = append(list, p.parts(sel.X)...)
				return false
			}
		case *ast.Ident:
			list = append(list, n)
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return list
}

// indexed are the lists of which a statement takes the element with a constant index.
func indexed(stmt ast.Stmt, index string) (list []ast.Expr) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if types.ExprString(n.Index) == index {
				list = append(list, n.X)
			}
		case *ast.SliceExpr:
			for _, bound := range []ast.Expr{n.Low, n.High, n.Max} {
				if bound != nil && types.ExprString(bound) == index {
					list = append(list, n.X)
				}
			}
		}
		return true
	})
	return list
}

// waited are the channels, locks and groups that a statement may wait for.
func (p picker) waited() (list []ast.Expr) {
	head := ast.Node(p.stmt)
	if loop, ok := p.stmt.(*ast.RangeStmt); ok {
		if _, isChan := underlying[*types.Chan](p.file.pkg.TypesInfo.TypeOf(loop.X)); isChan {
			list = append(list, loop.X)
		}
		head = loop.X
	}
	ast.Inspect(head, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			_, inside := n.(*ast.FuncLit)
			return !inside
		case *ast.SendStmt:
			list = append(list, n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				list = append(list, n.X)
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if ok && lockName(p.file.pkg.TypesInfo.TypeOf(sel.X)) != "" && ofLock[sel.Sel.Name].after {
				list = append(list, sel.X)
			}
		}
		return true
	})
	return list
}

// refused are the values because of which a statement panics: the error that it is given, or
// what the condition before it looks at.
func (p picker) refused() (list []ast.Expr) {
	info := p.file.pkg.TypesInfo
	var given []ast.Expr
	ast.Inspect(p.stmt, func(n ast.Node) bool {
		if _, block := n.(*ast.BlockStmt); block {
			return false
		}
		if list, ok := n.(*ast.IndexExpr); ok {
			given = append(append(given, p.parts(list.Index)...), p.parts(list.X)...)
		}
		if call, ok := n.(*ast.CallExpr); ok {
			for _, a := range call.Args {
				given = append(given, p.parts(a)...)
			}
			return false
		}
		return true
	})
	for _, e := range given {
		if t := info.TypeOf(e); t != nil && types.Identical(t, failure) {
			list = append(list, e)
		}
	}
	path, _ := astutil.PathEnclosingInterval(p.file.syntax, p.stmt.Pos(), p.stmt.End())
	for i, n := range path {
		if branch, ok := n.(*ast.IfStmt); ok && i > 0 && path[i-1] == ast.Node(branch.Body) && panics(info, p.stmt) {
			list = append(list, p.parts(branch.Cond)...)
			break
		}
		if _, out := n.(*ast.FuncLit); out {
			break
		}
	}
	return append(list, given...)
}

// panics reports whether a statement is a call of panic.
func panics(info *types.Info, stmt ast.Stmt) bool {
	s, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	b, ok := info.Uses[ident(call.Fun)].(*types.Builtin)
	return ok && b.Name() == "panic"
}
