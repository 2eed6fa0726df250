package format

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

var containers = map[string]formatter{
	"container/list.List": list,
	"container/list.Element": func(d *describer, v debugger.Variable) (Value, error) {
		f, err := d.field(v, "Value")
		if err != nil {
			return Value{}, err
		}
		return Value{Text: "{Value: " + d.plain(f) + "}"}, nil
	},
	"database/sql.NullString":  null("String"),
	"database/sql.NullInt64":   null("Int64"),
	"database/sql.NullInt32":   null("Int32"),
	"database/sql.NullInt16":   null("Int16"),
	"database/sql.NullByte":    null("Byte"),
	"database/sql.NullFloat64": null("Float64"),
	"database/sql.NullBool":    null("Bool"),
	"database/sql.NullTime":    null("Time"),
	"database/sql.Null":        null("V"),
}

// null is a value that may be absent.
func null(name string) formatter {
	return func(d *describer, v debugger.Variable) (Value, error) {
		valid, err := d.integer(v, "Valid")
		if err != nil {
			return Value{}, err
		}
		if valid == 0 {
			return Value{Text: "NULL"}, nil
		}
		f, err := d.field(v, name)
		if err != nil {
			return Value{}, err
		}
		return Value{Text: d.plain(f)}, nil
	}
}

// list walks a list of package container/list, which is a ring through its root.
func list(d *describer, v debugger.Variable) (Value, error) {
	n, err := d.integer(v, "len")
	if err != nil {
		return Value{}, err
	}
	out := Value{Text: fmt.Sprintf("len %d", n)}
	if n == 0 {
		return out, nil
	}
	next, err := d.field(v, "root.next")
	for i := int64(0); i < min(n, maxRows) && err == nil && !next.Nil; i++ {
		var held debugger.Variable
		if held, err = d.field(next, "Value"); err == nil {
			out.Rows = append(out.Rows, named(held, fmt.Sprintf("[%d]", i)))
			next, err = d.field(next, "next")
		}
	}
	return out, err
}

// channel says who waits at a channel; what is in its buffer are its children.
func channel(d *describer, v debugger.Variable) (Value, error) {
	out := Value{Text: fmt.Sprintf("len %d cap %d", v.Len, v.Cap)}
	if v.Cap == 0 {
		out.Text = "unbuffered"
	}
	if d.r == nil {
		return Value{}, ErrMore
	}
	closed, err := d.integer(v, "closed")
	if err != nil {
		return Value{}, err
	}
	if closed != 0 {
		out.Text += ", closed"
	}
	for _, q := range []struct{ field, one, many string }{{"recvq", "waits to receive", "wait to receive"}, {"sendq", "waits to send", "wait to send"}} {
		ids, more, err := d.waiting(v, q.field)
		if err != nil {
			return Value{}, err
		}
		switch {
		case len(ids) == 1:
			out.Text += ", goroutine " + ids[0] + " " + q.one
		case len(ids) > 1:
			out.Text += ", goroutines " + strings.Join(ids, ", ") + choose(more, ", …", "") + " " + q.many
		}
	}
	return out, nil
}

// waiting lists the goroutines in a queue of a channel.
func (d *describer) waiting(v debugger.Variable, queue string) (ids []string, more bool, err error) {
	const most = 8
	expr := operand(v.Expr) + "." + queue + ".first"
	for range most {
		end, err := d.r.Evaluate(d.ctx, expr+" == nil") // the waiter itself would come with its goroutine's whole structure
		if err != nil {
			return nil, false, fmt.Errorf("%w: %w", ErrPlain, err)
		}
		if end.Value == "true" {
			return ids, false, nil
		}
		g, err := d.r.Evaluate(d.ctx, expr+".g.goid")
		if err != nil {
			return nil, false, fmt.Errorf("%w: %w", ErrPlain, err)
		}
		ids = append(ids, g.Value)
		expr += ".next"
	}
	return ids, true, nil
}

// function is a function's name; what it has captured are its children.
func function(_ *describer, v debugger.Variable) (Value, error) {
	if v.Value == "" {
		return Value{}, ErrPlain
	}
	text := debugger.ShortFunction(v.Value)
	if method, bound := strings.CutSuffix(text, "-fm"); bound { // the compiler's wrapper of a method value
		return Value{Text: method + " (bound)"}, nil
	}
	if n := int64(len(v.Children)); n > 0 {
		text += ", " + plural(n, "variable", "variables") + " captured"
	}
	return Value{Text: text}, nil
}
