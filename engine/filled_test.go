package engine

import (
	"context"
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// barely evaluates a struct without its fields, which are read on.
type barely struct{ debugger.Inspector }

func (barely) Evaluate(context.Context, debugger.FrameRef, string) (debugger.Variable, error) {
	tc := debugger.Variable{Kind: reflect.Struct, Value: "{…}", Unloaded: 2}
	return debugger.Variable{Kind: reflect.Pointer, Value: "{…}", Children: []debugger.Variable{tc}}, nil
}

func (barely) Children(context.Context, debugger.FrameRef, debugger.Variable, debugger.Page) ([]debugger.Variable, error) {
	return []debugger.Variable{{Name: "path", Kind: reflect.String, Value: "a.b"}, {Name: "want", Kind: reflect.String, Value: "y"}}, nil
}

// What an assertion compares, and the case of its table, have their fields.
func TestTheFieldsOfACaseAreRead(t *testing.T) {
	list := readAll(t.Context(), barely{}, debugger.FrameRef{}, []string{"tc"})
	if len(list) != 1 || list[0].Name != "tc" || len(list[0].Deref().Children) != 2 || list[0].Deref().Unloaded != 0 {
		t.Errorf("%+v", list)
	}
}
