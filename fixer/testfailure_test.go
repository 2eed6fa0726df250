package fixer

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestTheDifferingPartOfStringsLosesNoBytes(t *testing.T) {
	str := func(s string) debugger.Variable {
		return debugger.Variable{Type: "string", Kind: reflect.String, Value: s, Len: int64(len(s))}
	}
	same := strings.Repeat("x", longValue) + "é12345678"
	a, b := quotedApart(debugger.Difference{A: str(same + "\xff\x01"), B: str(same + "\xfeb")})
	if a != `…"é12345678\xff\x01"` || b != `…"é12345678\xfeb"` {
		t.Errorf("%s, %s", a, b)
	}
}

// Of two long texts that a test compares, the part in which they differ is said.
func TestComparedTextsAreSaidWhereTheyDiffer(t *testing.T) {
	long := func(name, end string) debugger.Variable {
		return debugger.Variable{Name: name, Kind: reflect.String, Value: strings.Repeat("same ", 12) + end}
	}
	compared := []debugger.Variable{long("out", "one"), long("want", "two")}
	got := describeFailure(debugger.FailingTest{Name: "TestX", Compared: compared}, debugger.TestFailure, "")
	if got != `out is …"same same one", want is …"same same two"` {
		t.Error(got)
	}
}

// Of a struct that is not wholly known, the fields that are known are said.
func TestTheFieldsThatAreKnownAreSaid(t *testing.T) {
	v := debugger.Variable{Kind: reflect.Struct, Value: "{…}", Unloaded: 1, Children: []debugger.Variable{{Name: "path", Kind: reflect.String, Value: "a.b"}}}
	if got := quoted(v); got != `{path: "a.b", …}` {
		t.Error(got)
	}
}
