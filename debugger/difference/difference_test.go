package difference

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func number(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Type: "int", Kind: reflect.Int, Value: value}
}

func list(name string, items ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Name: name, Type: "[]int", Kind: reflect.Slice, Len: int64(len(items)), Children: items}
}

func record(name string, fields ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Name: name, Type: "main.T", Kind: reflect.Struct, Children: fields}
}

func pointer(name string, addr uint64, to ...debugger.Variable) debugger.Variable {
	v := debugger.Variable{Name: name, Type: "*main.T", Kind: reflect.Pointer, Nil: len(to) == 0, Children: to}
	if len(to) > 0 {
		v.Children[0].Addr = addr
	}
	return v
}

func table(name string, entries ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Name: name, Type: "map[string]int", Kind: reflect.Map, Len: int64(len(entries)), Children: entries}
}

// later holds values that are read when they are asked for, by the name of what they are in.
type later map[string][]debugger.Variable

func (l later) Children(_ context.Context, _ debugger.FrameRef, v debugger.Variable, _ debugger.Page) ([]debugger.Variable, error) {
	if list, ok := l[v.Name]; ok {
		return list, nil
	}
	return nil, errors.New("not there")
}

func TestBetween(t *testing.T) {
	unread := func(name string) debugger.Variable {
		return debugger.Variable{Name: name, Type: "main.T", Kind: reflect.Struct, Unloaded: 1}
	}
	for name, c := range map[string]struct {
		a, b debugger.Variable
		want []string
	}{
		"the same":             {record("got", number("n", "1")), record("want", number("n", "1")), nil},
		"a field":              {record("got", number("n", "1"), number("m", "2")), record("want", number("n", "1"), number("m", "3")), []string{"got.m=2 want.m=3"}},
		"below pointers":       {pointer("got", 1, record("", number("n", "1"))), pointer("want", 2, record("", number("n", "2"))), []string{"got.n=1 want.n=2"}},
		"one object":           {pointer("got", 1, record("", number("n", "1"))), pointer("want", 1, record("", number("n", "2"))), nil},
		"a nil":                {pointer("got", 1, record("", number("n", "1"))), pointer("want", 0), []string{"got= want="}},
		"an element":           {list("got", number("[0]", "1"), number("[1]", "2")), list("want", number("[0]", "1"), number("[1]", "3")), []string{"got[1]=2 want[1]=3"}},
		"lengths":              {list("got", number("[0]", "1")), list("want"), []string{"len(got)=1 len(want)=0"}},
		"entries in any order": {table("got", number(`["a"]`, "1"), number(`["b"]`, "2")), table("want", number(`["b"]`, "3"), number(`["a"]`, "1")), []string{`got["b"]=2 want["b"]=3`}},
		"a missing entry":      {table("got", number(`["a"]`, "1")), table("want", number(`["b"]`, "1")), []string{`got["a"]=1 want["a"]=not there`}},
		"read when asked for":  {unread("got"), unread("want"), []string{"got.n=1 want.n=2"}},
		"other types":          {number("got", "1"), list("want"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			read := later{"got": {number("n", "1")}, "want": {number("n", "2")}}
			var found []string
			for _, d := range Between(t.Context(), read, debugger.FrameRef{}, c.a, c.b) {
				found = append(found, d.A.Name+"="+d.A.Value+" "+d.B.Name+"="+d.B.Value)
			}
			if !reflect.DeepEqual(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}

// A ring of pointers ends the search, and so do the bounds.
func TestBetweenIsBounded(t *testing.T) {
	ring := later{}
	node := func(name string) debugger.Variable {
		return debugger.Variable{Name: name, Type: "*main.T", Kind: reflect.Pointer, Unloaded: 1}
	}
	for _, root := range []string{"a", "b"} {
		ring[root] = []debugger.Variable{record("", node("next"))}
		ring[root][0].Addr = uint64(root[0])
	}
	if found := Between(t.Context(), ring, debugger.FrameRef{}, node("a"), node("b")); found != nil {
		t.Errorf("found %v", found)
	}
}
