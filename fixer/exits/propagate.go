package exits

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// maxPropagation bounds how many functions may get an error result.
const maxPropagation = 4

// maxCallers bounds how many calls of one function are rewritten.
const maxCallers = 6

// addErrorResult gives the function an error result and fixes its callers.
func (f *Finder) addErrorResult(p syntax.Place, m Message, cause string) (Exit, bool) {
	d, ok := p.Function().(*ast.FuncDecl)
	if !ok || !f.mayChange(p, d) {
		return Exit{}, false
	}
	sig := p.Signature()
	if sig == nil {
		return Exit{}, false
	}
	rest, ok := syntax.ZeroResults(p, sig, 0)
	if !ok {
		return Exit{}, false
	}
	text, path := cause, ""
	if text == "" {
		text, path = m.errorText(p.File)
	}
	return Exit{
		Lines: "return " + syntax.Join(rest, text), Imports: []string{path}, Weight: Handled + 7,
		How:  "returns an error (a new result, which its callers now handle)",
		Edit: func(ch *code.Change) bool { return f.errorize(ch, p, d, map[*ast.FuncDecl]bool{}) },
	}, true
}

// wellKnown are methods whose signatures others rely on.
var wellKnown = map[string]bool{
	"String": true, "Error": true, "Len": true, "Less": true, "Swap": true, "ServeHTTP": true, "Write": true, "Read": true,
	"Push": true, "Pop": true, "Close": true, "Format": true, "MarshalJSON": true, "UnmarshalJSON": true, "GoString": true,
	"Unwrap": true, "Is": true, "As": true, "RoundTrip": true, "main": true, "init": true, "TestMain": true,
}

// mayChange reports whether the signature of a function is the user's to change:
// every use is a plain call in its own package.
func (f *Finder) mayChange(p syntax.Place, d *ast.FuncDecl) bool {
	obj, ok := p.Info().Defs[d.Name].(*types.Func)
	if !ok || wellKnown[d.Name.Name] || d.Body == nil || strings.HasPrefix(d.Name.Name, "Test") || strings.HasPrefix(d.Name.Name, "Benchmark") {
		return false
	}
	if d.Recv != nil && f.satisfiesInterface(obj) {
		return false
	}
	calls, plain := f.CallsOf(obj)
	if !plain || len(calls) == 0 || len(calls) > maxCallers {
		return false
	}
	for _, c := range calls {
		if c.Pkg != p.Pkg {
			return false
		}
	}
	return true
}

// satisfiesInterface reports whether a method may be called through an interface.
func (f *Finder) satisfiesInterface(m *types.Func) bool {
	recv := m.Type().(*types.Signature).Recv().Type()
	found := false
	f.Each(func(q syntax.Place) {
		for _, obj := range q.Info().Defs {
			tn, ok := obj.(*types.TypeName)
			if !ok || found {
				continue
			}
			iface, ok := tn.Type().Underlying().(*types.Interface)
			if !ok || iface.NumMethods() == 0 {
				continue
			}
			if method, _, _ := types.LookupFieldOrMethod(iface, false, m.Pkg(), m.Name()); method != nil &&
				(types.Implements(recv, iface) || types.Implements(types.NewPointer(recv), iface)) {
				found = true
			}
		}
	})
	return found
}

// errorize adds an error result to d, at all its returns and calls.
func (f *Finder) errorize(ch *code.Change, p syntax.Place, d *ast.FuncDecl, done map[*ast.FuncDecl]bool) bool {
	if done[d] {
		return true
	}
	if len(done) >= maxPropagation || !f.mayChange(p, d) {
		return false
	}
	done[d] = true
	if !addResult(ch, d) || !addReturns(ch, p, d) {
		return false
	}
	calls, _ := f.CallsOf(p.Info().Defs[d.Name].(*types.Func))
	for _, c := range calls {
		if !f.handleCall(ch, c, d, done) {
			return false
		}
	}
	return true
}

func addResult(ch *code.Change, d *ast.FuncDecl) bool {
	res := d.Type.Results
	switch {
	case res == nil || len(res.List) == 0:
		if res != nil {
			ch.Replace(res.Pos(), res.End(), "error")
		} else {
			ch.Insert(d.Type.Params.End(), " error")
		}
	case len(res.List[0].Names) > 0:
		ch.Insert(res.List[len(res.List)-1].End(), ", err error")
	case res.Opening.IsValid():
		ch.Insert(res.List[len(res.List)-1].End(), ", error")
	default:
		ch.Insert(res.Pos(), "(")
		ch.Insert(res.End(), ", error)")
	}
	return true
}

// addReturns completes the return statements of d itself.
func addReturns(ch *code.Change, p syntax.Place, d *ast.FuncDecl) bool {
	ok := true
	has := d.Type.Results != nil && len(d.Type.Results.List) > 0
	isNamed := has && len(d.Type.Results.List[0].Names) > 0
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch {
			case len(n.Results) > 0:
				if call, isCall := n.Results[0].(*ast.CallExpr); isCall && len(n.Results) == 1 {
					if tuple, isTuple := p.Info().TypeOf(call).(*types.Tuple); isTuple && tuple.Len() > 1 {
						ok = false
					}
				}
				ch.Insert(n.End(), ", nil")
			case !isNamed:
				ch.Insert(n.End(), " nil")
			}
		}
		return true
	})
	if !has && !endsWithReturn(d.Body) {
		ch.Last(d.Body, "return nil")
	}
	return ok
}

func endsWithReturn(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ForStmt:
		return s.Cond == nil
	}
	return false
}

// handleCall makes one call of d take the new error and act on it.
func (f *Finder) handleCall(ch *code.Change, call syntax.Place, d *ast.FuncDecl, done map[*ast.FuncDecl]bool) bool {
	expr := call.Node().(*ast.CallExpr)
	anchor := call.Anchor()
	if anchor == nil || !hoistable(call, anchor) {
		return false
	}
	at := call.Of(anchor)
	errName := errorNameAt(at)
	lines, ok := f.passOn(ch, at, errName, done)
	if !ok {
		return false
	}
	block := "if " + errName + " != nil {\n\t" + strings.ReplaceAll(lines, "\n", "\n\t") + "\n}"
	n := resultCount(d)
	switch s := anchor.(type) {
	case *ast.ExprStmt:
		if s.X == ast.Expr(expr) {
			ch.Replace(s.Pos(), s.Pos(), "if "+strings.Repeat("_, ", n)+errName+" := ")
			ch.Insert(s.End(), "; "+errName+" != nil {\n"+lines+"\n}")
			return true
		}
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && s.Rhs[0] == ast.Expr(expr) && s.Tok == token.DEFINE {
			ch.Insert(s.Lhs[len(s.Lhs)-1].End(), ", "+errName)
			ch.After(s, block)
			return true
		}
	}
	if n != 1 {
		return false
	}
	name := ch.Fresh(at, resultName(d), "value", "result")
	ch.Before(anchor, name+", "+errName+" := "+f.Text(expr)+"\n"+block)
	ch.Replace(expr.Pos(), expr.End(), name)
	return true
}

// errorNameAt names the new error where a call is fixed: "err", unless that
// would hide or change an err that is used there.
func errorNameAt(at syntax.Place) string {
	pos := at.Node().Pos()
	scope := at.Pkg.Types.Scope().Innermost(pos)
	if scope == nil {
		return "err"
	}
	_, obj := scope.LookupParent("err", pos)
	if obj == nil || obj.Pos() < syntax.BodyOf(at.Function()).Pos() && !syntax.MentionsObject(at, at.Node(), obj) {
		return "err"
	}
	used := false
	ast.Inspect(at.Function(), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= pos && at.Info().Uses[id] == obj {
			used = true
		}
		return !used
	})
	if !used {
		return "err"
	}
	return syntax.Fresh(at, "failure", "cause", "problem")
}

func resultCount(d *ast.FuncDecl) int {
	if d.Type.Results == nil {
		return 0
	}
	return d.Type.Results.NumFields()
}

// resultName derives a variable's name from the function that makes it.
func resultName(d *ast.FuncDecl) string {
	name := syntax.LowerFirst(d.Name.Name)
	for _, prefix := range []string{"get", "compute", "calculate", "calc", "find", "make", "new"} {
		if rest := strings.TrimPrefix(name, prefix); rest != name && rest != "" {
			return syntax.LowerFirst(rest)
		}
	}
	return name + "Value"
}

// hoistable reports whether the expression is evaluated exactly once, before all
// else of its statement matters: not in a loop's header, a short circuit, a
// closure or an else branch.
func hoistable(p syntax.Place, anchor ast.Stmt) bool {
	for i := 0; i+1 < len(p.Path) && p.Path[i] != ast.Node(anchor); i++ {
		child, parent := p.Path[i], p.Path[i+1]
		switch parent := parent.(type) {
		case *ast.BinaryExpr:
			if (parent.Op == token.LAND || parent.Op == token.LOR) && parent.Y == child {
				return false
			}
		case *ast.ForStmt:
			if parent.Init != child {
				return false
			}
		case *ast.RangeStmt:
			if parent.X != child {
				return false
			}
		case *ast.IfStmt:
			if parent.Init != nil && parent.Init != child || parent.Else == child {
				return false
			}
		case *ast.SwitchStmt:
			if parent.Init != nil && parent.Init != child {
				return false
			}
		case *ast.FuncLit, *ast.CaseClause, *ast.CommClause, *ast.DeferStmt, *ast.GoStmt, *ast.LabeledStmt:
			return false
		}
	}
	return true
}

// passOn writes what a caller does with an error: it returns it, reports it,
// or gets an error result itself.
func (f *Finder) passOn(ch *code.Change, at syntax.Place, errName string, done map[*ast.FuncDecl]bool) (string, bool) {
	none := Message{Format: "failed"}
	use := func(e Exit) (string, bool) {
		ch.Need(at.File, e.Imports...)
		return e.Lines, true
	}
	if d, ok := at.Function().(*ast.FuncDecl); ok && done[d] {
		rest, ok := syntax.ZeroResults(at, at.Signature(), 0)
		return "return " + syntax.Join(rest, errName), ok
	}
	if e, ok := f.ErrorReturn(at, none, errName); ok {
		return use(e)
	}
	if e, ok := httpReply(at, Message{"%v", []string{errName}}); ok {
		return use(e)
	}
	if e, ok := f.skipItem(at, Message{"%v", []string{errName}}, errName); ok {
		return use(e)
	}
	if e, ok := quitMain(at, Message{"%v", []string{errName}}, errName); ok {
		return use(e)
	}
	d, ok := at.Function().(*ast.FuncDecl)
	if !ok || !f.errorize(ch, at, d, done) {
		return "", false
	}
	rest, ok := syntax.ZeroResults(at, at.Signature(), 0)
	return "return " + syntax.Join(rest, errName), ok
}
