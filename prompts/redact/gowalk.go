package redact

import (
	"go/ast"
	"go/constant"
	gotoken "go/token"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// under goes through the syntax of Go source and finds the literals that go by the name of a
// secret: what is assigned to it, compared with it, passed to its setter, returned by it.
type under struct {
	src  *goSource
	scan *scan

	word   string // of the secret's name that the expression goes by; empty without one
	number bool   // the secret may be a number
	near   bool   // it is only near the name: what looks like a word is none

	elem    ast.Expr // the type of a composite literal that gives none
	returns *returning
}

// returning says what the returns of a function go by.
type returning struct {
	name    string
	types   []string // of its results
	results []string // their names, which may be empty
}

// of is the name that a result goes by.
func (r *returning) of(i int) string {
	if i < len(r.results) && wordOf(r.results[i]) != "" {
		return r.results[i]
	}
	return r.name
}

// named goes on with an expression that goes by a name, if that is one of a secret.
func (u under) named(name string) under {
	if w := wordOf(name); w != "" {
		// Constants are called keys and tokens, too.
		u.word, u.near, u.number = w, false, NamesNumber(name) && (w == anchorPass || w == anchorPW || NamesPassword(name))
	}
	return u
}

// fresh goes on with what goes by no name.
func (u under) fresh() under {
	u.word, u.near, u.number, u.elem = "", false, false, nil
	return u
}

// beside goes on with what is only near the name.
func (u under) beside() under {
	u.near = true
	return u
}

// compared goes on with what is compared with the value of a name. Parsers compare tokens
// with words.
func (u under) compared(name string) under {
	u = u.fresh().named(name)
	u.near = u.ofToken()
	return u
}

func (u under) ofToken() bool { return strings.HasSuffix(u.word, "token") }

// Visit implements ast.Visitor.
func (u under) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case nil, *ast.ImportSpec, *ast.InterfaceType, *ast.FuncType:
		return nil
	case *ast.StructType:
		u.tags(n)
		return nil
	case *ast.FuncDecl, *ast.FuncLit, *ast.ReturnStmt:
		u.function(n)
		return nil
	case *ast.ValueSpec, *ast.AssignStmt, *ast.SendStmt, *ast.RangeStmt, *ast.SwitchStmt:
		u.statement(n)
		return nil
	case *ast.CompositeLit:
		u.composite(n)
		return nil
	case *ast.CallExpr:
		u.call(n)
		return nil
	case *ast.BinaryExpr:
		u.binary(n)
		return nil
	case *ast.IndexExpr:
		u.walk(n.X)
		u.fresh().named(nameOf(n.X)).beside().walk(n.Index)
		return nil
	case *ast.BasicLit:
		u.literal(n)
	}
	return u
}

func (u under) walk(n ast.Node) {
	if n != nil {
		ast.Walk(u, n)
	}
}

// function goes through a function and what it returns.
func (u under) function(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		in := u.fresh()
		in.returns = results(n.Name.Name, n.Type)
		if n.Body != nil {
			in.walk(n.Body)
		}
	case *ast.FuncLit:
		in := u.fresh()
		in.returns = results(u.word, n.Type)
		in.walk(n.Body)
	case *ast.ReturnStmt:
		for i, e := range n.Results {
			in := u.fresh()
			if r := u.returns; r != nil && (i >= len(r.types) || r.types[i] != "error" && r.types[i] != "bool") {
				in = u.compared(r.of(i))
			}
			in.walk(e)
		}
	}
}

func results(name string, typ *ast.FuncType) *returning {
	r := &returning{name: name}
	if typ.Results == nil {
		return r
	}
	for _, f := range typ.Results.List {
		id, _ := f.Type.(*ast.Ident)
		for i := range max(len(f.Names), 1) {
			name := ""
			if i < len(f.Names) {
				name = f.Names[i].Name
			}
			r.results = append(r.results, name)
			if id == nil {
				r.types = append(r.types, "")
			} else {
				r.types = append(r.types, id.Name)
			}
		}
	}
	return r
}

// statement goes through what gives values to names, or compares them.
func (u under) statement(n ast.Node) {
	u = u.fresh()
	switch n := n.(type) {
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}
		u.elem = n.Type
		u.assigned(names, n.Values)
	case *ast.AssignStmt:
		u.assigned(n.Lhs, n.Rhs)
	case *ast.SendStmt:
		u.named(nameOf(n.Chan)).walk(n.Value)
	case *ast.RangeStmt:
		u.named(nameOf(n.Key)).named(nameOf(n.Value)).walk(n.X)
		u.walk(n.Body)
	case *ast.SwitchStmt:
		u.optional(n.Init)
		if n.Tag != nil {
			u.walk(n.Tag)
		}
		for _, c := range n.Body.List {
			c, ok := c.(*ast.CaseClause)
			if !ok {
				continue
			}
			for _, e := range c.List {
				u.compared(nameOf(n.Tag)).walk(e)
			}
			for _, s := range c.Body {
				u.walk(s)
			}
		}
	}
}

func (u under) optional(s ast.Stmt) {
	if s != nil {
		u.walk(s)
	}
}

// assigned goes through an assignment, one by one or of what one call returns.
func (u under) assigned(names, values []ast.Expr) {
	for _, e := range names {
		u.walk(e)
	}
	for i, e := range values {
		in := u
		if len(values) == len(names) {
			in = u.named(nameOf(names[i]))
		} else {
			for _, name := range names {
				in = in.named(nameOf(name))
			}
		}
		in.walk(e)
	}
}

// binary goes through an operation. The parts of a sum are one text.
func (u under) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case gotoken.EQL, gotoken.NEQ, gotoken.LSS, gotoken.LEQ, gotoken.GTR, gotoken.GEQ:
		u.compared(nameOf(n.Y)).walk(n.X)
		u.compared(nameOf(n.X)).walk(n.Y)
	case gotoken.LAND, gotoken.LOR:
		u.fresh().walk(n.X)
		u.fresh().walk(n.Y)
	case gotoken.ADD:
		u.sum(n)
	default:
		u.walk(n.X)
		u.walk(n.Y)
	}
}

func (u under) sum(n *ast.BinaryExpr) {
	var parts []ast.Expr
	for e := ast.Expr(n); ; {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != gotoken.ADD {
			parts = append(parts, e)
			break
		}
		parts = append(parts, b.Y)
		e = b.X
	}
	var whole strings.Builder
	given := map[ast.Expr]bool{} // to a name that ends the part before: "password=" + "…"
	before := ""
	for i := len(parts) - 1; i >= 0; i-- {
		text, _ := textOf(parts[i])
		if m := nameThenSign.FindStringSubmatch(before[max(0, len(before)-maxBeforeSign):]); m != nil && u.fresh().named(m[1]).holds(text) {
			given[parts[i]] = true
		}
		whole.WriteString(text)
		before = text
	}
	hidden := u.holds(whole.String())
	for _, e := range parts {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == gotoken.STRING && (hidden || given[e]) {
			u.hide(lit, 1)
		} else {
			u.walk(e)
		}
	}
}

// maxBeforeSign bounds what is looked at before a part of a sum, in bytes.
const maxBeforeSign = 160

// nameThenSign ends with a name, and the sign that gives it what follows.
var nameThenSign = lazyregexp.New(`(?:^|[^\w-])([\w-]{1,64})\s{0,2}[=:]\s{0,2}["']?$`)

// textOf is the text of a literal.
func textOf(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != gotoken.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// literal hides a literal that is the secret.
func (u under) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case gotoken.STRING:
		if text, ok := textOf(lit); ok && u.holds(text) {
			u.hide(lit, 1)
		}
	case gotoken.INT, gotoken.FLOAT, gotoken.IMAG:
		if u.number && !u.near && digitsOf(lit) >= leastDigits {
			u.hide(lit, 0)
		}
	case gotoken.CHAR:
		if r, _, _, err := strconv.UnquoteChar(strings.Trim(lit.Value, "'"), '\''); err == nil && r >= 1000 && u.number && !u.near {
			u.hide(lit, 1)
		}
	}
}

// leastDigits is the length of the shortest number that counts as a password.
const leastDigits = 4

// digitsOf counts the digits of a number, in the decimal system where it is whole.
func digitsOf(lit *ast.BasicLit) int {
	text := lit.Value
	if len(text) > 64 { // large numbers are slow to read
		return len(text)
	}
	if v := constant.MakeFromLiteral(text, lit.Kind, 0); lit.Kind == gotoken.INT && v.Kind() == constant.Int {
		text = v.ExactString()
	}
	return len(text) - strings.Count(text, "_") - strings.Count(text, ".") - strings.Count(text, "i")
}

// holds reports whether a text under the name is the secret.
func (u under) holds(text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case u.word == "" || len(text) < minValue || placeholder(text) || isScheme(text) || u.word == "pwd" && directory.MatchString(text):
		return false
	case looksLikeKey(text):
		return true
	case u.near:
		return isCode(text)
	}
	return isSecret(u.word, text)
}

// hide hides a literal without its quotes.
func (u under) hide(lit ast.Node, quote int) {
	from, to := u.src.at(lit.Pos())+quote, u.src.at(lit.End())-quote
	if from < to {
		u.scan.add(u.src.place(from), u.src.place(to-1)+1, kindNamed)
	}
}
