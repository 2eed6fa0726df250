package bench

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/patch"
)

// mistake is a usual wrong answer: an edit where a program stops that makes it
// quiet.
type mistake struct {
	kind     string
	sentence string
	edit     func(place) []string // the file with the edit, in several ways
}

var mistakes = []mistake{
	{"recover", "The panic should have been recovered.", place.recovering},
	{"guard", "The value should have been checked first.", place.guarded},
	{"stub", "There is nothing to be done here.", place.stubbed},
	{"delete", "This statement is not needed.", place.without},
}

// place is a function in a file and the statement in it where a program stops.
type place struct {
	file string
	src  string
	fset *token.FileSet
	kind *ast.FuncType
	body *ast.BlockStmt
	stmt ast.Stmt // nil where it is not known
}

// newPlace finds the innermost function around a line, or, where there is no
// line, the declared function of that name.
func newPlace(file, src, function string, line int) (place, error) {
	p := place{file: file, src: src, fset: token.NewFileSet()}
	parsed, err := parser.ParseFile(p.fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return p, err
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil && (p.holds(n, line) || line == 0 && patch.FuncSymbol(n) == function) {
				p.kind, p.body = n.Type, n.Body
			}
		case *ast.FuncLit:
			if p.holds(n, line) {
				p.kind, p.body = n.Type, n.Body
			}
		case *ast.BlockStmt:
			p.choose(n.List, line)
		case *ast.CaseClause:
			p.choose(n.Body, line)
		case *ast.CommClause:
			p.choose(n.Body, line)
		}
		return true
	})
	if p.body == nil {
		return p, fmt.Errorf("%s: no function %s", file, function)
	}
	return p, nil
}

// choose takes the statement of a list that is on the line: those of inner
// lists come later.
func (p *place) choose(list []ast.Stmt, line int) {
	for _, s := range list {
		if p.holds(s, line) {
			p.stmt = s
		}
	}
}

func (p *place) holds(n ast.Node, line int) bool {
	return p.fset.Position(n.Pos()).Line <= line && line <= p.fset.Position(n.End()).Line
}

func (p place) offset(pos token.Pos) int { return p.fset.Position(pos).Offset }

func (p place) text(n ast.Node) string { return p.src[p.offset(n.Pos()):p.offset(n.End())] }

// with is the file with another text between two positions.
func (p place) with(from, to token.Pos, text string) string {
	return p.src[:p.offset(from)] + text + p.src[p.offset(to):]
}

func (p place) recovering() []string {
	return []string{p.with(p.body.Lbrace+1, p.body.Lbrace+1, "\ndefer func() { _ = recover() }()\n")}
}

func (p place) stubbed() []string {
	return []string{p.with(p.body.Lbrace+1, p.body.Rbrace, "\n"+p.leave()+"\n")}
}

func (p place) without() []string {
	if p.stmt == nil {
		return nil
	}
	return []string{p.with(p.stmt.Pos(), p.stmt.End(), "")}
}

func (p place) guarded() []string {
	if p.stmt == nil {
		return nil
	}
	var ways []string
	for _, bad := range p.conditions() {
		ways = append(ways, p.with(p.stmt.Pos(), p.stmt.Pos(), "if "+bad+" {\n"+p.leave()+"\n}\n"))
	}
	return ways
}

// leave is a return statement with zero values.
func (p place) leave() string {
	if p.kind.Results == nil {
		return "return"
	}
	var zeros []string
	for _, f := range p.kind.Results.List {
		if len(f.Names) > 0 {
			return "return"
		}
		zeros = append(zeros, p.zero(f.Type))
	}
	return "return " + strings.Join(zeros, ", ")
}

// zero is the zero value of a type, as one would write it where that can be
// seen from the type alone.
func (p place) zero(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
		return "nil"
	case *ast.ArrayType:
		if t.Len == nil {
			return "nil"
		}
	case *ast.Ident:
		switch t.Name {
		case "error", "any":
			return "nil"
		case "string":
			return `""`
		case "bool":
			return "false"
		case "int", "int64", "float64", "byte", "rune":
			return "0"
		}
	}
	return "*new(" + p.text(t) + ")"
}

// conditions are what a guard before the statement could ask. Not all of them
// fit the types.
func (p place) conditions() []string {
	var list []string
	add := func(format string, parts ...ast.Expr) {
		var texts []any
		for _, e := range parts {
			if e == nil || !pure(e) {
				return
			}
			texts = append(texts, p.text(e))
		}
		list = append(list, fmt.Sprintf(format, texts...))
	}
	ast.Inspect(p.stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			return false
		case *ast.IndexExpr:
			add("%s >= len(%s)", n.Index, n.X)
			add("%s == nil", n.X)
		case *ast.SliceExpr:
			add("%s > len(%s)", n.High, n.X)
			add("%s > len(%s)", n.Low, n.X)
		case *ast.SelectorExpr:
			add("%s == nil", n.X)
		case *ast.StarExpr:
			add("%s == nil", n.X)
		case *ast.SendStmt:
			add("%s == nil", n.Chan)
		case *ast.TypeAssertExpr:
			add("_, ok := %s.(%s); !ok", n.X, n.Type)
		case *ast.BinaryExpr:
			if n.Op == token.QUO || n.Op == token.REM {
				add("%s == 0", n.Y)
			}
		case *ast.CallExpr:
			for _, arg := range n.Args {
				add("%s == nil", arg)
				add("%s <= 0", arg)
			}
		}
		return true
	})
	return list
}

// pure reports whether an expression can be evaluated twice.
func pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, named := n.Fun.(*ast.Ident)
			ok = ok && named && f.Name == "len"
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		}
		return ok
	})
	return ok
}
