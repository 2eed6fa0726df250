package prompts

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A part of a list that is a password is one, too, as far as the list is known.
func TestPartsOfAPassword(t *testing.T) {
	digit := debugger.Variable{Kind: reflect.Int, Value: "4"}
	for _, tc := range []struct {
		v    debugger.Variable
		want bool
	}{
		{debugger.Variable{Kind: reflect.Slice, Len: 6, Children: []debugger.Variable{digit, digit}}, true},
		{debugger.Variable{Kind: reflect.Slice, Len: 2, Children: []debugger.Variable{digit, digit}}, false},
		{debugger.Variable{Kind: reflect.Slice, Len: 6}, false},
		{debugger.Variable{Kind: reflect.Slice, Len: 6, Children: []debugger.Variable{{Kind: reflect.String, Value: "x"}}}, false},
	} {
		if got := isNumbers("password", tc.v); got != tc.want {
			t.Errorf("%+v: %t", tc.v, got)
		}
	}
	if key, ok := keyOf(debugger.Variable{Name: "[482913]"}); !ok || key.Value != "482913" || key.Kind != reflect.Int {
		t.Errorf("the key of a journal's entry: %+v, %t", key, ok)
	}
	if _, ok := keyOf(debugger.Variable{Name: "[12]"}); ok {
		t.Error("an index is a key")
	}
}
