package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// divideByZero: an integer was divided by a value that is 0.
func (f sizeRules) divideByZero() {
	s, ok := f.choose(f.divisions)
	if !ok {
		return
	}
	text := f.text(s.bad)
	f.diagnosis = evidence.Diagnosis{Sentence: f.divisorSentence(s), Expr: text, Value: "0"}
	f.treatAlike(s.place, s.bad, "zero")
	f.plainMistakes()
	f.divisorOrigin(s)
	f.meanOfNothing(s)
	f.divideByAtLeastOne(s)
	bad := text + " == 0"
	f.shortCircuit(s.place, good(text+" != 0"), bad, "divisor")
	f.guard(s.place, bad, f.divisionMessage(s), text)
	f.resultInstead(s, bad)
}

func (f sizeRules) divisions(p place, n ast.Node) []suspect {
	judge := func(e ast.Expr, divisor ast.Expr) []suspect {
		t := p.info().TypeOf(divisor)
		if t == nil || !isInteger(t) {
			return nil
		}
		if tv := p.info().Types[divisor]; tv.Value != nil {
			return nil
		}
		fact := unknown
		if v, ok := f.number(p, f.at, divisor); ok {
			fact = triOf(v == 0)
		}
		return []suspect{{expr: e, bad: divisor, fact: fact}}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.QUO || n.Op == token.REM {
			return judge(n, n.Y)
		}
	case *ast.AssignStmt:
		if n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN {
			return judge(n.Lhs[0], n.Rhs[0])
		}
	case *ast.CallExpr: // big.Int.Div and the like
		if _, library := f.inLibrary(); library && strings.Contains(f.panic.Message, "division by zero") && len(n.Args) > 0 {
			last := n.Args[len(n.Args)-1]
			if t := p.info().TypeOf(last); t != nil && types.TypeString(t, nil) == "*math/big.Int" {
				return []suspect{{expr: n, bad: last, fact: unknown}}
			}
		}
	}
	return nil
}

func isInteger(t types.Type) bool {
	if tp, ok := t.(*types.TypeParam); ok {
		t = tp.Constraint()
		return t != nil
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func (f sizeRules) divisorSentence(s suspect) string {
	return f.text(s.bad) + " is 0"
}

func (f sizeRules) divisionMessage(s suspect) message {
	if name, call := s.builtin(s.bad); name == "len" {
		return message{percent(f.text(call.Args[0])) + " is empty", nil}
	}
	if b, ok := s.expr.(*ast.BinaryExpr); ok && b.Op == token.QUO && isPath(b.X) && simpleValue(s.info().TypeOf(b.X)) {
		return message{"division of %v by zero: " + percent(f.text(s.bad)) + " is 0", []string{f.text(b.X)}}
	}
	return message{"division by zero: " + percent(f.text(s.bad)) + " is 0", nil}
}

func simpleValue(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// percent makes source text safe inside a format.
func percent(s string) string { return strings.ReplaceAll(short(s), "%", "%%") }

// divisorOrigin sets a divisor that is a field that was never given a value.
func (f sizeRules) divisorOrigin(s suspect) {
	src := f.trace(s.place, f.at, s.bad)
	if src.expr == nil {
		return
	}
	switch e := ast.Unparen(src.expr).(type) {
	case *ast.SelectorExpr:
		f.defaultForField(src, e)
	case *ast.CallExpr:
		if name, call := src.builtin(e); name == "len" {
			f.noteOf(src, f.text(call.Args[0])+" is empty", call.Pos())
		}
	}
	if src.expr != ast.Unparen(s.bad) {
		f.comesFrom(src, "")
	} else {
		f.given(s.place, s.bad)
	}
}

// defaultForField gives a numeric field that a literal leaves out its default.
func (f sizeRules) defaultForField(src source, sel *ast.SelectorExpr) {
	p := src.place
	t, field := structOf(p, sel)
	if t == nil || f.mapRules.lostWrite(field) {
		return
	}
	if value, grounds, ok := f.declaredDefault(p, field); ok && f.defaultNextTo(t, field, value, grounds, "0") || len(f.assignmentsTo(field)) > 0 {
		return
	}
	lacking := f.suspects(src, sel, t, field)
	if len(lacking) == 0 || len(lacking) > 4 {
		return
	}
	f.blameSuspects(t, lacking, lacking[0], field)
	ch := f.change()
	value, w := defaultConstant(p, field), origin
	if value == "" {
		value, w = f.usualValue(f.buildings(t), field), origin+3
	}
	grounds := ""
	for _, b := range lacking {
		text := value
		if v, ok := f.forgotten(b, field); ok {
			text, w, grounds = v.text, origin-1, v.grounds
			value = text
		}
		if text == "" || !ch.setField(b, []fieldInit{{field, field.Name(), text}}) {
			return
		}
	}
	f.offer(idea{rule: "divide/default-for-field", title: fmt.Sprintf("set %s to %s in %s", field.Name(), value, lacking[0].buildName()), weight: w, change: ch, grounds: grounds,
		why: fmt.Sprintf("%s is built without %s, which leaves it 0; it now starts as %s.", t.Obj().Name(), field.Name(), value)})
}

// defaultConstant finds a package-level constant or variable that is named as the field's default.
func defaultConstant(p place, field *types.Var) string {
	if p.pkg.Types == nil || field.Pkg() == nil || field.Pkg().Path() != p.pkg.PkgPath {
		return ""
	}
	scope := p.pkg.Types.Scope()
	want := strings.ToLower(field.Name())
	for _, name := range scope.Names() {
		low := strings.ToLower(name)
		if !strings.Contains(low, "default") || !(strings.Contains(low, want) || strings.Contains(want, strings.ReplaceAll(low, "default", ""))) {
			continue
		}
		switch obj := scope.Lookup(name).(type) {
		case *types.Const, *types.Var:
			if types.AssignableTo(obj.Type(), field.Type()) || types.ConvertibleTo(obj.Type(), field.Type()) {
				return name
			}
		}
	}
	return ""
}

// usualValue is the constant that all other literals give the field, if they agree.
func (f sizeRules) usualValue(all []building, field *types.Var) string {
	value := ""
	for _, b := range all {
		v, present := b.fieldValue(field)
		if !present {
			continue
		}
		if tv := b.info().Types[v]; tv.Value == nil || (value != "" && value != f.text(v)) {
			return ""
		}
		value = f.text(v)
	}
	return value
}

// isMean reports whether a division is by how many there are of something: by a
// length, or by a variable that is counted up.
func isMean(s suspect) bool {
	if b, ok := s.expr.(*ast.BinaryExpr); ok && b.Op != token.QUO {
		return false
	}
	if name, _ := s.builtin(s.bad); name == "len" {
		return true
	}
	if id, ok := ast.Unparen(s.bad).(*ast.Ident); ok {
		return countedUp(s.place, s.info().ObjectOf(id))
	}
	return false
}

func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return lastName(e.Args[0])
		}
		return lastName(e.Fun)
	case *ast.IndexExpr:
		return lastName(e.X)
	}
	return ""
}

// countedUp reports whether a local variable is incremented in the function.
func countedUp(p place, obj types.Object) bool {
	d := p.declaration()
	if d == nil || obj == nil {
		return false
	}
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			found = found || n.Tok == token.INC && p.object(n.X) == obj
		case *ast.AssignStmt:
			found = found || n.Tok == token.ADD_ASSIGN && p.object(n.Lhs[0]) == obj
		}
		return true
	})
	return found
}

// meanOfNothing lets the mean of nothing be 0.
func (f sizeRules) meanOfNothing(s suspect) {
	sig := s.signature()
	if sig == nil || !isMean(s) {
		return
	}
	anchor := s.anchor()
	r, ok := anchor.(*ast.ReturnStmt)
	if !ok || sig.Results().Len() != 1 || len(r.Results) != 1 {
		return
	}
	rest, ok := results(s.place, sig, 0)
	if !ok || rest == "nil" {
		return
	}
	ch := f.change().before(r, fmt.Sprintf("if %s == 0 {\n\treturn %s\n}", f.text(s.bad), rest))
	f.offer(idea{rule: "divide/mean-of-nothing", title: fmt.Sprintf("return %s from %s where %s is 0", rest, funcName(s.function()), short(f.text(s.bad))), weight: handled - 1, change: ch,
		why: fmt.Sprintf("Where %s is 0, %s returns %s.", f.text(s.bad), funcName(s.function()), rest)})
}

// divideByAtLeastOne makes the quotient of 0 by 0 be 0, where it is part of a
// larger expression.
func (f sizeRules) divideByAtLeastOne(s suspect) {
	b, ok := s.expr.(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO || s.anchor() == nil {
		return
	}
	sum, known := f.number(s.place, f.at, b.X)
	if !known || sum != 0 {
		return
	}
	ch := f.change()
	done := false
	visit(s.of(s.anchor()).path[1], func(n ast.Node) {
		other, ok := n.(*ast.BinaryExpr)
		if !ok || other.Op != token.QUO || other.Pos() < s.anchor().Pos() || isConstant(s.place, other.Y) || !isInteger(s.info().TypeOf(other.Y)) {
			return
		}
		if n, known := f.number(s.place, f.at, other.Y); lastName(other.Y) != lastName(s.bad) && !(known && n == 0) {
			return
		}
		ch.replace(other.Y.Pos(), other.Y.End(), "max("+f.text(other.Y)+", 1)")
		done = true
	})
	if done {
		f.offer(idea{rule: "divide/divide-by-at-least-one", title: fmt.Sprintf("divide by at least 1 where %s is 0", short(f.text(s.bad))), weight: handled + 1, change: ch,
			why: fmt.Sprintf("%s is 0 in this run as well; divided by 1 it gives 0.", f.text(b.X))})
	}
}

// resultInstead computes the quotient only when the divisor allows it.
func (f sizeRules) resultInstead(s suspect, bad string) {
	as, ok := s.anchor().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return
	}
	w := hiding
	if isMean(s) {
		w = soft
	}
	t := s.info().TypeOf(as.Lhs[0])
	name := f.text(as.Lhs[0])
	good := strings.Replace(bad, " == 0", " != 0", 1)
	typ, fits := typeText(s.place, t)
	if !fits {
		return
	}
	ch := f.change()
	if as.Tok == token.DEFINE {
		ch.replace(as.Pos(), as.End(), fmt.Sprintf("var %s %s\nif %s {\n\t%s = %s\n}", name, typ, good, name, f.text(as.Rhs[0])))
	} else {
		ch.replace(as.Pos(), as.End(), fmt.Sprintf("if %s {\n\t%s\n}", good, f.text(as)))
	}
	f.offer(idea{rule: "divide/result-instead", title: fmt.Sprintf("divide only when %s", good), weight: w, change: ch,
		why: fmt.Sprintf("%s keeps the value it has where the divisor is 0.", name)})
}
