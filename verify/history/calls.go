package history

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/source/workspace"
)

// returns marks where a function returns a result.
func (m *marker) returns(fn workspace.FuncValue, of value, group, depth int) {
	m.plan.cut = m.plan.cut || depth > deepestCode
	if fn.Body == nil || depth > deepestCode {
		return
	}
	key := fmt.Sprintf("%s %d %d", fn.Name, of.result, group)
	f, ok := m.at(fn.Body)
	if !ok || m.passing[key] {
		return
	}
	m.passing[key] = true
	unsure := changesResults(fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return true
		}
		given, nth := returned(fn, r, of.result)
		site := m.pass(f, r, r, value{given, nth, of.part}, group, depth)
		m.plan.Sites[site].unsure = unsure
		return false
	})
}

// callees lists the user's functions that a call may call, with a name for them.
func callees(m *marker, info *types.Info, call *ast.CallExpr) (name string, list []workspace.FuncValue) {
	if fn := workspace.Callee(info, call); fn != nil {
		for _, callee := range m.index.Targets(fn) {
			if callee.Object != nil {
				list = append(list, callee.Value())
			}
		}
		return fn.FullName(), list
	}
	sig := workspace.SignatureOf(info, call.Fun)
	if sig == nil {
		return "", nil
	}
	if list = m.index.FuncValues(sig); len(list) > mostValues {
		m.plan.cut, list = true, nil
	}
	return sig.String(), list
}

// mostValues bounds the functions that a function value may refer to; more are not followed.
const mostValues = 40

// returned is the expression of a result.
func returned(fn workspace.FuncValue, r *ast.ReturnStmt, result int) (ast.Expr, int) {
	switch n := fn.Signature.Results(); {
	case result >= n.Len():
		return nil, 0
	case len(r.Results) == n.Len():
		return r.Results[result], 0
	case len(r.Results) == 1:
		return r.Results[0], result
	}
	at := 0
	for _, field := range fn.Type.Results.List {
		for _, name := range field.Names {
			if at == result {
				return name, 0
			}
			at++
		}
	}
	return nil, 0
}

// pass marks that a value leaves a function, before a statement.
func (m *marker) pass(f *file, stmt ast.Stmt, shown ast.Node, given value, group, depth int) (site int) {
	from, awaits := m.sourceOf(f, given, stmt.Pos(), nil, depth)
	site = m.site(f, Passed, shown, false)
	s := &m.plan.Sites[site]
	s.copies = from == "nil" && awaits < 0 && given.Expr != nil && !makes(f.pkg.TypesInfo, given.Expr) && !m.isSentinel(operand{given.Expr, f.pkg.TypesInfo, ""})
	s.By, s.converts = by(m, f, given.Expr), converts(f.pkg.TypesInfo, given.Expr)
	f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Pass(%d, %d, %s, %d); ", site, group, from, awaits))
	return site
}

// changesResults reports whether deferred calls may change what a function returns: they run
// after its return statement.
func changesResults(fn workspace.FuncValue) (found bool) {
	if fn.Type.Results == nil || len(fn.Type.Results.List) == 0 || len(fn.Type.Results.List[0].Names) == 0 {
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			_, literal := ast.Unparen(n.Call.Fun).(*ast.FuncLit)
			found = found || literal
			return false
		}
		return true
	})
	return found
}

// parameter marks the beginning of the function that a variable is a parameter of, and the
// calls of it.
func (m *marker) parameter(v *types.Var, some part, depth int) {
	fn, calls, ok := takenBy(m, v)
	if !ok || fn.Body == nil {
		return
	}
	which, ok := parameterOf(fn.Signature, v)
	f, opened := m.at(fn.Body)
	if !ok || !opened || v.Name() == "_" || v.Name() == "" || !m.sees(f, v.Type(), some) {
		return
	}
	group := m.group(fmt.Sprintf("%s parameter %d%s", fn.Name, which, some.recorded()))
	f.text.Put(m.offset(fn.Body.Lbrace)+1, fmt.Sprintf(" pausetuiHistory.StoreResult(%d, func() interface{} { return &%s }, %d); ", m.site(f, Given, span{fn.Type.Pos(), fn.Type.End()}, true), v.Name()+some.recorded(), group))
	for _, call := range calls {
		if from, ok := m.at(call); ok {
			m.argument(from, call, which, some, group, depth)
		}
	}
	if which < 0 { // in w.do(), w is not the receiver of the function in do
		return
	}
	for _, call := range m.index.ValueCalls(fn) {
		if from, ok := m.at(call); ok {
			m.mayBe(from, call, which, some, group, depth)
		}
	}
}

// takenBy returns the function that a variable is a parameter of, and its calls by name.
func takenBy(m *marker, v *types.Var) (fn workspace.FuncValue, calls []*ast.CallExpr, ok bool) {
	at := m.code.Fset.PositionFor(v.Pos(), false)
	decl, found := m.code.FuncAt(at.Filename, at.Line)
	own := false
	if found && decl.Object != nil {
		fn = decl.Value()
		_, own = parameterOf(fn.Signature, v)
	}
	if !own {
		fn, ok = m.index.LiteralOf(v)
		return fn, nil, ok
	}
	for _, u := range m.index.Calls(decl.Object) {
		if call, ok := u.Node.(*ast.CallExpr); ok {
			calls = append(calls, call)
		}
	}
	return fn, calls, true
}

// mayBe marks a call of a function value that may call the function with the parameter. If it calls
// another function, nothing takes the recorded value, so it is forgotten after the statement.
func (m *marker) mayBe(f *file, call *ast.CallExpr, which int, some part, group, depth int) {
	stmt, ok := m.listed(f, call)
	if _, returns := stmt.(*ast.ReturnStmt); !ok || returns {
		return
	}
	m.argument(f, call, which, some, group, depth)
	f.text.Put(m.offset(stmt.End()), fmt.Sprintf("; pausetuiHistory.Forget(%d)", group))
}

// namedResult marks the beginning of the function of which a variable is a result.
func (m *marker) namedResult(v *types.Var, some part) {
	at := m.code.Fset.PositionFor(v.Pos(), false)
	fn, ok := m.code.FuncAt(at.Filename, at.Line)
	if !ok || fn.Object == nil || fn.Decl.Body == nil || v.Name() == "_" {
		return
	}
	results := fn.Object.Signature().Results()
	for i := range results.Len() {
		if results.At(i).Pos() != v.Pos() || v.Name() == "" {
			continue
		}
		if f, ok := m.at(fn.Decl); ok && m.sees(f, v.Type(), some) {
			site := m.site(f, Zero, headOf(fn.Decl), true)
			m.plan.Sites[site].result = true
			f.text.Put(m.offset(fn.Decl.Body.Lbrace)+1, fmt.Sprintf(" pausetuiHistory.Store(%d, func() interface{} { return &%s }, nil); ", site, v.Name()+some.recorded()))
		}
	}
}

// argument marks a call that gives a parameter its value.
func (m *marker) argument(f *file, call *ast.CallExpr, which int, some part, group, depth int) {
	stmt, ok := m.listed(f, call)
	if !ok {
		return
	}
	var given ast.Expr
	result := 0
	switch sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
	case which >= 0 && passesAll(f.pkg.TypesInfo, call): // f(g()), where g has several results
		given, result = call.Args[0], which
	case which >= 0 && which < len(call.Args):
		given = call.Args[which]
	case which < 0 && isMethod:
		given = sel.X
	default:
		return
	}
	if _, isCall := ast.Unparen(given).(*ast.CallExpr); isCall || m.visible(f.pkg.TypesInfo, given, stmt.Pos()) {
		m.pass(f, stmt, call, value{given, result, some}, group, depth+1)
	}
}

// passesAll reports whether a call passes all results of another one.
func passesAll(info *types.Info, call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	results, several := info.TypeOf(call.Args[0]).(*types.Tuple)
	return several && results.Len() > 1
}

// parameterOf is which parameter of a function a variable is, -1 for the receiver.
func parameterOf(s *types.Signature, v *types.Var) (int, bool) {
	if s.Recv() != nil && s.Recv().Pos() == v.Pos() {
		return -1, true
	}
	for i := range s.Params().Len() {
		if s.Params().At(i).Pos() == v.Pos() {
			return i, !s.Variadic() || i < s.Params().Len()-1
		}
	}
	return 0, false
}
