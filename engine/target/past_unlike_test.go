package target

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A run in the past that has other values than the paused program says so.
func TestARunInThePastIsComparedWithThePausedProgram(t *testing.T) {
	frame := func(function, mode, n string) debugger.Frame {
		return debugger.Frame{Function: function, Locals: []debugger.Variable{
			{Name: "n", Type: "int", Kind: reflect.Int, Value: n, DeclLine: 3},
			{Name: "mode", Type: "string", Kind: reflect.String, Value: mode, Len: int64(len(mode)), DeclLine: 4},
			{Name: "p", Type: "*int", Kind: reflect.Pointer, Value: n, DeclLine: 5},
		}}
	}
	run := PastRun{Paused: frame("main.f", "prod", "1")}
	for _, c := range []struct {
		there debugger.Frame
		want  string
	}{
		{frame("main.f", "prod", "1"), ""},
		{frame("main.f", "dev", "1"), `mode is "dev" here, and was "prod" in the paused program`},
		{frame("main.g", "dev", "2"), ""},
	} {
		if got := run.unlike(c.there); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
