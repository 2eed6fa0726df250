package target

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// Muting knows the muted places. The target asks it, from its own goroutine,
// before it shows a stop that it lives on after.
type Muting struct {
	*loop.Loop
	mu      sync.Mutex
	hits    map[string]int // by fingerprint of the muted places: how often they were passed
	judging *debugger.Stop // what an applied fix must not come back to; nil without one
}

// Mutes reports whether a stop is at a muted place. One that a fix is judged by is
// never passed: it has come back.
func (ms *Muting) Mutes(stop debugger.Stop) bool {
	ms.mu.Lock()
	none := len(ms.hits) == 0
	ms.mu.Unlock()
	if none {
		return false
	}
	crash := *stop.Panic
	stop.Panic = &crash
	Identify(&stop)
	ms.mu.Lock()
	defer ms.mu.Unlock()
	n, muted := ms.hits[crash.Fingerprint]
	if !muted || ms.judging != nil && SameCrash(*ms.judging, stop) {
		return false
	}
	ms.hits[crash.Fingerprint] = n + 1
	return true
}

// Judge notes the crash of the candidate that is watched; nil ends that.
func (ms *Muting) Judge(crash *debugger.Stop) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	ms.judging = crash
}

func (ms *Muting) set(fingerprint string, on bool) {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if !on {
		delete(ms.hits, fingerprint)
	} else if _, known := ms.hits[fingerprint]; !known {
		if ms.hits == nil {
			ms.hits = map[string]int{}
		}
		ms.hits[fingerprint] = 0
	}
}

// Passed is how often muted places were passed.
func (ms *Muting) Passed() map[string]int {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return maps.Clone(ms.hits)
}

// Recall mutes what was muted in the session that is taken up again, and
// what is muted in the whole module, by now.
func (ms *Muting) Recall() {
	var kept []debugger.Site
	if ms.Opts.Stores.Mutes != nil {
		var err error
		if kept, err = ms.Opts.Stores.Mutes.Load(ms.Workspace.Root); err != nil {
			ms.Notice("warn", err.Error(), "")
		}
	}
	isKept := func(fingerprint string) bool {
		return slices.ContainsFunc(kept, func(s debugger.Site) bool { return s.Fingerprint == fingerprint })
	}
	for _, m := range ms.State().Mutes {
		if m.Module && !isKept(m.Site.Fingerprint) {
			ms.Append(session.EngineActor, &session.Unmuted{Site: m.Site})
		}
	}
	for _, s := range kept {
		if m, known := ms.State().MuteOf(s.Fingerprint); !known || !m.Module {
			ms.Append(session.EngineActor, &session.Muted{Site: s, Module: true})
		}
	}
	for _, m := range ms.State().Mutes {
		ms.set(m.Site.Fingerprint, true)
	}
}

// Mute mutes the place where the target is held.
func (ms *Muting) Mute(i intent.Mute) {
	stop, ok := ms.State().CurrentStop()
	if !ok || !stop.Stop.LivesOn() || stop.Stop.Hangs() {
		ms.Refuse(advice.Add(errors.New("nothing to mute here: a panic that ends the program always stops it"),
			"places are muted at panics that are recovered, and at failing tests"))
		return
	}
	site := ms.siteOf(stop.Stop)
	ms.set(site.Fingerprint, true)
	if ms.Opts.Stores.Mutes != nil {
		before, _ := ms.State().MuteOf(site.Fingerprint)
		switch {
		case i.Module:
			ms.Warn(ms.Opts.Stores.Mutes.Mute(ms.Workspace.Root, site))
		case before.Module:
			ms.Warn(ms.Opts.Stores.Mutes.Unmute(ms.Workspace.Root, site.Fingerprint))
		}
	}
	ms.Append(ms.By(), &session.Muted{Site: site, Module: i.Module})
}

func (ms *Muting) siteOf(stop debugger.Stop) debugger.Site {
	p := stop.Panic
	s := debugger.Site{Fingerprint: p.Fingerprint, Class: p.Class, Message: p.Message}
	if stop.Test != nil {
		s.Test = stop.Test.Name
	}
	if f, ok := stop.SelectedFrame(); ok {
		s.Function, s.File, s.Line = f.Function, ms.Workspace.Rel(f.File), f.Line
	}
	return s
}

// Unmute has a place stop again.
func (ms *Muting) Unmute(fingerprint string) {
	m, ok := ms.State().MuteOf(fingerprint)
	if !ok {
		ms.Refuse(fmt.Errorf("no such place is muted: %q", fingerprint))
		return
	}
	ms.set(fingerprint, false)
	if m.Module && ms.Opts.Stores.Mutes != nil {
		ms.Warn(ms.Opts.Stores.Mutes.Unmute(ms.Workspace.Root, fingerprint))
	}
	ms.Append(ms.By(), &session.Unmuted{Site: m.Site})
}
