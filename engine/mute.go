package engine

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// MuteStore remembers muted places beyond this session; userstate.Mutes is one.
type MuteStore interface {
	Load(root string) ([]debugger.Site, error)
	Mute(root string, site debugger.Site) error
	Unmute(root, fingerprint string) error
}

// muting is what the target asks before it shows a stop that it lives on after.
// It is asked from the target's goroutine.
type muting struct {
	mu      sync.Mutex
	hits    map[string]int // by fingerprint of the muted places: how often they were passed
	judging *debugger.Stop // what an applied fix must not come back to; nil without one
}

// mutes tells whether a stop is at a muted place. One that a fix is judged by is
// never passed: it has come back.
func (m *muting) mutes(stop debugger.Stop) bool {
	m.mu.Lock()
	none := len(m.hits) == 0
	m.mu.Unlock()
	if none {
		return false
	}
	crash := *stop.Panic
	stop.Panic = &crash
	identify(&stop)
	m.mu.Lock()
	defer m.mu.Unlock()
	n, muted := m.hits[crash.Fingerprint]
	if !muted || m.judging != nil && sameCrash(*m.judging, stop) {
		return false
	}
	m.hits[crash.Fingerprint] = n + 1
	return true
}

// judge notes the crash of the candidate that is watched; nil ends that.
func (m *muting) judge(w *watch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.judging = nil
	if w != nil {
		m.judging = &w.crash
	}
}

func (m *muting) set(fingerprint string, on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !on {
		delete(m.hits, fingerprint)
	} else if _, known := m.hits[fingerprint]; !known {
		if m.hits == nil {
			m.hits = map[string]int{}
		}
		m.hits[fingerprint] = 0
	}
}

// passed is how often muted places were passed.
func (m *muting) passed() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.hits)
}

// recallMutes mutes what was muted in the session that is taken up again, and
// what is muted in the whole module, by now.
func (e *Engine) recallMutes() {
	var kept []debugger.Site
	if e.opts.Mutes != nil {
		var err error
		if kept, err = e.opts.Mutes.Load(e.ws.Root); err != nil {
			e.notice("warn", err.Error(), "")
		}
	}
	isKept := func(fingerprint string) bool {
		return slices.ContainsFunc(kept, func(s debugger.Site) bool { return s.Fingerprint == fingerprint })
	}
	for _, m := range e.State().Mutes {
		if m.Module && !isKept(m.Site.Fingerprint) {
			e.append(actorEngine, &session.Unmuted{Site: m.Site})
		}
	}
	for _, s := range kept {
		if m, known := e.State().MuteOf(s.Fingerprint); !known || !m.Module {
			e.append(actorEngine, &session.Muted{Site: s, Module: true})
		}
	}
	for _, m := range e.State().Mutes {
		e.muting.set(m.Site.Fingerprint, true)
	}
}

// mute mutes the place where the target is held.
func (e *Engine) mute(i Mute) {
	stop, ok := e.State().CurrentStop()
	if !ok || !stop.Stop.LivesOn() {
		e.refuse(advice.Add(errors.New("nothing to mute here: a panic that ends the program always stops it"),
			"places are muted at panics that are recovered, and at failing tests"))
		return
	}
	site := e.siteOf(stop.Stop)
	e.muting.set(site.Fingerprint, true)
	if e.opts.Mutes != nil {
		before, _ := e.State().MuteOf(site.Fingerprint)
		switch {
		case i.Module:
			e.warn(e.opts.Mutes.Mute(e.ws.Root, site))
		case before.Module:
			e.warn(e.opts.Mutes.Unmute(e.ws.Root, site.Fingerprint))
		}
	}
	e.append(e.opts.Actor, &session.Muted{Site: site, Module: i.Module})
}

func (e *Engine) siteOf(stop debugger.Stop) debugger.Site {
	p := stop.Panic
	s := debugger.Site{Fingerprint: p.Fingerprint, Class: p.Class, Message: p.Message}
	if stop.Test != nil {
		s.Test = stop.Test.Name
	}
	if f, ok := stop.SelectedFrame(); ok {
		s.Function, s.File, s.Line = f.Function, e.ws.Rel(f.File), f.Line
	}
	return s
}

// unmute has a place stop again.
func (e *Engine) unmute(fingerprint string) {
	m, ok := e.State().MuteOf(fingerprint)
	if !ok {
		e.refuse(fmt.Errorf("no such place is muted: %q", fingerprint))
		return
	}
	e.muting.set(fingerprint, false)
	if m.Module && e.opts.Mutes != nil {
		e.warn(e.opts.Mutes.Unmute(e.ws.Root, fingerprint))
	}
	e.append(e.opts.Actor, &session.Unmuted{Site: m.Site})
}

// warn says what failed, if something has.
func (e *Engine) warn(err error) {
	if err != nil {
		e.notice("warn", err.Error(), "")
	}
}

// panicFilter is the person's filter with import paths for patterns that begin
// at a directory. In a program, the functions of its own package are those of
// package main.
func (e *Engine) panicFilter() debugger.PanicFilter {
	own := e.ws.ImportPath(packageDir(e.ws, e.opts.Package))
	resolve := func(patterns []string) []string {
		list := importPatterns(e.ws, patterns)
		if own != "" && (debugger.PanicFilter{In: list}).Names(own+".main") {
			list = append(list, "main")
		}
		return list
	}
	return debugger.PanicFilter{In: resolve(e.opts.Filter.In), Not: resolve(e.opts.Filter.Not)}
}

func importPatterns(ws workspace.Workspace, patterns []string) []string {
	var list []string
	for _, p := range patterns {
		dir, rest, wild := strings.Cut(p, "...")
		path := ""
		if p == "." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
			path = ws.ImportPath(filepath.Join(ws.Dir, dir))
		}
		switch {
		case path == "":
			list = append(list, p)
		case wild && strings.HasSuffix(dir, "/"):
			list = append(list, path+"/..."+rest)
		case wild:
			list = append(list, path+"..."+rest)
		default:
			list = append(list, path)
		}
	}
	return list
}
