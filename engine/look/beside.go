package look

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// Beside notes in a history which value the paused program has, where that is another one.
func Beside(ctx context.Context, in debugger.Inspector, at debugger.FrameRef, h *evidence.History) {
	if in == nil {
		return
	}
	if v, err := in.Evaluate(ctx, at, h.Expr); err == nil {
		h.Paused = otherwise(v, h.Value)
	}
}

// Numbers reads numbers of a frame of the paused program.
func Numbers(ctx context.Context, in debugger.Inspector, at debugger.FrameRef) func(string) (int64, bool) {
	if in == nil {
		return nil
	}
	return func(expr string) (int64, bool) {
		v, err := in.Evaluate(ctx, at, expr)
		if err != nil || v.Unset {
			return 0, false
		}
		n, err := strconv.ParseInt(debugger.Number(v.Value), 10, 64)
		return n, err == nil
	}
}

// otherwise is a value in the words of a history, if it is another one than recorded; empty
// where it is the same, or cannot be compared.
func otherwise(v debugger.Variable, recorded string) string {
	if v.Unreadable != "" || v.Unset || recorded == "" {
		return ""
	}
	if v.Kind == reflect.Interface && !v.Nil && len(v.Children) == 1 {
		v = v.Children[0]
	}
	switch v.Kind {
	case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Map, reflect.Slice, reflect.Chan:
		return otherReference(v, recorded)
	}
	words := PlainText(v)
	if words == "" || words == recorded || strings.HasSuffix(recorded, " "+words) || recorded == "absent" || strings.HasSuffix(recorded, "…") {
		return ""
	}
	return words
}

// PlainText is a plain value as a history writes it; empty where it is not known in full.
func PlainText(v debugger.Variable) string {
	switch {
	case v.Kind == reflect.Bool:
		return v.Value
	case v.Kind >= reflect.Int && v.Kind <= reflect.Uint64:
		if _, err := strconv.ParseFloat(v.Value, 64); err == nil { // a constant may have a name
			return v.Value
		}
	case v.Kind == reflect.String && v.Len == int64(len(v.Value)):
		return strconv.Quote(v.Value)
	}
	return ""
}

// otherReference compares what may be nil, or may have another length.
func otherReference(v debugger.Variable, recorded string) string {
	absent := recorded == "absent" || recorded == "nil" || strings.HasSuffix(recorded, " nil") // in an interface
	name, rest, counted := strings.Cut(recorded, " of ")
	switch v.Kind {
	case reflect.Map, reflect.Slice, reflect.Chan:
	default:
		counted = false
	}
	n, _, _ := strings.Cut(rest, " ")
	switch {
	case v.Nil && !absent:
		return "nil"
	case !v.Nil && absent:
		return "not nil"
	case counted && n != strconv.FormatInt(v.Len, 10):
		return fmt.Sprintf("%s of %d", name, v.Len)
	}
	return ""
}
