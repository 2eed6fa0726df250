// Package match pairs the statements of two versions of a function, by their form and by
// what they have in common, and says what syntax alone tells of statements and conditions.
package match

import (
	"fmt"
	"go/ast"
	"go/token"
	"hash/fnv"
	"io"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Form is what a piece of syntax is, without its layout, comments and parentheses: equal
// pieces have equal forms.
type Form uint64

// FormOf is the form of a node with all that is in it.
func FormOf(n ast.Node) Form { return newForm(n, true) }

// HeadForm is that of a statement without the blocks in it.
func HeadForm(s ast.Stmt) Form { return newForm(s, false) }

func newForm(n ast.Node, blocks bool) Form {
	h := fnv.New64a()
	writeForm(h, n, blocks)
	return Form(h.Sum64())
}

func writeForm(w io.Writer, n ast.Node, blocks bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			_, _ = io.WriteString(w, ")")
		case *ast.CommentGroup:
			return false
		case *ast.ParenExpr:
			writeForm(w, n.X, blocks)
			return false
		case *ast.BlockStmt:
			_, _ = io.WriteString(w, "({")
			return blocks
		default:
			_, _ = fmt.Fprintf(w, "(%T %s", n, word(n))
		}
		return true
	})
}

// word is what a node says by itself: a name, a value, an operator.
func word(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.BasicLit:
		return n.Value
	case *ast.BinaryExpr:
		return n.Op.String()
	case *ast.UnaryExpr:
		return n.Op.String()
	case *ast.IncDecStmt:
		return n.Tok.String()
	case *ast.AssignStmt:
		return n.Tok.String()
	case *ast.BranchStmt:
		return n.Tok.String()
	case *ast.RangeStmt:
		return n.Tok.String()
	case *ast.GenDecl:
		return n.Tok.String()
	case *ast.ChanType:
		return fmt.Sprint(n.Dir)
	case *ast.CallExpr:
		return fmt.Sprint(n.Ellipsis.IsValid())
	case *ast.SliceExpr:
		return fmt.Sprint(n.Slice3, n.Low != nil, n.High != nil)
	case *ast.ForStmt:
		return fmt.Sprint(n.Init != nil, n.Cond != nil, n.Post != nil)
	case *ast.IfStmt:
		return fmt.Sprint(n.Init != nil)
	}
	return ""
}

// words are the names and values in what a statement does itself, without the blocks in
// it.
func words(s ast.Stmt) map[string]int {
	found := map[string]int{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return n == s
		case *ast.Ident:
			found[n.Name]++
		case *ast.BasicLit:
			found[n.Value]++
		}
		return true
	})
	return found
}

// likeness is how much two statements have in common, from 0 to 1: Dice's coefficient of
// their words.
func likeness(a, b ast.Stmt) float64 {
	x, y := words(a), words(b)
	shared, all := 0, 0
	for w, n := range x {
		shared, all = shared+min(n, y[w]), all+n
	}
	for _, n := range y {
		all += n
	}
	if all == 0 {
		return 0
	}
	return float64(2*shared) / float64(all)
}

// sameKind reports whether two statements may be versions of one: both give values, both
// are loops, and so on.
func sameKind(a, b ast.Stmt) bool { return KindOf(a) != "" && KindOf(a) == KindOf(b) }

// KindOf is the kind of a statement, as a word; empty for those that are paired by their form
// alone.
func KindOf(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if Blank(s) {
			return "blank"
		}
		return "assign"
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			return "assign"
		}
	case *ast.ForStmt, *ast.RangeStmt:
		return "loop"
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return "switch"
	case *ast.ExprStmt:
		if syntax.IsPanic(s) {
			return "panic"
		}
		return "expression"
	case *ast.CaseClause, *ast.CommClause:
		return "clause"
	case *ast.EmptyStmt, *ast.BranchStmt:
		return ""
	}
	return fmt.Sprintf("%T", s)
}
