package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestPanicHistory(t *testing.T) {
	first := debugger.Panic{Class: debugger.DivideByZero, Message: "divide\nby zero"}
	recovered, again := first, first
	recovered.Recovered = true
	again.Recovered, again.Repanicked = true, true
	for _, tt := range []struct {
		p    debugger.Panic
		want string
	}{
		{debugger.Panic{}, ""},
		{debugger.Panic{Chain: []debugger.Panic{first}}, "first: divide-by-zero: divide by zero|then: this one, in a deferred call"},
		{debugger.Panic{Chain: []debugger.Panic{recovered}}, "first: divide-by-zero: divide by zero, recovered|then: this one, in a deferred call"},
		{debugger.Panic{Chain: []debugger.Panic{again, first}, Repanicked: true}, "first: divide-by-zero: divide by zero, recovered and panicked again|" +
			"then: divide-by-zero: divide by zero|then: this one, in a deferred call, where it was recovered and panicked again"},
		{debugger.Panic{Repanicked: true}, "a deferred call has recovered it, and panicked with the same value again"},
	} {
		if got := strings.Join(PanicHistory(tt.p), "|"); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
