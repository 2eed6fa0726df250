package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// IsCallTo reports whether an expression calls a function or method of that name and
// package.
func IsCallTo(p Place, e ast.Expr, pkg, name string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == pkg && fn.Name() == name
}

// Counted reports whether a variable is moved on by += or ++.
func Counted(p Place, v *types.Var) bool {
	found := false
	ast.Inspect(p.Declaration(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			found = found || p.Object(n.X) == v
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				found = found || p.Object(n.Lhs[0]) == v
			}
		}
		return !found
	})
	return found
}

// Visit calls do for every node below root after the nodes it is made of.
func Visit(root ast.Node, do func(ast.Node)) {
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			do(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		return true
	})
}

// OrNil returns an expression that can be inspected where there is none.
func OrNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

// NextStatement returns the statement after another one in the same list; nil without
// one.
func NextStatement(p Place, s ast.Stmt) ast.Stmt {
	for _, n := range p.Path {
		list := Statements(n)
		if i := slices.Index(list, s); i >= 0 && i+1 < len(list) {
			return list[i+1]
		}
	}
	return nil
}

// IsPathOrIndex reports whether an expression can be evaluated twice.
func IsPathOrIndex(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			if !ok || (id.Name != "len" && id.Name != "string" && id.Name != "int" && id.Name != "cap") {
				pure = false
			}
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		case *ast.FuncLit:
			pure = false
		}
		return pure
	})
	return pure
}

// ReturnsOf lists the return statements of a declaration itself, without closures.
func ReturnsOf(d ast.Node) []*ast.ReturnStmt {
	var list []*ast.ReturnStmt
	body := BodyOf(d)
	if body == nil {
		return nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			list = append(list, n)
		}
		return true
	})
	return list
}

// MentionsObject reports whether a node names an object.
func MentionsObject(p Place, e ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && obj != nil && p.Info().ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}

// IsPath reports whether an expression is a name or a path of fields.
func IsPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return IsPath(e.X)
	}
	return false
}

// Statements returns the list of statements that a block or clause holds.
func Statements(block ast.Node) []ast.Stmt {
	switch b := block.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}

// Within returns the statement of a list that holds a position, and its index.
func Within(list []ast.Stmt, pos token.Pos) (ast.Stmt, int) {
	for i, s := range list {
		if Contains(s, pos) {
			return s, i
		}
	}
	return nil, -1
}

// Leaves reports whether statements contain a way out of the function or of a
// loop around them.
func Leaves(list []ast.Stmt) bool {
	found := false
	for _, s := range list {
		depth := 0
		var check func(ast.Node) bool
		check = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.BranchStmt:
				if n.Label != nil || n.Tok == token.GOTO || depth == 0 {
					found = true
				}
			case *ast.ForStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.RangeStmt:
				depth++
				ast.Inspect(n.Body, check)
				depth--
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				// break leaves it; continue does not, but is rare enough to refuse
				depth++
				for _, c := range bodyOfSwitch(n).List {
					ast.Inspect(c, check)
				}
				depth--
				return false
			}
			return true
		}
		ast.Inspect(s, check)
	}
	return found
}

func bodyOfSwitch(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Body
	case *ast.TypeSwitchStmt:
		return n.Body
	case *ast.SelectStmt:
		return n.Body
	}
	return &ast.BlockStmt{}
}

// CallFree reports whether evaluating the expression calls nothing but len, cap and conversions.
func CallFree(p Place, e ast.Expr) bool {
	free := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			free = false
		case *ast.UnaryExpr:
			free = free && n.Op != token.ARROW
		case *ast.CallExpr:
			name, _ := p.Builtin(n)
			if tv, ok := p.Info().Types[n.Fun]; ok && tv.IsType() {
				return free
			}
			if name != "len" && name != "cap" && name != "min" && name != "max" {
				free = false
			}
		}
		return free
	})
	return free
}
