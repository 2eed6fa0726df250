package convert

import (
	"reflect"
	"testing"

	"github.com/go-delve/delve/service/api"
)

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
