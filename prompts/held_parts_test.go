package prompts

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
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

// values is an inspector that knows the values of expressions.
type values struct {
	debugger.Inspector
	of map[string]debugger.Variable
}

func (v values) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	if found, ok := v.of[expr]; ok {
		return found, nil
	}
	return debugger.Variable{}, errors.New("unknown")
}

// A number that is a secret is not computed with, under whatever name, and a list of numbers that
// spells one is not read by its elements.
func TestNumbersOfSecretsAreNotComputedWith(t *testing.T) {
	number := func(kind reflect.Kind, value string) debugger.Variable {
		return debugger.Variable{Type: kind.String(), Kind: kind, Value: value}
	}
	list := func(kind reflect.Kind, list ...string) debugger.Variable {
		v := debugger.Variable{Type: "[]" + kind.String(), Kind: reflect.Slice, Len: int64(len(list))}
		for _, n := range list {
			v.Children = append(v.Children, number(kind, n))
		}
		return v
	}
	spelled := []string{"119", "111", "108", "102", "114", "97", "109", "55"}
	of := map[string]debugger.Variable{"n": number(reflect.Int, "48151623"), "i16": list(reflect.Int16, spelled...), "fl": list(reflect.Float64, spelled...), "sizes": list(reflect.Int, "119", "111", "108"), "m": number(reflect.Int, "48151600")}
	for expr, result := range map[string]string{"n+1": "48151624", "n&255": "71", "n%1000": "623", "-n": "-48151623", "i16[0]": "119", "i16[1]+1": "112", "fl[0]": "119", "sizes[0]": "119", "m+1": "48151601"} {
		of[expr] = number(reflect.Int, result)
	}
	of["n > 5"] = debugger.Variable{Type: "bool", Kind: reflect.Bool, Value: "true"}
	screen := NewScreen(redact.New(redact.Settings{}, []string{"DB_PASSWORD=wolfram7"}))
	screen.Stop(debugger.Stop{Frames: []debugger.Frame{{Locals: []debugger.Variable{{Name: "dbPassword", Type: "int", Kind: reflect.Int, Value: "48151623"}}}}})
	inspect := screen.Guarded(evidence.Case{Inspect: values{of: of}}).Inspect
	for expr := range of {
		hidden := expr != "sizes" && expr != "sizes[0]" && expr != "m" && expr != "m+1"
		v, err := inspect.Evaluate(t.Context(), debugger.FrameRef{}, expr)
		if plain := v.Value == of[expr].Value && v.Value != ofSecret; err != nil || hidden && expr != "n" && v.Value != ofSecret || !hidden && !plain {
			t.Errorf("%s: %q, %v", expr, v.Value, err)
		}
	}
}
