package console

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

const assigning = "Without the word set it does the same: x.count = 3. A new string (name = \"new\") and the result of a function (list = sorted(list)) are made by a call: " +
	"all goroutines run meanwhile. list = append(list, 3) works within the capacity of list."

func (c dataCall) set() error {
	name, value, ok := Assignment(c.Args)
	if !ok {
		return fmt.Errorf("%w: there is no =", ErrUsage)
	}
	return c.assign(name, value)
}

// assign sets a variable and shows it as it is then.
func (c dataCall) assign(name, value string) error {
	t, err := c.target()
	if err != nil {
		return err
	}
	if slice, items, ok := appended(value); ok {
		err = c.grow(t, name, slice, items)
	} else {
		err = c.put(t, name, value)
	}
	if err != nil {
		return err
	}
	c.Out.answer.Changed = true
	if t, err = c.target(); err != nil { // a call that another stop has interrupted shows that one
		return nil //nolint:nilerr // see above
	}
	v, err := t.Evaluate(c, c.At, name)
	if err != nil {
		return err
	}
	return c.show(t, v)
}

// put sets a variable, by a call where the target has to make the value.
func (c dataCall) put(t Target, name, value string) error {
	err := t.SetVariable(c, c.At, name, value)
	if !errors.Is(err, debugger.ErrNeedsCall) {
		return err
	}
	if text, ok := stringLiteral(value); ok {
		if v, err := t.Evaluate(c, c.At, name); err == nil && v.Kind != reflect.String && v.Kind != reflect.Interface {
			return fmt.Errorf("set %s: it is of type %s, and %q is a string", name, v.Type, text)
		}
	}
	if err := runCall(c).mayCall(); err != nil {
		return advice.Add(fmt.Errorf("%s = %s needs a call of the program: %w", name, value, err), "assign another variable's value, or a part of one: that needs no call")
	}
	if c.At.Frame > 0 {
		return advice.Add(fmt.Errorf("%s = %s needs a call of the program, and calls work only in the innermost frame", name, value), "frame 0 selects it; another variable's value can be assigned in any frame")
	}
	c.Out.Line(session.Line{Text: "all goroutines run while the program makes the value", Style: session.StyleWarn})
	stop, err := c.host.Move(c, debugger.Move{Motion: debugger.CallFunction, Expr: name + " = " + value, Goroutine: c.At.Goroutine}, true)
	switch {
	case err != nil:
		return err
	case stop.Fault != "":
		return fmt.Errorf("set %s: %s", name, stop.Fault)
	case stop.Reason != debugger.ReasonCall:
		return fmt.Errorf("set %s: the program stopped before the value was made: %s", name, stop.Reason)
	}
	c.landed(stop)
	return nil
}

// stringLiteral is the text of a value that is nothing but a string literal.
func stringLiteral(value string) (string, bool) {
	expr, err := parser.ParseExpr(value)
	if err != nil {
		return "", false
	}
	literal, ok := ast.Unparen(expr).(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// grow appends to a slice in the array that it has. Nothing can make a larger one
// in a held target but the target's own code.
func (c dataCall) grow(t Target, name, slice string, items []string) error {
	v, err := t.Evaluate(c, c.At, slice)
	if err != nil {
		return err
	}
	if v.Kind != reflect.Slice {
		return fmt.Errorf("append: %s is a %s, not a slice", slice, v.Type)
	}
	need := v.Len + int64(len(items))
	if need > v.Cap {
		return advice.Add(fmt.Errorf("append: %s is full (len %d, cap %d), and the debugger cannot make a larger array in the program", slice, v.Len, v.Cap),
			"call a function of the program that returns a longer slice: "+name+" = grown("+slice+"); or assign a longer slice that exists")
	}
	if err := t.SetVariable(c, c.At, name, fmt.Sprintf("%s[:%d]", slice, need)); err != nil {
		return err
	}
	for i, item := range items {
		err := c.put(t, fmt.Sprintf("%s[%d]", name, v.Len+int64(i)), item)
		if err == nil {
			continue
		}
		if back := t.SetVariable(c, c.At, name, fmt.Sprintf("%s[:%d]", name, v.Len)); back != nil && name == slice {
			err = errors.Join(err, back)
		}
		return err
	}
	return nil
}

// appended takes apart append(slice, items...).
func appended(value string) (slice string, items []string, ok bool) {
	expr, err := parser.ParseExpr(value)
	if err != nil {
		return "", nil, false
	}
	call, isCall := ast.Unparen(expr).(*ast.CallExpr)
	if !isCall || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return "", nil, false
	}
	if f, isName := call.Fun.(*ast.Ident); !isName || f.Name != "append" {
		return "", nil, false
	}
	for _, a := range call.Args {
		items = append(items, value[a.Pos()-1:a.End()-1])
	}
	return items[0], items[1:], true
}
