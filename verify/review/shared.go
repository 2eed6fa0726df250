package review

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Shared says where else the program uses the function of a point that answers with
// constants alone: "util.go:7". What is harmless in the call that stopped, such an answer may
// not be in others. own are the files of the function's package, others those of each package
// that imports it, as from. It is empty where the function is called only in one place, or a
// test gets the answer itself; calls are those that led to the function, the innermost first.
func Shared(own map[string]string, others []map[string]string, from string, p effect.Point, calls []Call) string {
	answers, ok := match.AnswersOf(p.Leaves)
	if !ok || p.Effect != verdict.Skips || slices.ContainsFunc(answers, func(e ast.Expr) bool { return !onlyConstants(e) }) {
		return ""
	}
	if len(calls) > 0 && strings.HasSuffix(calls[0].File, "_test.go") {
		return ""
	}
	t := load(own)
	of := t.declared(p.Function)
	if of == nil {
		return ""
	}
	uses := t.uses(of, t.functionOf(p))
	for _, files := range others {
		if of.Exported() {
			uses = append(uses, loadWith(files, imports{from: of.Pkg()}).uses(of, nil)...)
		}
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

// uses are those of a function in a package, outside of itself.
func (t typed) uses(of types.Object, itself *ast.FuncDecl) (uses []use) {
	for i, f := range t.files {
		called := map[*ast.Ident]bool{}
		for call := range syntax.All[*ast.CallExpr](f) {
			for id := range syntax.All[*ast.Ident](call.Fun) {
				called[id] = t.callee(call) == of
			}
		}
		for id := range syntax.All[*ast.Ident](f) {
			if t.function(id) == of && (itself == nil || id.Pos() < itself.Pos() || itself.End() < id.Pos()) {
				uses = append(uses, use{t.names[i], t.fset.Position(id.Pos()).Line, called[id]})
			}
		}
	}
	return uses
}
