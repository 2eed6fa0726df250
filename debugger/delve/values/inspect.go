package values

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// Inspector evaluates expressions and reads the children of values.
type Inspector struct {
	srv    *control.Server
	memory *memory.Reader
	maps   map[uint64]*mapIndex // large maps of this stop, by address; for who holds the queue
}

// New returns what reads the values of a server's target.
func New(srv *control.Server, mem *memory.Reader) *Inspector {
	return &Inspector{srv: srv, memory: mem}
}

// ForgetMaps forgets what is known of a stop's large maps: the target goes on.
func ForgetMaps(vs *Inspector) { vs.maps = nil }

// Evaluate evaluates a Go expression in a frame. It calls no functions of the
// target. For a map without the key it fails with debugger.ErrNoKey.
func (vs *Inspector) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (v debugger.Variable, err error) {
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		if err := vs.shiftsFit(ctx, at, expr); err != nil {
			return err
		}
		_, v, err = vs.evaluate(ctx, at, expr)
		return err
	})
	return v, err
}

func (vs *Inspector) evaluate(ctx context.Context, at debugger.FrameRef, expr string) (*api.Variable, debugger.Variable, error) {
	if err := vs.loaded(ctx, at, expr); err != nil {
		return nil, debugger.Variable{}, err
	}
	asked := vs.resolved(ctx, at, expr)
	got, err := ask.Eval(ctx, vs.srv, at, asked, convert.FrameLoad)
	if errors.Is(err, rpc.ErrNoType) {
		return nil, debugger.Variable{}, advice.Add(fmt.Errorf("%s: the program has no such type", expr), "types PATTERN lists those that it has")
	}
	if err != nil {
		return nil, debugger.Variable{}, err
	}
	if why := absentOperand(ctx, vs.srv.Client, rpc2.EvalIn{Scope: ask.Scope(at), Expr: asked}, got); why != "" {
		got.Unreadable, got.Value, got.Children = why, "", nil
	}
	if asked != expr || strings.Contains(expr, ".(") || strings.HasPrefix(got.Name, "data.") || isCallExpr(expr) { // Delve calls it as it was asked, data, or like the argument that min answers
		got.Name = expr
	}
	return got, convert.Variable(got, got.Name, expr), nil
}

// isCallExpr reports whether an expression is a call, a built-in function's or a conversion.
func isCallExpr(expr string) bool {
	e, err := parser.ParseExpr(expr)
	_, ok := e.(*ast.CallExpr)
	return err == nil && ok
}

// SetVariable assigns the value of an expression to a variable, a field or an
// element. For a value that only a call can make it fails with
// debugger.ErrNeedsCall: Resume with CallFunction assigns that.
func (vs *Inspector) SetVariable(ctx context.Context, at debugger.FrameRef, lhs, rhs string) error {
	if !vs.srv.Can.Write {
		return vs.srv.Can.Refuse("be written to")
	}
	return vs.srv.Do(ctx, func(ctx context.Context) error {
		if err := vs.loaded(ctx, at, lhs, rhs); err != nil {
			return fmt.Errorf("set %s: %w", lhs, err)
		}
		if text, ok := ask.SeenFrom(ctx, vs.srv, at, lhs); ok {
			lhs = text
		}
		_, err := rpc.Call[rpc2.SetOut](ctx, vs.srv.Client, "Set", rpc2.SetIn{Scope: ask.Scope(at), Symbol: lhs, Value: rhs})
		if err == nil {
			return nil
		}
		return fmt.Errorf("set %s: %w", lhs, err)
	})
}

// Children returns a page of the children of the value of v.Expr, 64 by
// default.
func (vs *Inspector) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (list []debugger.Variable, err error) {
	if v.Expr == "" {
		return nil, fmt.Errorf("%s cannot be named in this frame", v.Name)
	}
	page.Start = max(page.Start, 0)
	if page.Count <= 0 {
		page.Count = convert.ArrayLoad
	}
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		list, err = vs.children(ctx, at, v, page)
		return err
	})
	return list, err
}

func (vs *Inspector) children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	if err := vs.loaded(ctx, at, v.Expr); err != nil {
		return nil, err
	}
	load, expr := convert.ChildLoad, v.Expr
	end := page.Start + page.Count
	if v.Kind == reflect.Map && end > MapIndexFrom && int64(page.Start) < v.Len {
		if list, err := vs.indexed(ctx, at, v, page); !errors.Is(err, errNoIndex) {
			return list, err
		}
	}
	switch v.Kind {
	case reflect.Slice, reflect.Array, reflect.Map:
		if int64(page.Start) >= v.Len {
			return nil, nil
		}
		load.MaxArrayValues = page.Count
		expr = fmt.Sprintf("%s[%d:", convert.Operand(v.Expr), page.Start)
		if v.Kind != reflect.Map { // of which Delve skips, but cannot cut
			expr += fmt.Sprint(min(int64(end), v.Len))
		}
		expr += "]"
	case reflect.Chan:
		return vs.buffered(ctx, at, v, page)
	case reflect.Pointer:
		if v.Nil || page.Start > 0 {
			return nil, nil
		}
		expr = "*" + convert.Operand(v.Expr) // Delve does not follow one that is the result of &
	}
	got, err := ask.Eval(ctx, vs.srv, at, expr, load)
	if err != nil {
		return nil, err
	}
	if got.Unreadable != "" {
		return nil, fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
	}
	switch v.Kind {
	case reflect.Pointer:
		return []debugger.Variable{convert.Dereferenced(got, v.Expr)}, nil
	case reflect.Slice, reflect.Array:
		return convert.Children(got, v.Expr, page.Start), nil
	case reflect.Map:
		return convert.Entries(got, v.Expr), nil
	}
	list := convert.Children(got, v.Expr, 0)
	return list[min(page.Start, len(list)):min(end, len(list))], nil
}

// String returns a part of a string of the target: Count bytes (4096 by
// default) from the byte Start on.
func (vs *Inspector) String(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (text string, err error) {
	if v.Kind != reflect.String || v.Expr == "" {
		return "", fmt.Errorf("%s is not a string that can be read on", v.Name)
	}
	start, count := int64(max(page.Start, 0)), int64(page.Count)
	if count <= 0 {
		count = 4096
	}
	if start >= v.Len {
		return "", nil
	}
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		load := convert.ChildLoad
		load.MaxStringLen = int(count)
		expr := fmt.Sprintf("%s[%d:%d]", convert.Operand(v.Expr), start, min(start+count, v.Len))
		got, err := ask.Eval(ctx, vs.srv, at, expr, load)
		if err != nil {
			return err
		}
		if got.Unreadable != "" {
			return fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
		}
		text = got.Value
		return nil
	})
	return text, err
}

// buffered returns a page of the items in a channel's buffer, the oldest first:
// the buffer is a ring, and what is received next is at recvx.
func (vs *Inspector) buffered(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	end := min(int64(page.Start+page.Count), v.Len)
	first, err := ask.Eval(ctx, vs.srv, at, convert.Operand(v.Expr)+".recvx", convert.ChildLoad)
	if err != nil {
		return nil, err
	}
	var recvx int64
	if _, err := fmt.Sscan(first.Value, &recvx); err != nil || v.Cap <= 0 {
		return nil, fmt.Errorf("read %s: where its buffer begins is not known", v.Expr)
	}
	buffer := "(*" + convert.Operand(v.Expr) + ".buf)"
	var list []debugger.Variable
	for next := int64(page.Start); next < end; {
		slot := (recvx + next) % v.Cap
		count := min(end-next, v.Cap-slot)
		load := convert.ChildLoad
		load.MaxArrayValues = int(count)
		got, err := ask.Eval(ctx, vs.srv, at, fmt.Sprintf("%s[%d:%d]", buffer, slot, slot+count), load)
		if err != nil {
			return nil, err
		}
		if got.Unreadable != "" {
			return nil, fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
		}
		for i := range got.Children {
			name := fmt.Sprintf("[%d]", next+int64(i))
			list = append(list, convert.Variable(&got.Children[i], name, fmt.Sprintf("%s[%d]", buffer, slot+int64(i))))
		}
		next += count
	}
	return list, nil
}
