package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// sceneRecovered is a panic that a server has recovered.
func sceneRecovered() *fakeEngine {
	f := sceneRunning()
	f.inspect.stacks[1], f.inspect.goroutines = panicStack(), goroutines()
	stop := panicStop()
	stop.Stop.Panic.Recovered, stop.Stop.Panic.Fingerprint = true, "f1"
	f.add(stop, diagnosed())
	return f
}

// sceneMuted is that with places that are muted.
func sceneMuted() *fakeEngine {
	f := sceneRecovered()
	f.add(&session.Muted{Module: true, Site: debugger.Site{Fingerprint: "f2", Class: debugger.CustomError, Message: "EOF", File: "load.go", Line: 8}},
		&session.Muted{Site: debugger.Site{Fingerprint: "f3", Class: debugger.TestFailure, Message: "124 cents, want\n125", Test: "TestTax/\x1b[31mred", File: "tax_test.go", Line: 16}})
	f.setLive(func(l *live.State) { l.Passed = map[string]int{"f2": 12, "f3": 0} })
	return f
}

func TestAPlaceIsMuted(t *testing.T) {
	for keys, want := range map[string]intent.Intent{"m enter": intent.Mute{}, "m down enter": intent.Mute{Module: true}, "m esc": nil} {
		f := sceneRecovered()
		s := play(t, f, 80, 24)
		s.press(strings.Fields(keys)...)
		if f.last() != want {
			t.Errorf("%s leads to %+v", keys, f.last())
		}
	}
	f := sceneRecovered()
	s := play(t, f, 80, 24)
	f.add(&session.Muted{Site: debugger.Site{Fingerprint: "f1", File: "index.go", Line: 43}})
	f.events[len(f.events)-1].Actor = "person"
	s.catchUp()
	if !strings.Contains(s.screenText(), "muted: index.go:43 stops only where it ends the program") {
		t.Errorf("it is not said:\n%s", s.screenText())
	}
}

func TestOnlyWhatLivesOnIsMuted(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 80, 24)
	s.press("m")
	if s.Dialog != nil || f.last() != nil || !strings.Contains(s.screenText(), "only a panic that the program lives on after") {
		t.Errorf("m leads to %+v\n%s", f.last(), s.screenText())
	}
}

func TestMutedPlacesAreListed(t *testing.T) {
	f := sceneMuted()
	s := play(t, f, 80, 24)
	s.press("ctrl+p", "m", "u", "t", "e", "d", "enter", "down", "enter")
	if want := (intent.Unmute{Fingerprint: "f2"}); f.last() != want {
		t.Errorf("the second of the list leads to %+v", f.last())
	}
}
