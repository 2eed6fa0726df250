package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
)

func TestConsentIsAskedFor(t *testing.T) {
	wanted := live.Wanted{Host: "ollama.com", Model: "ollama/big:cloud"}
	for key, given := range map[string]bool{"y": true, "n": false, "esc": false} {
		f := sceneStopped()
		s := play(t, f, 80, 24)
		f.setLive(func(l *live.State) { l.Consent = &wanted })
		s.catchUp()
		if s.Dialog == nil || !strings.Contains(s.screenText(), "ollama.com") {
			t.Fatalf("nothing is asked:\n%s", s.screenText())
		}
		s.send(keyPress("y"))
		if f.last() != nil {
			t.Fatal("a key meant for something else has answered")
		}
		f.clock = f.clock.Add(common.Deaf)
		s.send(keyPress("enter"))
		if f.last() != nil {
			t.Fatal("enter has answered")
		}
		s.send(keyPress(key))
		if want := (intent.Consent{Host: "ollama.com", Model: "ollama/big:cloud", Given: given}); f.last() != want || s.Dialog != nil {
			t.Errorf("%s leads to %+v, dialog %v", key, f.last(), s.Dialog)
		}
		f.setLive(func(l *live.State) { l.Consent = nil })
		f.add(&session.Consented{Host: "ollama.com", Model: "ollama/big:cloud", Given: given})
		s.catchUp()
		if got := strings.Contains(s.screenText(), "remote: ollama.com"); got != given || s.Dialog != nil {
			t.Errorf("%s: the status line names the host: %v\n%s", key, got, s.screenText())
		}
	}
}

func TestConsentWaitsForTyping(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 80, 24)
	s.send(keyPress(":"))
	f.setLive(func(l *live.State) { l.Consent = &live.Wanted{Host: "h", Model: "m"} })
	s.catchUp()
	if s.Dialog != nil {
		t.Fatal("the question came into the middle of a line")
	}
	s.send(keyPress("esc"))
	if s.Dialog == nil {
		t.Fatal("the question did not come after it")
	}
	f.setLive(func(l *live.State) { l.Consent = nil })
	s.catchUp()
	if s.Dialog != nil {
		t.Error("the question stays after nobody waits for it")
	}
}
