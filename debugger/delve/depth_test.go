//go:build linux

package delve

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// Of values that lead to many others, all elements are read, and a few of them deep; at a
// crash one level deep.
func TestFewOfManyValuesAreReadDeep(t *testing.T) {
	target := launch(t, "linked")
	if _, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.look"}); err != nil {
		t.Fatal(err)
	}
	readDeep(t, target, resume(t, target, debugger.Continue), 600)
	readDeep(t, target, resume(t, target, debugger.Continue), 6000)
}

func readDeep(t *testing.T, target *Target, stop debugger.Stop, most int) {
	t.Helper()
	frame, ok := stop.SelectedFrame()
	if !ok || frame.Function != "main.look" {
		t.Fatalf("stopped in %v", functions(stop.Frames))
	}
	var count func(v debugger.Variable) int
	count = func(v debugger.Variable) int {
		n := 1
		for _, c := range v.Children {
			n += count(c)
		}
		return n
	}
	nodes := find(t, frame, "nodes")
	if len(nodes.Children) != arrayLoad {
		t.Errorf("%d of the elements are read", len(nodes.Children))
	}
	if n := count(nodes); n > most {
		t.Errorf("%d values are read", n)
	}
	third := nodes.Children[2].Children[0] // what it points to
	if near := third.Children[1]; near.Name != "Near" || len(near.Children) != 2 {
		t.Errorf("the third is read as %+v", third)
	}
	near, err := target.Evaluate(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: frame.Index}, "nodes[40].Near")
	if err != nil || len(near.Children) != 40 {
		t.Errorf("of the 40th, %d are read: %v", len(near.Children), err)
	}
}

// What an interface holds, and what a pointer points to, are values to read.
func TestWhatInterfacesHoldIsUnread(t *testing.T) {
	held := func(inner api.Variable) api.Variable {
		return api.Variable{Kind: reflect.Slice, Len: 1, Children: []api.Variable{{Kind: reflect.Interface, Children: []api.Variable{inner}}}}
	}
	if n := unread([]api.Variable{held(api.Variable{Kind: reflect.Int, OnlyAddr: true})}); n != 1 {
		t.Errorf("%d values are unread", n)
	}
	if n := unread([]api.Variable{held(api.Variable{Kind: reflect.Int, Value: "5"})}); n != 0 {
		t.Errorf("%d values are unread of those that were read", n)
	}
}

// A value is decoded as Delve decodes it.
func TestDecodedValuesAreDelves(t *testing.T) {
	inner := api.Variable{Name: "f", Kind: reflect.String, Value: "\xff", Addr: 1, Type: "s", RealType: "string", Len: 1, Base: 3, DeclLine: 4}
	v := api.Variable{
		Name: "v", Addr: 2, OnlyAddr: true, Type: "T", RealType: "struct", Flags: api.VariableShadowed, Kind: reflect.Struct, Value: "x",
		Len: 1, Cap: 2, Children: []api.Variable{inner}, Base: 5, Unreadable: "why", LocationExpr: "here", DeclLine: 6,
	}
	answer, err := json.Marshal(rpc2.ListLocalVarsOut{Variables: []api.Variable{v}})
	if err != nil {
		t.Fatal(err)
	}
	var want, got rpc2.ListLocalVarsOut
	if err := errors.Join(json.Unmarshal(answer, &want), decode(answer, &got)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	if a, b := reflect.TypeFor[plain](), reflect.TypeFor[api.Variable](); a.NumField() != b.NumField() {
		t.Errorf("a variable has %d fields, not %d", b.NumField(), a.NumField())
	}
}
