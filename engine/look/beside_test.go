package look

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A run may have another value than the paused program.
func TestAValueIsOtherwise(t *testing.T) {
	for _, tt := range []struct {
		v              debugger.Variable
		recorded, want string
	}{
		{debugger.Variable{Kind: reflect.Int, Value: "6"}, "0", "6"},
		{debugger.Variable{Kind: reflect.Int, Value: "6"}, "6", ""},
		{debugger.Variable{Kind: reflect.Int, Value: "main.Red (1)"}, "1", ""},
		{debugger.Variable{Kind: reflect.Interface, Children: []debugger.Variable{{Kind: reflect.Int, Value: "6"}}}, "int 6", ""},
		{debugger.Variable{Kind: reflect.String, Value: "a\n", Len: 2}, `"a\n"`, ""},
		{debugger.Variable{Kind: reflect.String, Value: "b", Len: 1}, `"a"`, `"b"`},
		{debugger.Variable{Kind: reflect.String, Value: "b", Len: 100}, `"a"`, ""},
		{debugger.Variable{Kind: reflect.Map, Len: 3}, "map[string]int of 4", "map[string]int of 3"},
		{debugger.Variable{Kind: reflect.Map, Len: 3}, "map[string]int", ""},
		{debugger.Variable{Kind: reflect.Slice, Len: 2}, "[]int of 2 [1 2]", ""},
		{debugger.Variable{Kind: reflect.Pointer, Nil: true}, "a *main.user", "nil"},
		{debugger.Variable{Kind: reflect.Pointer}, "nil", "not nil"},
		{debugger.Variable{Kind: reflect.Struct}, "main.user{id: 1}", ""},
		{debugger.Variable{Kind: reflect.Int, Value: "0", Unreadable: "gone"}, "1", ""},
	} {
		if got := otherwise(tt.v, tt.recorded); got != tt.want {
			t.Errorf("%+v beside %s: %q, want %q", tt.v, tt.recorded, got, tt.want)
		}
	}
}
