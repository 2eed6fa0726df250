package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// indexing is an index expression that is out of range, with its numbers.
type indexing struct {
	analysis.Suspect
	index  ast.Expr
	base   ast.Expr
	value  int64 // of the index, from the message
	length int64 // of the base; -1 when not known
	frame  int
	// Seen from a caller, base and index are its arguments: what the function
	// that indexes adds to them stands here.
	suffix string // of the base: ".lines"
	plus   int64  // to the index
	beyond int64  // -1 for the end of a slice expression, which may be the length
}

func (x indexing) text(f *code.Code) (base, index string) { return x.baseText(f), x.indexText(f) }

func (x indexing) baseText(f *code.Code) string { return f.Text(x.base) + x.suffix }

func (x indexing) indexText(f *code.Code) string {
	if x.plus != 0 {
		return fmt.Sprintf("%s%+d", f.Text(x.index), x.plus)
	}
	return f.Text(x.index)
}

// offset splits the index into what counts and a constant.
func (x indexing) offset() (counter ast.Expr, offset int64) {
	counter, offset, _ = offsetOf(x.Place, x.index)
	return counter, offset + x.plus + x.beyond
}

func (x indexing) negative() bool { return x.value < 0 }

// outOfRange writes the condition under which the index is bad.
func (x indexing) outOfRange(f *analysis.Analysis) string {
	base, index := x.text(f.Code)
	switch least, ok := x.least(f); {
	case ok && least == 1:
		return x.emptyTest(base, "==")
	case ok:
		return fmt.Sprintf("len(%s) < %d", base, least)
	}
	upper := upper(x, index, base, ">=")
	if isUnsigned(x.Info().TypeOf(x.index)) {
		return upper
	}
	if x.negative() {
		if name, off := x.offset(); off < 0 && syntax.IsPath(name) {
			return fmt.Sprintf("%s < %d", f.Text(name), -off)
		}
		return index + " < 0"
	}
	if x.cannotBeNegative() {
		return upper
	}
	return fmt.Sprintf("%s < 0 || %s", index, upper)
}

// least is the length with which the index is in range, where only that counts.
func (x indexing) least(f *analysis.Analysis) (int64, bool) {
	if x.length == 0 && measured(f, x) {
		return 1, true
	}
	if n, ok := syntax.ConstantInt(x.Place, x.index); ok {
		if n += x.plus; n > 0 {
			n = needed(f.Code, x, n)
		}
		return n + 1, true
	}
	return fromEnd(f.Code, x)
}

// inRange writes the opposite of outOfRange.
func (x indexing) inRange(f *code.Code) string {
	base, index := x.text(f)
	if n, ok := syntax.ConstantInt(x.Place, x.index); ok {
		return fmt.Sprintf("len(%s) > %d", base, n+x.plus)
	}
	if back, ok := fromEnd(f, x); ok {
		return fmt.Sprintf("len(%s) >= %d", base, back)
	}
	if x.negative() {
		if name, off := x.offset(); off < 0 && syntax.IsPath(name) {
			return fmt.Sprintf("%s >= %d", f.Text(name), -off)
		}
		return index + " >= 0"
	}
	return upper(x, index, base, "<")
}

// upper compares the index with the length; another integer type is converted.
func upper(x indexing, index, base, op string) string {
	t := x.Info().TypeOf(x.index)
	if b, ok := t.(*types.Basic); !ok || (b.Kind() != types.Int && b.Info()&types.IsUntyped == 0) {
		index = "int(" + index + ")"
	}
	return fmt.Sprintf("%s %s len(%s)", index, op, base)
}

// beforeAllUses is where a check of the base's length belongs: before the first
// of its elements is used by a constant index, in the same list of statements.
func (f indexRules) beforeAllUses(x indexing) syntax.Place {
	if !isConstant(x.Place, x.index) || x.suffix != "" {
		return x.Place
	}
	src := f.Trace(x.Place, -1, x.base)
	def, ok := src.Stmt.(ast.Stmt)
	if !ok || src.Declaration() != x.Declaration() || src.Function() != x.Function() {
		return f.firstTaken(x)
	}
	for next := syntax.NextStatement(src.Of(def), def); next != nil; next = syntax.NextStatement(x.Of(next), next) {
		if syntax.Contains(next, x.Expr.Pos()) {
			return x.Place
		}
		found := x.Place
		ast.Inspect(next, func(n ast.Node) bool {
			if ix, isIndex := n.(*ast.IndexExpr); isIndex && isConstant(x.Place, ix.Index) && x.Object(ix.X) != nil && x.Object(ix.X) == x.Object(x.base) {
				found = x.Of(ix)
			}
			return found.Node() == x.Node()
		})
		if found.Node() != x.Node() {
			if _, branches := next.(*ast.IfStmt); branches {
				return x.Place
			}
			return x.Of(next)
		}
	}
	return x.Place
}

// needed is the largest constant index that the same function uses on the base
// without asking for its length in between.
func needed(f *code.Code, x indexing, n int64) int64 {
	fn := x.Function()
	base := f.Text(x.base)
	if fn == nil || x.suffix != "" {
		return n
	}
	ast.Inspect(syntax.BodyOf(fn), func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return m == fn
		case *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause:
			if m.Pos() > x.Expr.Pos() && asksLength(f, m, base) {
				return false
			}
		case *ast.IndexExpr:
			if k, isConst := syntax.ConstantInt(x.Place, m.Index); isConst && m.Pos() > x.Expr.Pos() && k > n && f.Text(m.X) == base && x.Object(m.X) == x.Object(x.base) && !inBranch(x, m) {
				n = k
			}
		}
		return true
	})
	return n
}

// asksLength reports whether the head of a statement looks at len(base).
func asksLength(f *code.Code, n ast.Node, base string) bool {
	var heads []ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		heads = []ast.Expr{n.Cond}
	case *ast.SwitchStmt:
		heads = []ast.Expr{n.Tag}
	case *ast.CaseClause:
		heads = n.List
	}
	for _, e := range heads {
		if e != nil && strings.Contains(f.Text(e), "len("+base+")") {
			return true
		}
	}
	return false
}

// inBranch reports whether an expression is in a branch that the faulting
// one is not in.
func inBranch(x indexing, e ast.Node) bool {
	for _, n := range x.Of(e).Path {
		switch n := n.(type) {
		case *ast.CaseClause:
			if !syntax.Contains(n, x.Expr.Pos()) {
				return true
			}
		case *ast.IfStmt:
			if syntax.Contains(n.Body, e.Pos()) && !syntax.Contains(n.Body, x.Expr.Pos()) {
				return true
			}
		}
	}
	return false
}

// measured reports whether the index is computed from the length of the base, so
// that it can only be wrong when that is too small.
func measured(f *analysis.Analysis, x indexing) bool {
	own := "len(" + x.baseText(f.Code) + ")"
	found := false
	ast.Inspect(x.index, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		if strings.ReplaceAll(f.Text(e), " ", "") == own {
			found = true
		}
		if id, isIdent := e.(*ast.Ident); isIdent {
			if src := f.Trace(x.Place, -1, id); src.Expr != nil && src.Declaration() == x.Declaration() && src.Kind == code.FromExpr {
				found = found || strings.Contains(strings.ReplaceAll(f.Text(src.Expr), " ", ""), own)
			}
		}
		return !found
	})
	return found
}

func (x indexing) emptyTest(base, op string) string {
	if x.suffix == "" && syntax.IsString(x.Info().TypeOf(x.base)) {
		return base + " " + op + ` ""`
	}
	return "len(" + base + ") " + op + " 0"
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// cannotBeNegative reports whether the index is a loop's counter or a length, or more than that.
func (x indexing) cannotBeNegative() bool {
	base, off := x.offset()
	if off < 0 {
		return false
	}
	if name, _ := x.Builtin(base); name == "len" || name == "cap" {
		return true
	}
	v, isVar := x.Object(base).(*types.Var)
	if !isVar {
		return false
	}
	if _, isIdent := ast.Unparen(base).(*ast.Ident); !isIdent {
		return false
	}
	for _, l := range x.Loops() {
		switch l := l.(type) {
		case *ast.RangeStmt:
			if l.Key != nil && x.Object(l.Key) == v {
				return true
			}
		case *ast.ForStmt:
			if as, ok := l.Init.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && x.Object(as.Lhs[0]) == v {
				n, isConst := syntax.ConstantInt(x.Place, as.Rhs[0])
				inc, counts := l.Post.(*ast.IncDecStmt)
				return isConst && n >= 0 && counts && inc.Tok == token.INC
			}
		}
	}
	return false
}

// fromEnd recognizes base[len(base)-k]; back is k.
func fromEnd(f *code.Code, x indexing) (back int64, ok bool) {
	e, off := x.offset()
	name, call := x.Builtin(e)
	if name != "len" || f.Text(call.Args[0]) != x.baseText(f) {
		return 0, false
	}
	return -off, off < 0
}

// offsetOf splits an expression into the operands of its sum and an integer constant.
func offsetOf(p syntax.Place, e ast.Expr) (base ast.Expr, offset int64, ok bool) {
	e = ast.Unparen(e)
	if b, isBinary := e.(*ast.BinaryExpr); isBinary && (b.Op == token.ADD || b.Op == token.SUB) {
		if n, isConst := syntax.ConstantInt(p, b.Y); isConst {
			base, inner, ok := offsetOf(p, b.X)
			if b.Op == token.SUB {
				n = -n
			}
			return base, inner + n, ok
		}
		if n, isConst := syntax.ConstantInt(p, b.X); isConst && b.Op == token.ADD {
			base, inner, ok := offsetOf(p, b.Y)
			return base, inner + n, ok
		}
	}
	return e, 0, true
}

// isConstant reports whether an expression is a constant integer.
func isConstant(p syntax.Place, e ast.Expr) bool {
	_, ok := syntax.ConstantInt(p, e)
	return ok
}

// firstTaken is where a function takes the first of a list's elements for
// granted, by a constant index, when the one at hand is taken after it.
func (f indexRules) firstTaken(x indexing) syntax.Place {
	base := f.Text(x.base)
	if !syntax.IsPath(x.base) || isOSArgs(x.Place, x.base) {
		return x.Place
	}
	first := ast.Node(x.Expr)
	ast.Inspect(syntax.BodyOf(x.Function()), func(node ast.Node) bool {
		if _, closure := node.(*ast.FuncLit); closure {
			return false
		}
		ix, ok := node.(*ast.IndexExpr)
		if ok && ix.Pos() < first.Pos() && f.Text(ix.X) == base && x.Object(ix.X) == x.Object(x.base) &&
			isConstant(x.Place, ix.Index) && !f.lengthAsked(x.Of(ix), base) {
			first = ix
		}
		return true
	})
	anchor := x.Of(first).Anchor()
	if anchor == nil || !syntax.Contains(x.Of(anchor).Path[1], x.Expr.Pos()) {
		return x.Place
	}
	src := f.Trace(x.Place, -1, x.base)
	if src.Stmt != nil && src.Declaration() == x.Declaration() && src.Stmt.Pos() >= anchor.Pos() {
		return x.Place
	}
	return x.Of(anchor)
}

// lengthAsked reports whether an if or a case around the node looks at the length.
func (f indexRules) lengthAsked(p syntax.Place, base string) bool {
	for _, n := range p.Path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if syntax.Mentions(f.Text(n.Cond), base) && !syntax.Contains(n.Cond, p.Node().Pos()) {
				return true
			}
		case *ast.CaseClause:
			return true
		case *ast.BinaryExpr:
			if syntax.Mentions(f.Text(n.X), "len") && n.X != p.Node() {
				return true
			}
		}
	}
	return false
}
