package delve

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
)

var (
	_ debugger.Inspector    = (*Target)(nil)
	_ debugger.MemoryReader = (*Target)(nil)
)

func noFrame(at debugger.FrameRef) error {
	return fmt.Errorf("goroutine %d has no frame %d", at.Goroutine, at.Frame)
}

// Evaluate evaluates a Go expression in a frame. It calls no functions of the
// target.
func (t *Target) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (v debugger.Variable, err error) {
	err = t.do(ctx, func(ctx context.Context) error {
		got, err := t.eval(ctx, at, expr, frameLoad)
		if err != nil {
			return err
		}
		v = convert(got, got.Name, expr)
		return nil
	})
	return v, err
}

// SetVariable assigns the value of an expression to a variable, a field or an
// element.
func (t *Target) SetVariable(ctx context.Context, at debugger.FrameRef, lhs, rhs string) error {
	if !t.can.Write {
		return t.can.Refuse("be written to")
	}
	return t.do(ctx, func(ctx context.Context) error {
		_, err := call[rpc2.SetOut](ctx, t.client, "Set", rpc2.SetIn{Scope: scope(at), Symbol: lhs, Value: rhs})
		if err == nil {
			return nil
		}
		err = fmt.Errorf("set %s: %w", lhs, err)
		if strings.Contains(err.Error(), "can not be allocated") {
			err = advice.Add(err, "assign another variable's value, or a part of one: a stopped target cannot make new strings")
		}
		return err
	})
}

// Children returns a page of the children of the value of v.Expr, 64 by
// default.
func (t *Target) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (list []debugger.Variable, err error) {
	if v.Expr == "" {
		return nil, fmt.Errorf("%s cannot be named in this frame", v.Name)
	}
	page.Start = max(page.Start, 0)
	if page.Count <= 0 {
		page.Count = arrayLoad
	}
	err = t.do(ctx, func(ctx context.Context) error {
		list, err = t.children(ctx, at, v, page)
		return err
	})
	return list, err
}

func (t *Target) children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	load, expr := childLoad, v.Expr
	end := page.Start + page.Count
	if v.Kind == reflect.Map && end > mapIndexFrom && int64(page.Start) < v.Len {
		if list, err := t.indexed(ctx, at, v, page); !errors.Is(err, errNoIndex) {
			return list, err
		}
	}
	switch v.Kind {
	case reflect.Slice, reflect.Array, reflect.Map:
		if int64(page.Start) >= v.Len {
			return nil, nil
		}
		load.MaxArrayValues = page.Count
		expr = fmt.Sprintf("%s[%d:", operand(v.Expr), page.Start)
		if v.Kind != reflect.Map { // of which Delve skips, but cannot cut
			expr += fmt.Sprint(min(int64(end), v.Len))
		}
		expr += "]"
	case reflect.Chan:
		return t.buffered(ctx, at, v, page)
	case reflect.Pointer:
		if v.Nil || page.Start > 0 {
			return nil, nil
		}
		expr = "*" + operand(v.Expr) // Delve does not follow one that is the result of &
	}
	got, err := t.eval(ctx, at, expr, load)
	if err != nil {
		return nil, err
	}
	if got.Unreadable != "" {
		return nil, fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
	}
	switch v.Kind {
	case reflect.Pointer:
		return []debugger.Variable{dereferenced(got, v.Expr)}, nil
	case reflect.Slice, reflect.Array:
		return children(got, v.Expr, page.Start), nil
	case reflect.Map:
		return entries(got, v.Expr), nil
	}
	list := children(got, v.Expr, 0)
	return list[min(page.Start, len(list)):min(end, len(list))], nil
}
