package convert

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-delve/delve/service/api"
)

func numbered(name, typ string, n int) api.Variable {
	return api.Variable{Name: name, Type: typ, RealType: typ, Kind: reflect.Int, Value: strconv.Itoa(n)}
}

// The keys of a map are written whole: what is left out of one tells nothing apart.
func TestKeysAreWrittenWhole(t *testing.T) {
	point := func(name string, x, y int) api.Variable {
		return api.Variable{Name: name, Type: "main.point", Kind: reflect.Struct, Len: 2, Children: []api.Variable{numbered("X", "int", x), numbered("Y", "int", y)}}
	}
	array := func(typ string, list ...int) api.Variable {
		v := api.Variable{Type: "[" + strconv.Itoa(len(list)) + "]" + typ, Kind: reflect.Array, Len: int64(len(list))}
		for _, n := range list {
			v.Children = append(v.Children, numbered("", typ, n))
		}
		return v
	}
	many := array("int", make([]int, 200)...)
	for want, key := range map[string]api.Variable{
		"{1, 2}":                                 array("int", 1, 2),
		"0x01ff00":                               array("uint8", 1, 255, 0),
		"{X: 1, Y: 2}":                           point("", 1, 2),
		`"go"`:                                   {Type: "string", Kind: reflect.String, Value: "go", Len: 2},
		"main.point{…}":                          {Type: "main.point", Kind: reflect.Struct, Len: 2},
		"[1]int{4}":                              {Type: "interface {}", Kind: reflect.Interface, Children: []api.Variable{array("int", 4)}},
		"{From: {X: 1, Y: 2}, To: {X: 3, Y: 4}}": {Type: "main.edge", Kind: reflect.Struct, Len: 2, Children: []api.Variable{point("From", 1, 2), point("To", 3, 4)}},
	} {
		if got := KeyText(&key); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := KeyText(&many); len(got) > maxKey+len("…") || !strings.HasSuffix(got, "…") {
		t.Errorf("a long one has %d bytes: %q", len(got), got)
	}
}
