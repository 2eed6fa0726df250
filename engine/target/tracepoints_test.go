package target

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// A string that a tracepoint tells has the bytes of the program's.
func TestATracedStringLosesNoBytes(t *testing.T) {
	str := func(s string) debugger.Variable {
		return debugger.Variable{Name: "s", Type: "string", Kind: reflect.String, Value: s, Len: int64(len(s))}
	}
	hit := debugger.TraceHit{Function: "main.f", File: "main.go", Line: 1,
		Values: []debugger.Variable{str("\xff\xfea\x00b\x1b[1m"), str(strings.Repeat("é", traceValue+1)), str("\x80" + strings.Repeat("a", traceValue))}}
	got := cutHit(hit)
	if words := traceWords(got); !strings.Contains(words, `s = "\xff\xfea\x00b\x1b[1m"`) {
		t.Errorf("told is %s", words)
	}
	if long := got.Values[1].Value; long != strings.Repeat("é", traceValue-1)+"…" {
		t.Errorf("cut is %s", long)
	}
	if long := got.Values[2].Value; long != "\x80"+strings.Repeat("a", traceValue-2)+"…" {
		t.Errorf("cut is %q", long)
	}
}
