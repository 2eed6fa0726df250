package lines

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// recorded is an engine whose target has gone.
type recorded struct{ *fakeEngine }

func (recorded) Inspector() debugger.Inspector { return session.Past{} }

// TestNothingHostileIsSaid sends every kind of event, all strings of which are
// attacks, and asks for whatever can be asked for.
func TestNothingHostileIsSaid(t *testing.T) {
	for _, b := range sessiontest.Hostile() {
		e := newEngine()
		if _, err := e.out.Write([]byte(sessiontest.Attack)); err != nil {
			t.Fatal(err)
		}
		e.add(crash()...)
		e.add(b)
		var out bytes.Buffer
		f := newFrontend(t.Context(), recorded{e}, Options{Output: &out, Script: true, Clock: time.Now})
		f.take(live.Update{Events: e.events, Live: live.State{Version: 1, OutputV: 1, Status: sessiontest.Attack}})
		for _, word := range []string{"status", "output", "fixes", "show 1", "show 2", "muted", strings.ReplaceAll(sessiontest.Attack, "\n", " ")} {
			f.carryOut(word)
		}
		f.echo.close(f.out)
		if err := f.out.Flush(); err != nil {
			t.Fatal(err)
		}
		said := out.String()
		if bad := sessiontest.Escaped(said); bad != "" || strings.Contains(said, "\x1b") {
			t.Errorf("%s: %s", b.Kind(), bad)
		}
		if sessiontest.Pretends(said) {
			t.Errorf("%s: a line that is not ours:\n%s", b.Kind(), said)
		}
	}
}
