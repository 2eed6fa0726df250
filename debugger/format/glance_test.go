package format

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestGlance(t *testing.T) {
	str := func(s string) debugger.Variable {
		return debugger.Variable{Type: "string", Kind: reflect.String, Value: s, Len: int64(len(s))}
	}
	num := func(kind reflect.Kind, n int) debugger.Variable {
		return debugger.Variable{Type: kind.String(), Kind: kind, Value: fmt.Sprint(n)}
	}
	named := func(name string, v debugger.Variable) debugger.Variable { v.Name = name; return v }
	list := func(typ string, length int64, of ...debugger.Variable) debugger.Variable {
		return debugger.Variable{Type: typ, Kind: reflect.Slice, Len: length, Cap: length, Value: typ + " len", Children: of}
	}
	to := func(v debugger.Variable) debugger.Variable {
		return debugger.Variable{Type: "*" + v.Type, Kind: reflect.Pointer, Value: "*" + v.Type + " 0xc000", Children: []debugger.Variable{v}}
	}
	anyOf := func(v debugger.Variable) debugger.Variable {
		return debugger.Variable{Type: "interface {}", Kind: reflect.Interface, Children: []debugger.Variable{v}}
	}
	var bytes, long []debugger.Variable
	for _, b := range []byte("hi\x00") {
		bytes = append(bytes, num(reflect.Uint8, int(b)))
	}
	for i := range 64 {
		long = append(long, num(reflect.Int, 1000+i))
	}
	item := debugger.Variable{Type: "main.Item", Kind: reflect.Struct, Len: 2, Value: "main.Item{…}",
		Children: []debugger.Variable{named("Name", str("bolt")), named("Tags", list("[]string", 0))}}
	for _, c := range []struct {
		v    debugger.Variable
		want string
	}{
		{list("[]string", 5, str("alpha"), str("beta")), `["alpha" "beta" …3]`},
		{list("[]string", 0), `[]`},
		{list("[]uint8", 3, bytes...), `"hi\x00"`},
		{list("[]uint8", 2, num(reflect.Uint8, 255), num(reflect.Uint8, 1)), `[255 1]`},
		{list("[]int", 100, long...), `[1000 1001 1002 1003 1004 1005 1006 …93]`},
		{debugger.Variable{Kind: reflect.Map, Len: 2, Children: []debugger.Variable{named(`["a"]`, num(reflect.Int, 1))}}, `map["a":1 …1]`},
		{to(num(reflect.Int, 7)), `&7`},
		{to(item), `&Item{Name: "bolt", Tags: []}`},
		{list("[]main.Item", 2, item), `[{Name: "bolt", Tags: []} …1]`},
		{to(to(num(reflect.Int, 7))), `**int 0xc000`},
		{anyOf(str("x")), `"x"`},
		{anyOf(num(reflect.Int, 3)), `3`},
		{anyOf(num(reflect.Int64, 3)), `int64(3)`},
		{anyOf(debugger.Variable{Type: "*main.T", Kind: reflect.Pointer, Nil: true}), `any(*T) nil`},
		{num(reflect.Int32, 'é'), `'é' 233`},
		{num(reflect.Int32, 7), `7`},
		{debugger.Variable{Type: "string", Kind: reflect.String, Value: "hello\x00 and a good deal more than fits", Len: 600}, `"hello\x00 and a good deal more than fits…"`},
	} {
		if got := Glance(c.v, 40); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A number that may be a character is not two values among others.
func TestNumbersInAListAreNumbers(t *testing.T) {
	n := func(value string) debugger.Variable {
		return debugger.Variable{Type: "int32", Kind: reflect.Int32, Value: value}
	}
	if got := Glance(n("42"), 80); got != "'*' 42" {
		t.Errorf("a number is %s", got)
	}
	list := debugger.Variable{Type: "[]int32", Kind: reflect.Slice, Len: 2, Children: []debugger.Variable{n("42"), n("7")}}
	if got := Glance(list, 80); got != "[42 7]" {
		t.Errorf("a list is %s", got)
	}
}

// What a program's bytes are is seen: none is left out, and numbers are not written as
// a text.
func TestBytesThatAreNoTextAreShown(t *testing.T) {
	str := func(s string) debugger.Variable {
		return debugger.Variable{Type: "string", Kind: reflect.String, Value: s, Len: int64(len(s))}
	}
	data := func(s string, length int64) debugger.Variable {
		v := debugger.Variable{Type: "[]uint8", Kind: reflect.Slice, Len: length, Cap: length}
		for _, b := range []byte(s) {
			v.Children = append(v.Children, debugger.Variable{Type: "uint8", Kind: reflect.Uint8, Value: fmt.Sprint(b)})
		}
		return v
	}
	for _, c := range []struct {
		v    debugger.Variable
		want string
	}{
		{str("\xff\xfeab\xff\xfeab\xff\xfeab\xff\xfeab\xff\xfeab"), `"\xff\xfeab\xff\xfeab\xff\xfeab\xff\xfeab\xff\xfe…"`},
		{str("éééééééééééé"), `"ééééééééé…"`},
		{data("\xc8\n\n\xff\xc8\n\n\xff", 192), `[200 10 10 255 200 …187]`},
		{data("\xc3(GET /index.html", 17), `"\xc3(GET /index.html"`},
		{data("caf\xc3", 5), `"caf\xc3…"`},
		{data("caf\xc3", 4), `[99 97 102 195]`},
	} {
		if got := Glance(c.v, 20); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got, want := quoted("\xff"+strings.Repeat("a", 70), 71), `"\xff`+strings.Repeat("a", 59)+`"…`; got != want {
		t.Errorf("quoted: got %s, want %s", got, want)
	}
}
