package format

import (
	"errors"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

// contexts describe the implementations where they are without the interface.
var contexts = map[string]formatter{}

// contextTypes are the contexts of package context.
var contextTypes = map[string]bool{
	"context.cancelCtx": true, "context.timerCtx": true, "context.valueCtx": true, "context.withoutCancelCtx": true,
	"context.afterFuncCtx": true, "context.stopCtx": true, "context.backgroundCtx": true, "context.todoCtx": true,
}

// contextValue lists a context and those that it was made of, the outermost
// last: what they hold, when they end, whether they have been canceled.
func (d *describer) contextValue(v debugger.Variable) (Value, error) {
	var out Value
	var values int64
	var deadline, state string
	cancelable := false
	for range maxDepth {
		inner, err := d.pointee(v)
		if err != nil {
			return Value{}, err
		}
		step, err := d.contextStep(inner)
		if errors.Is(err, ErrPlain) {
			step, err = contextStep{row: row(inner.Type, d.short(inner)), over: true}, nil
		}
		if err != nil {
			return Value{}, err
		}
		step.row.Expr, step.row.Type = inner.Expr, inner.Type
		out.Rows = append(out.Rows, step.row)
		if step.value {
			values++
		}
		cancelable = cancelable || step.row.Name == "cancel"
		if deadline == "" {
			deadline = step.deadline
		}
		if state == "" {
			state = step.state
		}
		if step.over {
			break
		}
		v = step.parent
	}
	out.Text = out.Rows[len(out.Rows)-1].Name
	if values > 0 {
		out.Text += ", " + plural(values, "value", "values")
	}
	if deadline != "" {
		out.Text += ", deadline " + deadline
	}
	switch {
	case state != "":
		out.Text += ", " + state
	case cancelable && deadline == "":
		out.Text += ", not canceled"
	}
	if len(out.Rows) == 1 {
		out.Rows = nil
	}
	return out, nil
}

func (d *describer) short(v debugger.Variable) string {
	if v.Value == "" {
		return v.Type
	}
	return v.Value
}

// contextStep is one context of a chain.
type contextStep struct {
	row             debugger.Variable
	parent          debugger.Variable
	value, over     bool
	deadline, state string
}

func (d *describer) contextStep(v debugger.Variable) (step contextStep, err error) {
	parent := "Context"
	switch base(v.QualifiedType()) {
	case "context.backgroundCtx":
		return contextStep{row: row("background", ""), over: true}, nil
	case "context.todoCtx":
		return contextStep{row: row("todo", ""), over: true}, nil
	case "context.valueCtx":
		key, err := d.field(v, "key")
		if err != nil {
			return step, err
		}
		val, err := d.field(v, "val")
		if err != nil {
			return step, err
		}
		step.value = true
		step.row = row("value", d.key(key)+" = "+d.plain(val))
	case "context.cancelCtx":
		if step.state, err = d.canceled(v); err != nil {
			return step, err
		}
		step.row = row("cancel", choose(step.state == "", "not canceled", step.state))
	case "context.afterFuncCtx":
		parent = "cancelCtx.Context"
		if step.state, err = d.canceledAt(v, "cancelCtx"); err != nil {
			return step, err
		}
		step.row = row("after func", choose(step.state == "", "not called", step.state))
	case "context.timerCtx":
		parent = "cancelCtx.Context"
		until, err := d.field(v, "deadline")
		if err != nil {
			return step, err
		}
		when, err := moment(d, until)
		if err != nil {
			return step, err
		}
		if step.state, err = d.canceledAt(v, "cancelCtx"); err != nil {
			return step, err
		}
		step.deadline = when.Text
		step.row = row("deadline", when.Text+", "+choose(step.state == "", "not canceled", step.state))
	case "context.withoutCancelCtx":
		parent = "c"
		step.row = row("without cancel", "ends only with the program")
		step.state = "cannot be canceled"
	case "context.stopCtx":
		step.row = row("stop", "")
	default:
		return step, ErrPlain
	}
	step.parent, err = d.field(v, parent)
	return step, err
}

// key writes the key of a context's value: mostly a type of its own.
func (d *describer) key(v debugger.Variable) string {
	inner, err := d.pointee(v)
	if err != nil {
		return v.Value
	}
	if inner.Kind.String() == "struct" && len(inner.Children) == 0 {
		return inner.Type + "{}"
	}
	text := d.plain(inner)
	if inner.Type == "string" {
		return text
	}
	return inner.Type + "(" + text + ")"
}

func (d *describer) canceledAt(v debugger.Variable, path string) (string, error) {
	inner, err := d.field(v, path)
	if err != nil {
		return "", err
	}
	return d.canceled(inner)
}

// canceled says why a context has been canceled; empty where it was not.
func (d *describer) canceled(v debugger.Variable) (string, error) {
	fault, err := d.field(v, "err")
	if err == nil && fault.Kind.String() == "struct" { // an atomic.Value since Go 1.25
		fault, err = d.field(fault, "v")
	}
	if err != nil || fault.Nil {
		return "", err
	}
	top, err := d.level(fault, 8)
	if err != nil {
		return "", err
	}
	text := "canceled: " + top.text
	cause, err := d.field(v, "cause")
	if err != nil || cause.Nil {
		return text, nil //nolint:nilerr // without a readable cause the rest is still worth its words
	}
	if why, err := d.level(cause, 8); err == nil && why.text != top.text {
		text += " because of " + strconv.Quote(why.text)
	}
	return text, nil
}
