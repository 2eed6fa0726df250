package pane

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/ui/goroutines"
	"github.com/pausetui/pausetui/ui/inspect"
)

// A goroutine is said to hold a lock only where its source says that it locked it.
func TestOnlyAHolderIsSaidToHoldALock(t *testing.T) {
	for _, test := range []struct {
		via  waits.Holder
		want string
	}{
		{waits.Holder{Goroutine: 9, Function: "main.put", Expr: "s.mu", Line: 25}, "probably held by goroutine 9: put locked s.mu in line 25 and has not unlocked it · rwmutex 0x10"},
		{waits.Holder{Goroutine: 9, Frame: -1, Pending: true}, "goroutine 9 waits to lock it, and is let in before those here · rwmutex 0x10"},
		{waits.Holder{Goroutine: 9, Frame: -1, Expr: "s.mu", Pending: true}, "goroutine 9 waits to lock s.mu, and is let in before those here · rwmutex 0x10"},
	} {
		got := (&Goroutines{}).edgeWords(&waits.Line{Edge: &waits.Edge{On: waits.Object{Kind: waits.RWMutex, Addr: 16}, Via: test.via}})
		if got != test.want {
			t.Errorf("%+v: %q", test.via, got)
		}
		if strings.Contains(got, "line 0") {
			t.Error(got)
		}
	}
}

// One that waits for a channel itself has it, too: nothing is said of who names it.
func TestWhatEndsAWaitIsNotKnown(t *testing.T) {
	p := &Goroutines{c: &Context{Store: inspect.NewStore()}}
	got := p.about(goroutines.Row{Member: -1, Group: &goroutines.Group{Line: &waits.Line{Party: -1, Lost: waits.Object{Kind: waits.Channel, Addr: 16}}}})
	if want := "what would end this wait is not known: no goroutine that was read is seen to do it"; got != want {
		t.Errorf("%q", got)
	}
}

// Who only has a channel in a variable may not be the one who ends the wait.
func TestWhoMayEndAWaitHasAQuestionMark(t *testing.T) {
	has, does := waits.Holder{Goroutine: 9, Expr: "outs[2]"}, waits.Holder{Goroutine: 9, Expr: "outs[2]", Does: 1}
	for via, want := range map[waits.Holder]string{has: "→ 9?", does: "→ 9"} {
		if got := arrow(9, &waits.Edge{On: waits.Object{Kind: waits.Channel, Addr: 16}, Via: via}); got != want {
			t.Errorf("%+v: %q", via, got)
		}
	}
}
