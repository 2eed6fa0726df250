package pair_test

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
)

// TestWhatAGuestRepeatsIsBounded: whatever a guest toggles, the host is asked once in ten
// seconds, hears a few words, and is not woken all the time. Coming again with the same key
// changes nothing, nor does it while the host is being asked.
func TestWhatAGuestRepeatsIsBounded(t *testing.T) {
	now := time.Now()
	r, _ := newRoom(pair.Options{Now: func() time.Time { return now }})
	came := pair.Newcomer{Name: "lucy", Key: "SHA256:l"}
	lucy := join(t, r, came)
	host := r.Host()
	view := func() pair.View {
		v, err := host.Watch(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	wishes, wanted := 0, false
	for n := range 100 {
		if n%7 == 1 {
			again, err := r.Join(t.Context(), came)
			if err != nil {
				t.Fatal(err)
			}
			lucy = again
		}
		_ = lucy.AskWheel()
		if wants := view().People[1].Wants; wants != wanted {
			if wanted = wants; wants {
				wishes++
			}
		}
	}
	if wishes != 1 {
		t.Errorf("the host was asked %d times", wishes)
	}
	now = now.Add(11 * time.Second)
	if err := lucy.AskWheel(); err != nil || !lucy.Wanting() {
		t.Errorf("after the pause: %v", err)
	}
	if err := host.Decline("lucy"); err != nil {
		t.Fatal(err)
	}
	if err := lucy.AskWheel(); err == nil || lucy.Wanting() {
		t.Error("the host has said no, and is asked again at once")
	}

	now = now.Add(time.Minute)
	for name, say := range map[string]func() error{
		"lead":   lucy.Lead,
		"follow": func() error { return lucy.Follow(view().Me) },
		"notes":  func() error { return lucy.Say("hello", nil) },
	} {
		now = now.Add(time.Minute)
		heard := 0
		for range 100 {
			if say() == nil {
				heard++
			}
		}
		if heard == 0 || heard > 10 {
			t.Errorf("%s: %d at once", name, heard)
		}
	}

	now = now.Add(time.Minute)
	before, last := view().Version, pair.Spot{File: "/last"}
	for n := range 5000 {
		lucy.Look(pair.Spot{Line: n + 1})
		lucy.Do(nil)
	}
	lucy.Look(last)
	if woken := view().Version - before; woken > 60 { // 10 at once, and 10 a second if the machine is busy
		t.Errorf("the host was woken %d times", woken)
	}
	testsupport.Eventually(t, "the last place is seen", func() bool { v := view(); return v.Version > before && v.People[1].Spot == last })
}

// TestTheHostIsNotLimited: by what guests are.
func TestTheHostIsNotLimited(t *testing.T) {
	r, _ := newRoom(pair.Options{})
	lea := join(t, r, pair.Newcomer{Name: "lea"})
	for range 100 {
		for _, err := range []error{r.Host().GiveWheel("lea"), r.Host().AskWheel(), r.Host().Lead(), r.Host().Follow("lea")} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if lea.RoleNow().Drives() {
		t.Error("the wheel was not taken back")
	}
}
