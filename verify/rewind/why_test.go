package rewind

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/history"
)

// A constant with a name is shown as "store (2)", and recorded as 2.
func TestOtherThan(t *testing.T) {
	q := history.Query{File: "main.go", Line: 15}
	stop := func(value string) debugger.Stop {
		c := debugger.Variable{Name: "c", Kind: reflect.Uint8, Value: value}
		return debugger.Stop{Panic: &debugger.Panic{}, Frames: []debugger.Frame{{File: q.File, Line: q.Line, Locals: []debugger.Variable{c}}}}
	}
	for value, want := range map[string]string{"store (2)": "", "2": "", "pop (1)": "c", "1": "c"} {
		if got := otherThan(stop(value), q, map[string]string{"c": "2"}); got != want {
			t.Errorf("of %s: %q", value, got)
		}
	}
}
