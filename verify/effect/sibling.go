package effect

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Sibling finds a function of the package, as it was, that already handles the
// condition of a point in the same way: a guard with the same condition about
// values of the same types, which leaves in the same way, or a method that does the
// same with another field. It returns the function's name, the file and the line.
func Sibling(files map[string]string, p Point) (function, file string, line int) {
	if p.shape == "" && p.mirror == "" || !declares(files, ofResults.FindAllStringSubmatch(p.shape, -1)) {
		return "", "", 0
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		s := parse(files[file])
		if s.ast == nil {
			continue
		}
		functions := s.functions()
		for _, name := range slices.Sorted(maps.Keys(functions)) {
			if fn := functions[name]; fn.Body != nil && name != p.Function {
				if at := s.guardLike(fn, p); at > 0 {
					return name, file, at
				}
			}
		}
	}
	return "", "", 0
}

// ofResults finds in a shape what was called.
var ofResults = lazyregexp.New(`<result \d+ of (\w+)\(`)

// declares reports whether all that was called are functions of the package: what another one
// returns is checked for many reasons.
func declares(files map[string]string, called [][]string) bool {
	for _, m := range called {
		if !slices.ContainsFunc(slices.Collect(maps.Values(files)), func(text string) bool { return parse(text).declares(m[1]) }) {
			return false
		}
	}
	return true
}

func (s source) declares(name string) bool {
	return s.ast != nil && slices.ContainsFunc(s.ast.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Name.Name == name
	})
}

// guardLike returns the line of a guard like that of a point; 0 without one.
func (s source) guardLike(fn *ast.FuncDecl, p Point) int {
	line := 0
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && line == 0 && s.conditionLike(fn, r, p.shape) {
			line = s.line(r)
		}
		if g, ok := n.(*ast.IfStmt); ok && line == 0 && (p.shape != "" && s.shape(fn, g) == p.shape || p.mirror != "" && s.mirror(fn, g) == p.mirror) {
			line = s.line(g)
		}
		return line == 0
	})
	return line
}

// mirror describes a guard of a method and the statement that it guards without the names
// of the receiver's fields: "if len(b.redo) == 0 { return }" before "e := b.redo[len(b.redo)-1]"
// is the mirror of the same with b.undo. Empty where the two are not about one field.
func (s source) mirror(fn *ast.FuncDecl, g *ast.IfStmt) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 || len(fn.Recv.List[0].Names) != 1 || g.Else != nil || g.Init != nil || len(g.Body.List) != 1 {
		return ""
	}
	var guarded ast.Stmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		list := listOf(n)
		if i := slices.Index(list, ast.Stmt(g)); i >= 0 && i+1 < len(list) {
			guarded = list[i+1]
		}
		return guarded == nil
	})
	if _, block := guarded.(*ast.BlockStmt); guarded == nil || block || !isLeave(g.Body.List[0]) {
		return ""
	}
	fields := map[string]string{}
	cond := s.nameless(fn, g.Cond, fields)
	about := len(fields)
	next := s.nameless(fn, guarded, fields)
	if about != 1 || len(fields) != 1 || !strings.Contains(next, field) {
		return ""
	}
	return s.code(fn.Recv.List[0].Type) + ": " + cond + " " + s.code(g.Body.List[0]) + "; " + next
}

// field begins what stands for a field of the receiver.
const field = "·"

// nameless returns the code of a node with a number in place of each field of the receiver.
// It adds the fields to a map from their names.
func (s source) nameless(fn *ast.FuncDecl, n ast.Node, fields map[string]string) string {
	receiver := fn.Recv.List[0].Names[0].Name
	var out strings.Builder
	last := s.offset(n.Pos())
	ast.Inspect(n, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != receiver {
			return true
		}
		if fields[sel.Sel.Name] == "" {
			fields[sel.Sel.Name] = fmt.Sprint(field, len(fields))
		}
		out.WriteString(s.Text[last:s.offset(sel.Pos())] + fields[sel.Sel.Name])
		last = s.offset(sel.End())
		return false
	})
	return syntax.Fold(out.String() + s.Text[last:s.offset(n.End())])
}

// shape describes a guard without the names of its variables: its condition with
// their types, and how it leaves. Empty for what is no guard, or says too little
// to be recognized.
func (s source) shape(fn *ast.FuncDecl, g *ast.IfStmt) string {
	if g.Else != nil || g.Init != nil || len(g.Body.List) == 0 {
		return ""
	}
	w := shaper{types: s.variables(fn)}
	cond := w.expr(g.Cond)
	if !w.telling {
		return ""
	}
	if storesArgument(fn, s.code(g.Cond)) {
		cond = "loses an argument: " + cond // no answer for one that only looks
	}
	switch last := g.Body.List[len(g.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return cond + " return " + leaving(last)
	case *ast.BranchStmt:
		return cond + " " + last.Tok.String()
	}
	return ""
}

// leaving says of each result whether it is a zero value.
func leaving(r *ast.ReturnStmt) string {
	var kinds []string
	for _, e := range r.Results {
		kind := "value"
		if zeroValue(e) {
			kind = "zero"
		}
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, ",")
}

func (s source) parameterTypes(fn *ast.FuncDecl) map[string]string {
	types := map[string]string{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				types[n.Name] = s.code(f.Type)
			}
		}
	}
	return types
}

// variables says what parameters are, by their types, and local variables that are set
// once, to a result of a call, by what is called.
func (s source) variables(fn *ast.FuncDecl) map[string]string {
	types, sets := s.parameterTypes(fn), map[string]int{}
	ast.Inspect(fn, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range as.Lhs {
			name := s.code(l)
			sets[name]++
			if call, isCall := as.Rhs[0].(*ast.CallExpr); isCall && len(as.Rhs) == 1 {
				types[name] = fmt.Sprintf("result %d of %s", i, s.called(call))
			}
		}
		return true
	})
	maps.DeleteFunc(types, func(name, is string) bool { return sets[name] > 1 || strings.HasSuffix(is, " of ") })
	return types
}

// called is the last name of what is called, with its constant arguments: what is required by
// one name may be missing by another. It is empty of a function literal and the like.
func (s source) called(call *ast.CallExpr) string {
	name := syntax.Called(call)
	if name == "" {
		return ""
	}
	var constants []string
	for _, a := range call.Args {
		if _, ok := a.(*ast.BasicLit); ok {
			constants = append(constants, s.code(a))
		}
	}
	return name + "(" + strings.Join(constants, ", ") + ")"
}

// shaper writes expressions without the names of variables.
type shaper struct {
	types   map[string]string
	telling bool // it names a field, a function or a type of the user's
}

var basic = []string{"int", "int64", "int32", "uint", "uint64", "byte", "rune", "string", "bool", "float64", "error", "any", "[]byte", "[]string", "[]int"}

func (w *shaper) expr(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if t := w.types[e.Name]; t != "" {
			w.telling = w.telling || !slices.Contains(basic, t)
			return "<" + t + ">"
		}
		if e.Name == "nil" || e.Name == "true" || e.Name == "false" || e.Name == "len" || e.Name == "cap" {
			return e.Name
		}
		return "_"
	case *ast.SelectorExpr:
		w.telling = true
		return w.expr(e.X) + "." + e.Sel.Name
	case *ast.BinaryExpr:
		return w.expr(e.X) + " " + e.Op.String() + " " + w.expr(e.Y)
	case *ast.UnaryExpr:
		return e.Op.String() + w.expr(e.X)
	case *ast.ParenExpr:
		return "(" + w.expr(e.X) + ")"
	case *ast.CallExpr:
		var args []string
		for _, a := range e.Args {
			args = append(args, w.expr(a))
		}
		return w.expr(e.Fun) + "(" + strings.Join(args, ", ") + ")"
	case *ast.IndexExpr:
		return w.expr(e.X) + "[" + w.expr(e.Index) + "]"
	case *ast.BasicLit:
		return e.Value
	}
	return "?"
}
