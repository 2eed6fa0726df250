package dialog

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
)

// What the help lists can be done from there, in one column and in two, and of what
// a search has found.
func TestTheHelpIsAMenu(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	facts := keymap.Facts{Phase: session.PhaseStopped, Crash: true, Pane: 1, Can: debugger.Abilities{Run: true, Restart: true, Rebuild: true}}
	for _, w := range []int{helpNarrow, helpWide} {
		d := &Help{Keys: keys, Facts: facts}
		view(d, w, 20)
		if o := press(t, d, "enter"); o.Do != keymap.Ask || !o.Close {
			t.Errorf("%d cells: the first is %+v", w, o)
		}
		if o := press(t, d, "j", "down", "k", "enter"); o.Do != keymap.Continue {
			t.Errorf("%d cells: the second is %+v", w, o)
		}
		typed(t, d, "/output")
		view(d, w, 20)
		if o := press(t, d, "enter"); o.Do != keymap.Pane5 {
			t.Errorf("%d cells: what was found is %+v", w, o)
		}
	}
}
