package engine

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// beside notes in a history which value the paused program has, where that is another one.
func beside(ctx context.Context, in debugger.Inspector, at debugger.FrameRef, h *evidence.History) {
	if in == nil {
		return
	}
	if v, err := in.Evaluate(ctx, at, h.Expr); err == nil {
		h.Paused = otherwise(v, h.Value)
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
	absent := recorded == "nil" || recorded == "absent"
	words := ""
	switch v.Kind {
	case reflect.Bool:
		words = v.Value
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if _, err := strconv.ParseFloat(v.Value, 64); err == nil { // a constant may have a name
			words = v.Value
		}
	case reflect.String:
		if v.Len == int64(len(v.Value)) && !strings.HasSuffix(recorded, "…") {
			words = strconv.Quote(v.Value)
		}
	case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Map, reflect.Slice, reflect.Chan:
		switch name, rest, counted := strings.Cut(recorded, " of "); {
		case v.Nil != absent && v.Nil:
			return "nil"
		case v.Nil != absent:
			return "not nil"
		case counted && v.Kind != reflect.Pointer && v.Kind != reflect.Func && v.Kind != reflect.Interface:
			if n, _, _ := strings.Cut(rest, " "); n != strconv.FormatInt(v.Len, 10) {
				return fmt.Sprintf("%s of %d", name, v.Len)
			}
		}
	}
	if words == "" || words == recorded || strings.HasSuffix(recorded, " "+words) || recorded == "absent" {
		return ""
	}
	return words
}
