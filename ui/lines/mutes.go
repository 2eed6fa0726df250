package lines

import (
	"fmt"
	"strconv"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// mute mutes the place of the stop.
func (f *frontend) mute(rest string) error {
	if rest != "" && rest != "module" {
		return fmt.Errorf("mute %s: want module, or nothing", rest)
	}
	f.send(intent.Mute{Module: rest != ""}, soon, muted)
	return nil
}

func (f *frontend) listMuted(string) error {
	if len(f.state.Mutes) == 0 {
		f.say("nothing is muted")
	}
	for i, m := range f.state.Mutes {
		how := "in this session"
		if m.Module {
			how = "in this module"
		}
		f.say("%d: %s, %s, passed %d times", i+1, line(session.SiteWords(m.Site)), how, f.live.Passed[m.Site.Fingerprint])
	}
	return nil
}

func (f *frontend) unmute(rest string) error {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > len(f.state.Mutes) {
		return fmt.Errorf("unmute %s: want a number of the list that muted shows", rest)
	}
	f.send(intent.Unmute{Fingerprint: f.state.Mutes[n-1].Site.Fingerprint}, soon, muted)
	return nil
}

// muted tells the events that answer what was to be muted or not.
func muted(e session.Event) bool {
	switch e.Body.(type) {
	case *session.Muted, *session.Unmuted, *session.Notice:
		return true
	}
	return false
}
