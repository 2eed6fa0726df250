package exits

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// testWants reads from the paused test what it wants for these very arguments:
// the value that it is going to compare the culprit's result with.
func (f *Finder) testWants(p syntax.Place) (meant, bool) {
	d, ok := p.Function().(*ast.FuncDecl)
	sig := p.Signature()
	if !ok || sig == nil || sig.Results().Len() == 0 || d != f.Home.Path[0] {
		return meant{}, false
	}
	call, at, ok := f.CallerInStack(p.Of(d), f.At)
	if !ok || !strings.HasSuffix(f.Case.Code.Fset.Position(call.Node().Pos()).Filename, "_test.go") {
		return meant{}, false
	}
	test := syntax.FuncName(call.Declaration())
	m := meant{weight: Handled - 5, grounds: fmt.Sprintf("%s compares the result with it (%s)", test, f.Where(call.Node().Pos()))}
	n := sig.Results().Len()
	if syntax.IsError(sig.Results().At(n-1).Type()) && f.wantsError(call, at) {
		return meant{}, false // an error is what a refusal gives anyway
	}
	texts := make([]string, n)
	for i := range n {
		text, known := f.wantedResult(call, at, i, sig.Results().At(i).Type())
		if !known {
			if text, known = syntax.Zero(p, sig.Results().At(i).Type()); !known || i == 0 {
				return meant{}, false
			}
		}
		texts[i] = text
	}
	m.lines = "return " + strings.Join(texts, ", ")
	m.how = "returns " + strings.Join(texts, ", ")
	return m, true
}

// wantsError reports whether the test's case expects an error.
func (f *Finder) wantsError(call syntax.Place, frame int) bool {
	found := false
	ast.Inspect(call.Declaration(), func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		name := strings.ToLower(syntax.LastNameOnly(e))
		if !strings.HasPrefix(name, "wanterr") && !strings.HasPrefix(name, "expecterr") && name != "fails" && name != "wantfail" {
			return true
		}
		if a := f.Value(call.Of(e), frame, e); a.Known {
			switch a.Value.Kind {
			case reflect.Bool:
				found = a.Value.Value == "true"
			case reflect.String:
				found = a.Value.Len > 0
			case reflect.Interface:
				found = !a.Value.Nil
			}
		}
		return true
	})
	return found
}

// wantedResult evaluates what the i-th result of a call is compared with.
func (f *Finder) wantedResult(call syntax.Place, frame, i int, t types.Type) (string, bool) {
	var got types.Object
	for _, n := range call.Path[1:] {
		if as, ok := n.(*ast.AssignStmt); ok && i < len(as.Lhs) && len(as.Rhs) == 1 {
			got = call.Object(as.Lhs[i])
			break
		}
	}
	is := func(e ast.Expr) bool {
		return ast.Unparen(e) == call.Node() || got != nil && call.Object(e) == got
	}
	text, known := "", false
	next := nextValue(call, got)
	ast.Inspect(call.Declaration(), func(n ast.Node) bool {
		if n == nil || n.End() <= call.Node().Pos() || n.Pos() >= next {
			return false
		}
		var want ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch {
			case n.Op != token.NEQ && n.Op != token.EQL:
			case is(n.X):
				want = n.Y
			case is(n.Y):
				want = n.X
			}
		case *ast.CallExpr: // reflect.DeepEqual(got, want), slices.Equal(got, want), assert.Equal(t, want, got)
			if !strings.Contains(syntax.LastNameOnly(n.Fun), "Equal") || len(n.Args) < 2 {
				return true
			}
			args := n.Args[len(n.Args)-2:]
			if len(n.Args) >= 3 && isTesting(call.Info().TypeOf(n.Args[0])) {
				args = n.Args[1:3]
			}
			switch {
			case is(args[0]):
				want = args[1]
			case is(args[1]):
				want = args[0]
			}
		}
		if want != nil && !known {
			text, known = f.literalOf(call.Of(want), frame, want, t)
		}
		return true
	})
	return text, known
}

// nextValue is where a variable that a call has set is assigned again, else the end of the function.
func nextValue(call syntax.Place, got types.Object) token.Pos {
	next := call.Declaration().End()
	ast.Inspect(call.Declaration(), func(n ast.Node) bool {
		if as, ok := n.(*ast.AssignStmt); ok && as.Pos() > call.Node().End() && as.Pos() < next {
			if slices.ContainsFunc(as.Lhs, func(l ast.Expr) bool { return got != nil && call.Object(l) == got }) {
				next = as.Pos()
			}
		}
		return true
	})
	return next
}

func isTesting(t types.Type) bool { return t != nil && types.TypeString(t, nil) == "*testing.T" }

// literalOf writes the value of an expression in a frame as Go source: plain
// values and nil only.
func (f *Finder) literalOf(p syntax.Place, frame int, e ast.Expr, t types.Type) (string, bool) {
	tv := p.Info().Types[ast.Unparen(e)]
	if tv.Value != nil && tv.Value.Kind() == constant.Float { // ExactString writes 5/2, which is 2
		v, _ := constant.Float64Val(tv.Value)
		return strconv.FormatFloat(v, 'g', -1, 64), true
	} else if tv.Value != nil {
		return tv.Value.ExactString(), true
	} else if tv.IsNil() {
		return "nil", true
	}
	a := f.Value(p, frame, e)
	if !a.Known {
		return "", false
	}
	return literalText(a.Value, t)
}

func literalText(v debugger.Variable, t types.Type) (string, bool) {
	switch v.Kind {
	case reflect.Bool:
		return v.Value, true
	case reflect.String:
		return strconv.Quote(v.Value), int64(len(v.Value)) == v.Len
	case reflect.Float32, reflect.Float64:
		_, err := strconv.ParseFloat(v.Value, 64)
		return v.Value, err == nil
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return "nil", v.Nil || v.Kind == reflect.Slice && v.Len == 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return "", false
	}
	n, known := syntax.ParseInt(v.Value)
	return strconv.FormatInt(n, 10), known
}
