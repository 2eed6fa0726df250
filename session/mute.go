package session

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// SiteWords name a place that can be muted, in one line: "index.go:42 ·
// nil-map-write: assignment to entry in nil map".
func SiteWords(s debugger.Site) string {
	where := "an unknown place"
	switch {
	case s.File != "":
		where = fmt.Sprintf("%s:%d", oneLine(s.File), s.Line)
	case s.Function != "":
		where = oneLine(ShortFunction(s.Function))
	}
	if s.Test != "" {
		where = oneLine(s.Test) + ", " + where
	}
	return fmt.Sprintf("%s · %s: %s", where, s.Class.Words(), oneLine(s.Message))
}

// MuteOf returns what is muted under a fingerprint; false where nothing is.
func (s State) MuteOf(fingerprint string) (Muted, bool) {
	for _, m := range s.Mutes {
		if m.Site.Fingerprint == fingerprint {
			return m, true
		}
	}
	return Muted{}, false
}

// applyMute changes what is muted. A place that is muted again goes to the end.
func (s State) applyMute(body Body) State {
	var left []Muted
	drop := func(fingerprint string) {
		for _, m := range s.Mutes {
			if m.Site.Fingerprint != fingerprint {
				left = append(left, m)
			}
		}
	}
	switch b := body.(type) {
	case *Muted:
		drop(b.Site.Fingerprint)
		left = append(left, *b)
	case *Unmuted:
		drop(b.Site.Fingerprint)
	}
	s.Mutes = left
	return s
}

// until says for how long a place is muted.
func (b Muted) until() string {
	if b.Module {
		return "in this module"
	}
	return "in this session"
}
