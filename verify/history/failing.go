package history

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/pausetui/pausetui/source/workspace"
)

// Report is the statement that has reported that a test failed.
type Report struct {
	File string // absolute
	Line int
	Nth  int // how many failures it had reported before
}

// ErrReport is returned where it cannot be known when a statement fails a test.
var ErrReport = errors.New("it is not known when this line fails the test")

// NewReport is a plan that records no more than when a statement fails a test.
func NewReport(code *workspace.Code, r Report, place Placer, source func(file string) (string, error)) (*Plan, error) {
	m := newMarker(code, Query{Report: &r}, place, source)
	if err := m.report(&r); err != nil {
		return nil, err
	}
	return m.finish(), nil
}

// report marks the statement that reports a failure.
func (m *marker) report(r *Report) error {
	if r == nil {
		return nil
	}
	f, err := m.open(r.File)
	if err != nil {
		return err
	}
	stmt, ok := m.code.StatementAt(r.File, r.Line).(*ast.ExprStmt)
	if !ok || !m.isListed(f, stmt) {
		return ErrReport
	}
	call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
	if !ok {
		return ErrReport
	}
	site := m.site(f, Fails, stmt, false)
	if m.alwaysFails(f, call) {
		f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Fails(%d, %d, nil); ", site, r.Nth))
		return nil
	}
	test := m.testOf(f, call)
	if test == "" || r.Nth > 0 { // one that has failed fails no more
		return ErrReport
	}
	f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Fails(%d, 0, %s.Failed); ", site, test))
	f.text.Put(m.offset(stmt.End()), "; pausetuiHistory.Failed()")
	return nil
}

// alwaysFails reports whether a call is one of package testing's that fail a test, or ends
// the program.
func (m *marker) alwaysFails(f *file, call *ast.CallExpr) bool {
	fn := workspace.Callee(f.pkg.TypesInfo, call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Name() {
	case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
		return fn.Pkg().Path() == "testing"
	case "Exit":
		return fn.Pkg().Path() == "os"
	}
	return false
}

// testOf is an expression for the test that a call may fail: one of its arguments, its
// receiver, or a parameter of the function around it; empty without one.
func (m *marker) testOf(f *file, call *ast.CallExpr) string {
	info := f.pkg.TypesInfo
	candidates := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		candidates = append([]ast.Expr{sel.X}, candidates...)
	}
	for _, e := range candidates {
		t := info.TypeOf(e)
		switch {
		case !pure(e):
		case fails(t):
			return m.textOf(e)
		case t != nil && hasMethod(t, "T", 0):
			return m.textOf(e) + ".T()"
		}
	}
	path, _ := astutil.PathEnclosingInterval(f.syntax, call.Pos(), call.End())
	for _, n := range path {
		var params *ast.FieldList
		switch n := n.(type) {
		case *ast.FuncLit:
			params = n.Type.Params
		case *ast.FuncDecl:
			params = n.Type.Params
		default:
			continue
		}
		for _, p := range params.List {
			if len(p.Names) > 0 && p.Names[0].Name != "_" && fails(info.TypeOf(p.Type)) {
				return p.Names[0].Name
			}
		}
	}
	return ""
}

// fails reports whether values of a type know whether a test has failed.
func fails(t types.Type) bool {
	return t != nil && hasMethod(t, "Failed", 0) && hasMethod(t, "Helper", 0)
}

// hasMethod reports whether a type has a method with so many parameters.
func hasMethod(t types.Type, name string, parameters int) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := o.(*types.Func)
	return ok && fn.Signature().Params().Len() == parameters
}

// failed is the moment before the test failed; false where the run shows none. All is sorted.
func (p *Plan) failed(all []Event) (Event, bool) {
	nth := 0
	for _, e := range all {
		if e.Site.Kind != Fails {
			continue
		}
		if nth == p.query.Report.Nth {
			return e, true
		}
		nth++
	}
	return Event{}, false
}

// Failed is how many steps had begun when the statement began that failed the test; false
// where the run does not show it.
func (p *Plan) Failed(file []byte) (begun uint64, ok bool) {
	e, ok := p.failed(p.events(file))
	return e.Begun, ok
}
