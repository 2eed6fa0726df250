package value

import (
	"errors"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// children returns all children of a value, reading what is not loaded.
func (r *Reader) children(at site, v debugger.Variable) ([]debugger.Variable, error) {
	if v.Unloaded == 0 {
		return v.Children, nil
	}
	if v.Len > maxValues {
		return nil, at.refuse("has %d elements, more than %d", v.Len, maxValues)
	}
	list := v.Children
	if v.Kind == reflect.Struct || v.Kind == reflect.Pointer || v.Kind == reflect.Interface {
		list = nil
	}
	for {
		page, err := r.Inspect.Children(r.ctx, r.At, v, debugger.Page{Start: len(list), Count: pageSize})
		if err != nil {
			return nil, r.unread(at, err)
		}
		list = append(list[:len(list):len(list)], page...)
		if len(page) == 0 || int64(len(list)) >= v.Len {
			return list, nil
		}
	}
}

// evaluate evaluates an expression about a value.
func (r *Reader) evaluate(at site, expr string) (debugger.Variable, error) {
	v, err := r.Inspect.Evaluate(r.ctx, r.At, expr)
	if err != nil {
		return v, r.unread(at, err)
	}
	if v.Unreadable != "" {
		return v, at.refuse("cannot be read: %s", v.Unreadable)
	}
	return v, nil
}

// unread tells a value that cannot be read from a target that cannot.
func (r *Reader) unread(at site, err error) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if errors.Is(err, debugger.ErrGone) || errors.Is(err, debugger.ErrRunning) {
		return err
	}
	return at.refuse("cannot be read: %s", oneLine(err.Error()))
}

func oneLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}
