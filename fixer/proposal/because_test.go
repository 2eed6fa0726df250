package proposal

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
)

func TestTheFieldsOfACaseStay(t *testing.T) {
	const why = `got is "x"; the case: tc = {name: "reverse", path: "a.b|@reverse|0.c", want: "y"}`
	f := New(&analysis.Analysis{Panic: debugger.Panic{Class: debugger.TestFailure}})
	if got := f.shortened(why); got != why {
		t.Error(got)
	}
}
