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

// Of a struct that is not wholly known, the fields that are known are said.
func TestTheFieldsThatAreKnownAreSaid(t *testing.T) {
	v := debugger.Variable{Kind: reflect.Struct, Value: "{…}", Unloaded: 1, Children: []debugger.Variable{{Name: "path", Kind: reflect.String, Value: "a.b"}}}
	if got := quoted(v); got != `{path: "a.b", …}` {
		t.Error(got)
	}
}

func TestTheFieldsOfACaseStay(t *testing.T) {
	const why = `got is "x"; the case: tc = {name: "reverse", path: "a.b|@reverse|0.c", want: "y"}`
	f := &fixer{exitFinder: &exitFinder{&analysis{panic: debugger.Panic{Class: debugger.TestFailure}}}}
	if got := f.shortened(why); got != why {
		t.Error(got)
	}
}
