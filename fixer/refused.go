package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// refusedArgument: the function panics because of what it was given. That is
// fixed where it was given, if it can be seen to be a mistake there.
func (f refusalRules) refusedArgument(s panicCall) {
	var cond ast.Expr
	for i, n := range s.path {
		is, ok := n.(*ast.IfStmt)
		if ok && i > 0 && s.path[i-1] == ast.Node(is.Body) {
			cond = is.Cond
			break
		}
	}
	if cond == nil {
		return
	}
	for _, c := range conjuncts(cond) {
		f.refusedBy(s, c)
	}
}

// conjuncts splits a condition at && and ||.
func conjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{e}
}

// refusedBy handles one comparison of a parameter.
func (f refusalRules) refusedBy(s panicCall, cond ast.Expr) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return
	}
	x := ast.Unparen(b.X)
	if name, call := s.builtin(x); name == "len" {
		x = ast.Unparen(call.Args[0])
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return
	}
	v, ok := s.info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	arg, isParam := f.argument(s.place, f.at, v)
	if !isParam || arg.expr == nil || arg.through != nil {
		return
	}
	before := f.diagnosis
	f.diagnosis.Origin = ""
	f.diagnosis.Sentence = fmt.Sprintf("%s is refused by %s (%s) with %q", f.text(cond), funcName(s.function()), f.where(s.node().Pos()), firstLine(f.panic.Message))
	f.indexRules.argumentsSwapped(s.place, f.at)
	src := f.trace(s.place, f.at, id)
	f.fixGiven(src)
	if f.diagnosis.Origin == "" {
		f.note(fmt.Sprintf("it is given %s (%s)", short(f.text(arg.expr)), f.where(arg.expr.Pos())), arg.expr.Pos())
	}
	if before.Origin != "" && f.diagnosis.Origin == "" {
		f.diagnosis.Origin = before.Origin
	}
	f.guardGiven(s, b, id, arg)
}

// fixGiven fixes where a value came from: a field that is never set, an error
// that was not checked.
func (f refusalRules) fixGiven(src source) {
	switch e := ast.Unparen(orNil(src.expr)).(type) {
	case *ast.SelectorExpr:
		t, field := structOf(src.place, e)
		if t == nil {
			return
		}
		if nilable(field.Type()) {
			f.nilRules.setInConstructors(t, field, f.suspects(src, e, t, field), origin)
		} else if b, ok := typeUnder[*types.Basic](field.Type()); ok && b.Info()&types.IsNumeric != 0 {
			f.sizeRules.defaultForField(src, e)
		}
	case *ast.CallExpr:
		f.nilRules.checkIgnoredError(src, e)
	}
	if src.of == fromNothing && src.stmt != nil && nilable(src.object.Type()) {
		f.nilRules.valueAtDeclaration(src)
	}
}

// guardGiven looks at a value before it is handed over.
func (f refusalRules) guardGiven(s panicCall, b *ast.BinaryExpr, id *ast.Ident, arg source) {
	if !isPathOrIndex(arg.expr) || arg.info().Types[arg.expr].Value != nil || arg.declaration() == nil {
		return
	}
	text := f.text(arg.expr)
	cond := regexp.MustCompile(`\b`+regexp.QuoteMeta(id.Name)+`\b`).ReplaceAllLiteralString(f.text(b), text)
	m, cause := f.messageOf(s)
	if cause != "" {
		m = message{percentAll(lastPart(firstLine(f.panic.Message))), nil}
	}
	for i, a := range m.args {
		if a != id.Name {
			m = message{percentAll(lastPart(firstLine(f.panic.Message))), nil}
			break
		}
		m.args[i] = text
	}
	f.guard(arg.place, cond, m, text)
}

// lastPart drops the name of a package in front of a message: "ring: no room".
func lastPart(s string) string {
	if before, after, ok := strings.Cut(s, ": "); ok && !strings.Contains(before, " ") {
		return after
	}
	return s
}

// contextEnded: the error says that a context was over. It may have been
// canceled, or given no time, by mistake.
func (f refusalRules) contextEnded() {
	switch {
	case strings.Contains(f.panic.Message, "context deadline exceeded"):
		f.shortTimeout()
	case strings.Contains(f.panic.Message, "context canceled"):
		f.canceledTooEarly()
	}
}

// shortTimeout gives a timeout that is written as a plain number its unit.
func (f refusalRules) shortTimeout() {
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isCallTo(p, call, "context", "WithTimeout") || len(call.Args) != 2 {
				return true
			}
			f.addUnit(p, call, call.Args[1])
			return true
		})
	})
}

// addUnit multiplies a duration without a unit.
func (f refusalRules) addUnit(p place, call *ast.CallExpr, arg ast.Expr) {
	e := ast.Unparen(arg)
	name := ""
	number := int64(0)
	switch x := e.(type) {
	case *ast.BasicLit:
		n, ok := constantInt(p, x)
		if !ok || n <= 0 || n > 1_000_000 {
			return
		}
		number = n
	case *ast.CallExpr: // time.Duration(cfg.Timeout)
		if tv := p.info().Types[x.Fun]; !tv.IsType() || len(x.Args) != 1 || types.TypeString(tv.Type, nil) != "time.Duration" {
			return
		}
		name = f.text(x.Args[0])
	case *ast.Ident:
		n, ok := constantInt(p, x)
		if !ok || n <= 0 || n > 1_000_000 {
			return
		}
		name, number = x.Name, n
	default:
		return
	}
	unit := "Second"
	low := strings.ToLower(name)
	if strings.HasSuffix(low, "ms") || strings.Contains(low, "milli") || number >= 100 {
		unit = "Millisecond"
	}
	text := f.text(arg) + " * " + pkgName(p.file, "time") + "." + unit
	f.diagnosis.Sentence = fmt.Sprintf("the context ends at once: %s (%s) is given %s, which counts nanoseconds", f.text(call.Fun), f.where(call.Pos()), f.text(arg))
	f.diagnosis.Origin = f.relWhere(call.Pos())
	f.offer(idea{rule: "refused/add-unit", title: fmt.Sprintf("give the timeout its unit: %s", text), weight: origin - 1, change: f.change().replace(arg.Pos(), arg.End(), text).need(p.file, "time"),
		why: "A plain number is a duration in nanoseconds; no call is that fast."})
}

// canceledTooEarly: a cancel runs before the context has been used.
func (f refusalRules) canceledTooEarly() {
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || len(as.Lhs) != 2 || len(as.Rhs) != 1 {
				return true
			}
			call, ok := as.Rhs[0].(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := p.callee(call)
			if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "context" || !strings.HasPrefix(fn.Name(), "With") {
				return true
			}
			f.earlyCancel(p.of(as), as)
			return true
		})
	})
}

// earlyCancel looks at what becomes of one context and its cancel function.
func (f refusalRules) earlyCancel(at place, as *ast.AssignStmt) {
	ctx, cancel := at.object(as.Lhs[0]), at.object(as.Lhs[1])
	if ctx == nil || cancel == nil {
		return
	}
	ast.Inspect(bodyOf(at.function()), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || at.object(call.Fun) != cancel {
			return true
		}
		c := at.of(call)
		switch {
		case c.function() != at.function() || c.statement() == nil:
		case c.deferred():
			f.returnsCanceled(at, c, ctx, cancel)
		case usedAfter(at, ctx, call.End()) && c.anchorBlock() == at.anchorBlock():
			f.diagnosis.Sentence = fmt.Sprintf("%s is canceled (%s) before it is used", ctx.Name(), f.where(call.Pos()))
			f.diagnosis.Origin = f.relWhere(call.Pos())
			f.offer(idea{rule: "refused/early-cancel", title: "cancel the context when the function ends", weight: origin - 1, change: f.change().replace(c.statement().Pos(), c.statement().Pos(), "defer "),
				why: "The cancel is deferred, so that the context lasts for as long as the function uses it."})
		}
		return true
	})
}

func usedAfter(at place, obj types.Object, pos token.Pos) bool {
	used := false
	ast.Inspect(bodyOf(at.function()), func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() > pos && at.info().Uses[id] == obj {
			used = true
		}
		return !used
	})
	return used
}

// returnsCanceled: a function hands out a context whose cancel it defers. It
// hands out the cancel function as well, for the caller to defer.
func (f refusalRules) returnsCanceled(at, c place, ctx, cancel types.Object) {
	d, ok := at.function().(*ast.FuncDecl)
	if !ok || d.Type.Results == nil || d.Type.Results.NumFields() != 1 || len(d.Type.Results.List[0].Names) > 0 {
		return
	}
	obj, ok := at.info().Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	ch := f.change().remove(c.statement())
	result := d.Type.Results.List[0].Type
	ch.replace(result.Pos(), result.End(), "("+f.text(result)+", "+pkgName(at.file, "context")+".CancelFunc)")
	returned := false
	for _, r := range returnsOf(d) {
		if len(r.Results) != 1 {
			return
		}
		if at.object(r.Results[0]) == ctx {
			returned = true
			ch.insert(r.Results[0].End(), ", "+cancel.Name())
		} else {
			ch.insert(r.Results[0].End(), ", func() {}")
		}
	}
	calls, plain := f.callsOf(obj)
	if !returned || !plain || len(calls) == 0 {
		return
	}
	for _, call := range calls {
		as, isAssign := call.path[1].(*ast.AssignStmt)
		if !isAssign || len(as.Lhs) != 1 || as.Tok != token.DEFINE || call.of(as).anchor() != ast.Stmt(as) {
			return
		}
		name := fresh(call, "cancel", "stop")
		ch.insert(as.Lhs[0].End(), ", "+name).after(as, "defer "+name+"()")
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s hands out a context that is canceled already: %s (%s) runs when it returns", funcName(d), f.text(c.statement()), f.where(c.node().Pos()))
	f.diagnosis.Origin = f.relWhere(c.node().Pos())
	f.offer(idea{rule: "refused/returns-canceled", title: fmt.Sprintf("let the callers of %s cancel the context", funcName(d)), weight: origin - 1, change: ch,
		why: fmt.Sprintf("%s returns the cancel function too; who uses the context defers it.", funcName(d))})
}
