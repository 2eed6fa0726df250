package format

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// errFull ends the writing of a value that is longer than wanted.
var errFull = errors.New("full")

// Write writes a whole value as Go-like text, reading on what is not loaded, of
// at most limit bytes; whole is false where that cut it. A string by itself is
// written as it is, without quotes.
func Write(ctx context.Context, r Reader, v debugger.Variable, limit int) (text string, whole bool, err error) {
	w := &writer{d: &describer{ctx: ctx, r: r}, limit: limit}
	if v.Kind == reflect.String && v.Unreadable == "" {
		text, err := w.string(v)
		return text, int64(len(text)) >= v.Len, err
	}
	err = w.write(v, 0)
	if errors.Is(err, errFull) {
		return w.b.String() + "…", false, nil
	}
	return w.b.String(), true, err
}

type writer struct {
	d     *describer
	b     strings.Builder
	limit int
	above []uint64 // what the pointers so far point at
}

func (w *writer) put(s string) error {
	if w.b.Len()+len(s) > w.limit {
		w.b.WriteString(printable.Cut(s, w.limit-w.b.Len()))
		return errFull
	}
	w.b.WriteString(s)
	return nil
}

// string is all of a string, up to the limit.
func (w *writer) string(v debugger.Variable) (string, error) {
	n := min(v.Len, int64(w.limit))
	if int64(len(v.Value)) >= n {
		return v.Value, nil
	}
	if w.d.r == nil || !debugger.InMemory(v.Base) {
		return v.Value, nil
	}
	data, err := w.d.r.ReadMemory(w.d.ctx, v.Base, int(n))
	return string(data), err
}

func (w *writer) write(v debugger.Variable, depth int) error {
	if err := w.d.ctx.Err(); err != nil {
		return err
	}
	switch {
	case v.Unreadable != "":
		return w.put("(unreadable)")
	case v.Nil:
		return w.put("nil")
	case depth > 40:
		return w.put("…")
	}
	switch v.Kind {
	case reflect.String:
		text, err := w.string(v)
		if err != nil {
			return err
		}
		return w.put(strconv.Quote(text))
	case reflect.Pointer:
		return w.pointer(v, depth)
	case reflect.Interface:
		inner, err := w.d.only(v)
		if err != nil {
			return w.rest(v, err)
		}
		if inner.Nil {
			return w.put(v.Type + "(" + inner.Type + ") nil")
		}
		if inner.Kind < reflect.Array || inner.Kind == reflect.String { // its type does not show
			if err := w.put(inner.Type + "("); err != nil {
				return err
			}
			if err := w.write(inner, depth+1); err != nil {
				return err
			}
			return w.put(")")
		}
		return w.write(inner, depth+1)
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		if v.Kind == reflect.Struct && v.Type == "time.Time" {
			return w.put(v.Value)
		}
		return w.composite(v, depth)
	}
	return w.put(debugger.Number(v.Value))
}

// rest writes what is known of a value that could not be read on.
func (w *writer) rest(v debugger.Variable, err error) error {
	if w.d.ctx.Err() != nil || errors.Is(err, debugger.ErrRunning) || errors.Is(err, debugger.ErrGone) {
		return err
	}
	return w.put(v.Value)
}

func (w *writer) pointer(v debugger.Variable, depth int) error {
	inner, err := w.d.only(v)
	if err != nil {
		return w.rest(v, err)
	}
	for _, addr := range w.above {
		if addr == inner.Addr && inner.Addr != 0 {
			return w.put("(" + v.Type + ")(0x" + strconv.FormatUint(inner.Addr, 16) + ")") // round in a circle
		}
	}
	w.above = append(w.above, inner.Addr)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	if err := w.put("&"); err != nil {
		return err
	}
	return w.write(inner, depth+1)
}

// page is how many children are read at once.
const page = 1024

func (w *writer) composite(v debugger.Variable, depth int) error {
	if err := w.put(v.Type + "{"); err != nil {
		return err
	}
	first := true
	list := v.Children
	for done := int64(0); ; {
		for _, c := range list {
			if !first {
				if err := w.put(", "); err != nil {
					return err
				}
			}
			first = false
			if err := w.child(v, c, depth); err != nil {
				return err
			}
		}
		if done += int64(len(list)); v.Unloaded == 0 || done >= max(v.Len, v.Unloaded) {
			break
		}
		if w.d.r == nil {
			return errFull
		}
		var err error
		if list, err = w.d.r.Children(w.d.ctx, v, debugger.Page{Start: int(done), Count: page}); err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
	}
	return w.put("}")
}

func (w *writer) child(of, c debugger.Variable, depth int) error {
	switch of.Kind {
	case reflect.Struct:
		if err := w.put(c.Name + ": "); err != nil {
			return err
		}
	case reflect.Map:
		key := strings.TrimSuffix(strings.TrimPrefix(c.Name, "["), "]")
		if c.Key != nil {
			if err := w.write(*c.Key, depth+1); err != nil {
				return err
			}
			key = ""
		}
		if err := w.put(key + ": "); err != nil {
			return err
		}
	}
	return w.write(c, depth+1)
}
