package convert

import (
	"reflect"
	"testing"

	"github.com/go-delve/delve/service/api"
)

// What a conversion makes has no address, and is not nil.
func TestConvertedSliceIsNotNil(t *testing.T) {
	v := &api.Variable{Kind: reflect.Slice, Type: "[]uint8", Len: 3, Cap: 3, Children: []api.Variable{{Kind: reflect.Uint8, Value: "97"}, {Kind: reflect.Uint8, Value: "98"}, {Kind: reflect.Uint8, Value: "99"}}}
	if got := Variable(v, "", "[]byte(s)"); got.Nil || len(got.Children) != 3 {
		t.Errorf("%+v", got)
	}
	if !IsNil(&api.Variable{Kind: reflect.Slice}) {
		t.Error("a slice without anything is nil")
	}
}
