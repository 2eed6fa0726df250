package rpc

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

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
