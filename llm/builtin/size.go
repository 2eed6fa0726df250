package builtin

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/evidence"
)

// negativeSize: make, strings.Repeat, time.NewTicker and the like got a size
// or interval that cannot be.
func (f *fixer) negativeSize() {
	s, ok := f.choose(f.sizes)
	if !ok {
		return
	}
	text := f.text(s.bad)
	f.checking = rangeCheck
	call := s.expr.(*ast.CallExpr)
	value := "negative"
	n, known := f.number(s.place, f.at, s.bad)
	if known {
		value = fmt.Sprint(n)
	}
	ticker := strings.Contains(f.panic.Message, "non-positive interval")
	if ticker && !known {
		value = "not positive"
	}
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: value, Sentence: fmt.Sprintf("%s is %s, which is no size for %s", text, value, f.text(call.Fun))}
	src := f.trace(s.place, f.at, s.bad)
	if src.expr != nil && src.expr != ast.Unparen(s.bad) {
		f.note(fmt.Sprintf("it comes from %s (%s)", short(f.text(src.expr)), f.where(src.expr.Pos())), src.expr.Pos())
	}
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(s.bad.Pos())
	}
	f.argumentsSwapped(s.place, f.at)
	f.tooNarrow(s.place, f.at, s.bad)
	if src.expr != nil {
		if sel, isSel := ast.Unparen(src.expr).(*ast.SelectorExpr); isSel {
			f.defaultForField(src.place, sel)
		}
	}
	if ticker {
		f.tickerDefault(s)
		f.guard(s.place, text+" <= 0", message{percent(text) + " is %v, want a positive interval", []string{text}}, text)
		return
	}
	if !known || n < 0 {
		f.clampSize(s, src)
	}
	cond := text + " < 0"
	if known && n > 0 {
		cond = ""
	}
	if b, ok := ast.Unparen(s.bad).(*ast.BinaryExpr); ok && b.Op.String() == "-" && isPathOrIndex(b) {
		cond = fmt.Sprintf("%s < %s", f.text(b.X), f.text(b.Y))
	}
	if cond != "" && isPathOrIndex(s.bad) {
		f.guard(s.place, cond, message{percent(text) + " is %d, want no negative number", []string{text}}, text)
	}
}

// sizes finds the calls that take a size.
func (f *fixer) sizes(p place, n ast.Node) []suspect {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	var args []ast.Expr
	if name, _ := p.builtin(call); name == "make" {
		args = call.Args[1:]
	} else if fn := p.callee(call); fn != nil && fn.Pkg() != nil && name == "" {
		last := len(call.Args) - 1
		lib, inside := f.inLibrary()
		if last < 0 || !inside || !strings.HasSuffix(lib, fn.Name()) && !takesSize(fn) {
			return nil
		}
		args = call.Args[last:]
	}
	var list []suspect
	for _, a := range args {
		t := p.info().TypeOf(a)
		if t == nil || !isInteger(t) {
			continue
		}
		fact := unknown
		if v, known := f.number(p, f.at, a); known {
			fact = triOf(v < 0 || v > 1<<40 || strings.Contains(f.panic.Message, "non-positive") && v <= 0)
		} else if tv := p.info().Types[a]; tv.Value != nil {
			fact = no
		}
		list = append(list, suspect{expr: call, bad: a, fact: fact})
	}
	return list
}

func takesSize(fn *types.Func) bool {
	switch fn.Name() {
	case "Repeat", "NewTicker", "Grow", "Reset", "Tick", "Truncate":
		return true
	}
	return false
}

// clampSize makes a negative size 0, at the call.
func (f *fixer) clampSize(s suspect, src source) {
	text := f.text(s.bad)
	w := handled + 3
	if name, _ := s.builtin(s.expr); name == "" { // padding and indentation: nothing to repeat
		w = origin + 2
	} else if sig := s.signature(); sig == nil || sig.Results().Len() == 0 || !implementsError(sig.Results().At(sig.Results().Len()-1).Type()) {
		w = handled - 1
	}
	f.offer(idea{title: fmt.Sprintf("use at least 0 for %s", short(text)), weight: w,
		change: f.change().replace(s.bad.Pos(), s.bad.End(), fmt.Sprintf("max(%s, 0)", text)),
		why:    fmt.Sprintf("Where %s is negative there is nothing to make; the size is then 0.", text)})
}

// tickerDefault gives an interval of zero a usual value.
func (f *fixer) tickerDefault(s suspect) {
	if !isPathOrIndex(s.bad) || s.anchor() == nil {
		return
	}
	text := f.text(s.bad)
	value := pkgName(s.file, "time") + ".Second"
	if sel, ok := ast.Unparen(s.bad).(*ast.SelectorExpr); ok {
		if _, field := structOf(s.place, sel); field != nil {
			if name := f.defaultConstant(s.place, field); name != "" {
				value = name
			}
		}
	}
	if isPath(s.bad) {
		ch := f.change().before(s.anchor(), fmt.Sprintf("if %s <= 0 {\n\t%s = %s\n}", text, text, value)).need(s.file, "time")
		f.offer(idea{title: fmt.Sprintf("use %s where no interval is set", value), weight: handled - 2, change: ch,
			why: fmt.Sprintf("An interval of zero means that nobody chose one; %s is used then.", value)})
		return
	}
	ch := f.change().replace(s.bad.Pos(), s.bad.End(), fmt.Sprintf("max(%s, %s)", text, value)).need(s.file, "time")
	f.offer(idea{title: fmt.Sprintf("use at least %s as the interval", value), weight: handled, change: ch,
		why: "A ticker needs a positive interval."})
}
