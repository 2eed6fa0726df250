package session

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// The blanks of a value are part of it.
func TestValuesKeepTheirBlanks(t *testing.T) {
	hit := debugger.TraceHit{Function: "main.pad", File: "/m/main.go", Line: 3, Goroutine: 1, Returns: true,
		Values: []debugger.Variable{{Name: "~r0", Kind: reflect.String, Value: "milk      ", Len: 10}}}
	line := TraceLine(hit)
	if !strings.Contains(line, `"milk      "`) {
		t.Errorf("%q", line)
	}
	if got := inline("is \"a  b\"\n\tand c  "); got != `is "a  b" and c` {
		t.Errorf("in the log: %q", got)
	}
}
