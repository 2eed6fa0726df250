package convert

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-delve/delve/service/api"
)

func TestTheBytesOfAStringWithinAValueAreAllShown(t *testing.T) {
	t.Parallel()
	id := api.Variable{Name: "ID", Type: "string", Kind: reflect.String, Value: "\x80\x81user-" + strings.Repeat("0", 60), Len: 67}
	holder := api.Variable{Type: "main.rec", Kind: reflect.Struct, Len: 1, Children: []api.Variable{id}}
	if got, want := Value(&holder, 0), `main.rec{ID: "\x80\x81user-`+strings.Repeat("0", 41)+`"…}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	key := api.Variable{Type: "main.rec", Kind: reflect.Struct, Len: 1, Children: []api.Variable{id}}
	if got, want := KeyText(&key), `{ID: "\x80\x81user-`+strings.Repeat("0", 41)+`"…}`; got != want {
		t.Errorf("key: got %s, want %s", got, want)
	}
}
