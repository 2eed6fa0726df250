package effect

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Shared says where else the program uses the function of a point that answers with
// constants alone: "util.go:7". What is harmless in the call that stopped, such an answer may
// not be in others. own are the files of the function's package, others those that import
// it. It is empty where the function is called only in one place, or a test gets the answer
// itself; calls are those that led to the function, the innermost first.
func Shared(own, others map[string]string, p Point, calls []Call) string {
	answers, ok := answersOf(p.exit)
	if !ok || p.Effect != verdict.Skips || slices.ContainsFunc(answers, func(e ast.Expr) bool { return !onlyConstants(e) }) {
		return ""
	}
	if len(calls) > 0 && strings.HasSuffix(calls[0].File, "_test.go") {
		return ""
	}
	uses := usesIn(own, p)
	if name := p.Function[strings.LastIndex(p.Function, ".")+1:]; ast.IsExported(name) {
		uses = append(uses, selectedIn(others, name)...)
	}
	stopped := func(u use) bool {
		return u.call && len(calls) > 0 && u.file == calls[0].File && u.line == calls[0].Line
	}
	elsewhere := slices.DeleteFunc(uses, stopped)
	if len(calls) == 0 && len(elsewhere) == 1 && elsewhere[0].call || len(elsewhere) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", elsewhere[0].file, elsewhere[0].line)
}

// use is a place that names a function.
type use struct {
	file string
	line int
	call bool // it calls it there
}

// usesIn are the uses of a point's function in its package, outside of itself.
func usesIn(files map[string]string, p Point) (uses []use) {
	t := load(files)
	fn, of := t.functionOf(p), t.declared(p.Function)
	for i, f := range t.files {
		called := map[*ast.Ident]bool{}
		for call := range syntax.All[*ast.CallExpr](f) {
			for id := range syntax.All[*ast.Ident](call.Fun) {
				called[id] = t.callee(call) == of
			}
		}
		for id := range syntax.All[*ast.Ident](f) {
			if of != nil && t.info.Uses[id] == of && (fn == nil || id.Pos() < fn.Pos() || fn.End() < id.Pos()) {
				uses = append(uses, use{t.names[i], t.fset.Position(id.Pos()).Line, called[id]})
			}
		}
	}
	return uses
}

// selectedIn are the places in files of other packages that select a name.
func selectedIn(files map[string]string, name string) (uses []use) {
	for file, text := range files {
		s := parse(text)
		if s.ast == nil {
			continue
		}
		called := map[ast.Expr]bool{}
		for call := range syntax.All[*ast.CallExpr](s.ast) {
			called[call.Fun] = true
		}
		for sel := range syntax.All[*ast.SelectorExpr](s.ast) {
			if sel.Sel.Name == name {
				uses = append(uses, use{file, s.line(sel.Sel), called[sel]})
			}
		}
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line) })
	return uses
}
