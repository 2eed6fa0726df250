package target

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// The number that another client's breakpoint has in the server may be that of one in our
// list, whose commands it would run.
func TestABreakpointThatIsNotInTheList(t *testing.T) {
	bs := &Breakpoints{InTarget: map[int]int{1: 4}}
	for theirs, want := range map[int]string{4: "breakpoint 1", 1: "a breakpoint that is not in the list"} {
		stop := debugger.Stop{Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: theirs}}
		bs.Name(&stop)
		if got := session.StopHead(stop); got != want {
			t.Errorf("%d is called %q, want %q", theirs, got, want)
		}
	}
}
