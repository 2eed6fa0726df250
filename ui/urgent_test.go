package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/dialog"
)

// shared is the host's screen of a session with lucy and max in it.
func shared(t *testing.T, f *fakeEngine) (s *stage, room *pair.Room, shows func(wanting string)) {
	t.Helper()
	s, room = play(t, f, 100, 30), pair.New(pairtest.New(), pair.Options{Host: "anna"})
	room.Expect()
	for _, name := range []string{"lucy", "max"} {
		if _, err := room.Enter(pair.Newcomer{Name: name, Via: "ssh"}); err != nil {
			t.Fatal(err)
		}
	}
	s.Opts.Seat = room.Host()
	shows = func(wanting string) { // the room, whatever it would let that guest do
		t.Helper()
		v, err := room.Host().Watch(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range v.People {
			v.People[i].Wants = v.People[i].Name == wanting
		}
		s.send(company.RoomMsg(v))
	}
	shows("")
	return s, room, shows
}

// TestAGuestKeepsNobodyFromTheKeyboard: however fast questions come and go, what the host
// types is heard: a guest is removed, the program halts, the wheel comes back.
func TestAGuestKeepsNobodyFromTheKeyboard(t *testing.T) {
	here := func(room *pair.Room, name string) bool {
		v, _ := room.Host().Watch(t.Context(), 0)
		for _, p := range v.People {
			if p.Name == name {
				return true
			}
		}
		return false
	}
	for name, c := range map[string]struct {
		scene func() *fakeEngine
		keys  []string
		done  func(*fakeEngine, *pair.Room) bool
	}{
		"kick": {sceneStopped, append(strings.Split(":kick lucy", ""), "enter"), func(_ *fakeEngine, r *pair.Room) bool { return !here(r, "lucy") }},
		"halt": {sceneRunning, []string{"ctrl+c"}, func(f *fakeEngine, _ *pair.Room) bool { return f.last() == intent.Halt{} }},
		"wheel": {sceneStopped, []string{"@"}, func(_ *fakeEngine, r *pair.Room) bool {
			v, _ := r.Host().Watch(t.Context(), 0)
			return v.Driver == "anna"
		}},
	} {
		for start := range 6 { // wherever in the attack the first key is
			f := c.scene()
			s, room, shows := shared(t, f)
			if err := room.Host().GiveWheel("max"); err != nil {
				t.Fatal(err)
			}
			keys := c.keys
			for step := range 100 {
				wanting := ""
				if step%4 < 2 && here(room, "lucy") {
					wanting = "lucy"
				}
				shows(wanting)
				if step > start && step%3 == 0 && len(keys) > 0 {
					key := keys[0]
					if key == " " {
						key = "space"
					}
					s.press(key)
					keys = keys[1:]
				}
				f.clock = f.clock.Add(50 * time.Millisecond)
			}
			if !c.done(f, room) {
				t.Errorf("%s, from step %d: not done:\n%s", name, start, s.screenText())
			}
		}
	}
}

// TestNothingIsAskedAtOnceAfterAWithdrawnQuestion: which leaves time without any.
func TestNothingIsAskedAtOnceAfterAWithdrawnQuestion(t *testing.T) {
	f := sceneStopped()
	s, _, shows := shared(t, f)
	shows("lucy")
	if s.Dialog == nil {
		t.Fatal("nothing is asked")
	}
	shows("")
	shows("max")
	if s.Dialog != nil {
		t.Error("another question at once")
	}
	if !s.busy() {
		t.Error("nothing would show it later")
	}
	f.clock = f.clock.Add(common.QuestionPause)
	s.send(tickMsg{})
	if s.Dialog == nil || !strings.Contains(s.Dialog.Title(), "max") {
		t.Errorf("not asked after the pause: %v", s.Dialog)
	}

	f.setLive(func(l *live.State) { l.Consent = &live.Wanted{Host: "h", Model: "m"} })
	shows("")
	s.catchUp()
	if s.Dialog != nil {
		t.Error("the other kind of question at once")
	}
	f.clock = f.clock.Add(common.QuestionPause)
	s.catchUp()
	if s.Dialog == nil {
		t.Fatal("nothing is asked")
	}
	f.setLive(func(l *live.State) { l.Consent = &live.Wanted{Host: "h", Model: "other"} })
	s.catchUp()
	if s.Dialog != nil {
		t.Error("the question about another model at once")
	}
}

// TestDeafnessIsNotExtended: by what appears meanwhile.
func TestDeafnessIsNotExtended(t *testing.T) {
	f := sceneStopped()
	s := play(t, f, 80, 24)
	s.PopUp(&dialog.Message{Head: "one"})
	until := s.DeafUntil
	f.clock = f.clock.Add(common.Deaf / 2)
	s.Ctx.Now = f.now()
	if s.PopUp(&dialog.Message{Head: "two"}); s.DeafUntil != until {
		t.Errorf("deaf for %v more", s.DeafUntil.Sub(until))
	}
}

// TestAQuestionThatIsPutAsideComesAgain: also the one about a model.
func TestAQuestionThatIsPutAsideComesAgain(t *testing.T) {
	ask := map[string]func(*fakeEngine, *stage, func(string)){
		"wheel": func(_ *fakeEngine, _ *stage, shows func(string)) { shows("lucy") },
		"consent": func(f *fakeEngine, s *stage, _ func(string)) {
			f.setLive(func(l *live.State) { l.Consent = &live.Wanted{Host: "h", Model: "m"} })
			s.catchUp()
		},
	}
	for name, asks := range ask {
		for _, waits := range []time.Duration{0, common.Deaf} {
			f := sceneStopped()
			s, _, shows := shared(t, f)
			asks(f, s, shows)
			f.clock = f.clock.Add(waits)
			s.press(":")
			if s.Dialog != nil || !s.Commanding {
				t.Fatalf("%s: no command line after %v", name, waits)
			}
			s.press("esc")
			f.clock = f.clock.Add(common.Deaf)
			if s.send(tickMsg{}); s.Dialog == nil || !s.asked() {
				t.Errorf("%s: forgotten", name)
			}
			if f.last() != nil {
				t.Errorf("%s: answered with %v", name, f.last())
			}
		}
	}
}
