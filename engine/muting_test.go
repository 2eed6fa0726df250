package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// keptMutes is a store of muted places in memory.
type keptMutes struct{ sites []debugger.Site }

func (k *keptMutes) Load(string) ([]debugger.Site, error) { return k.sites, nil }

func (k *keptMutes) Mute(_ string, site debugger.Site) error {
	k.sites = append(k.sites, site)
	return nil
}

func (k *keptMutes) Unmute(_, fingerprint string) error {
	k.sites = slices.DeleteFunc(k.sites, func(s debugger.Site) bool { return s.Fingerprint == fingerprint })
	return nil
}

func TestAMutedPlaceDoesNotStopAgain(t *testing.T) {
	t.Parallel()
	store := &keptMutes{}
	dir := module(t, totals)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Test: true}, Stores: options.Stores{Mutes: store}})
	p.until("the first test fails", atTest("TestOther"))
	p.engine.Do(intent.Mute{Module: true})
	p.goOn("TestOther")
	p.until("the case fails", atTest("TestSum/two"))
	p.engine.Do(intent.Mute{})
	p.engine.Do(intent.Restart{})
	s := p.until("it stops in the second round", func(s session.State) bool {
		stop, ok := s.CurrentStop()
		return ok && stop.Round == 2
	})
	if stop, _ := s.CurrentStop(); stop.Stop.Test == nil || stop.Stop.Test.Name != "TestAfter" || len(s.Mutes) != 2 {
		t.Errorf("stopped at %+v with %+v muted", stop.Stop.Test, s.Mutes)
	}
	if len(store.sites) != 1 || store.sites[0].Test != "TestOther" {
		t.Fatalf("kept %+v", store.sites)
	}
	p.engine.Do(intent.Unmute{Fingerprint: store.sites[0].Fingerprint})
	s = p.until("it is unmuted", func(s session.State) bool { return len(s.Mutes) == 1 })
	if s.Mutes[0].Site.Test != "TestSum/two" || len(store.sites) != 0 {
		t.Errorf("left %+v, kept %+v", s.Mutes, store.sites)
	}
	p.quit()
}

// What was muted in a session holds when it is taken up again; what was muted in
// the module holds as it is by then.
func TestMutedPlacesOfAResumedSession(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	store := &keptMutes{}
	opts := options.Session{Target: options.Target{Dir: module(t, totals), Test: true}, Stores: options.Stores{Mutes: store}}
	p := play(t, opts)
	p.until("the first test fails", atTest("TestOther"))
	p.engine.Do(intent.Mute{Module: true})
	p.goOn("TestOther")
	p.until("the case fails", atTest("TestSum/two"))
	p.engine.Do(intent.Mute{})
	p.until("both are muted", func(s session.State) bool { return len(s.Mutes) == 2 })
	p.quit()
	for _, tt := range []struct {
		kept []debugger.Site
		next string
	}{{store.sites, "TestAfter"}, {nil, "TestOther"}} {
		store.sites = tt.kept
		e, err := Resume(t.Context(), options.Session{Stores: options.Stores{Mutes: store}, Log: options.Log{Dir: opts.Log.Dir}}, strings.TrimSuffix(p.engine.loop.LogPath(), ".md")+".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		before := len(e.State().Stops)
		q := follow(t, e)
		s := q.until("it stops again", func(s session.State) bool { return len(s.Stops) > before })
		if stop, _ := s.CurrentStop(); stop.Stop.Test == nil || stop.Stop.Test.Name != tt.next {
			t.Errorf("with %d kept it stopped at %+v", len(tt.kept), stop.Stop.Test)
		}
		q.quit()
	}
}

// Filters are given as directories, too, and hold for package main by its path.
func TestPanicsOfAPackageStop(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.org/app

go 1.26
-- main.go --
package main

import (
	"fmt"

	"example.org/app/store"
)

func attempt(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	attempt(func() { panic("main") })
	attempt(store.Open)
}
-- store/store.go --
package store

// Open panics.
func Open() { panic("store") }
`)
	for _, tt := range []struct {
		filter debugger.PanicFilter
		want   string
	}{
		{debugger.PanicFilter{In: []string{"./store"}}, "store"},
		{debugger.PanicFilter{In: []string{"example.org/app"}}, "main"},
		{debugger.PanicFilter{Not: []string{"."}}, "store"},
		{debugger.PanicFilter{In: []string{"./..."}, Not: []string{"./store/..."}}, "main"},
	} {
		p := play(t, options.Session{Target: options.Target{Dir: dir, Panics: debugger.PanicsAll, Filter: tt.filter}})
		s := p.until("it stops", func(s session.State) bool { return len(s.Stops) == 1 })
		if stop, _ := s.CurrentStop(); !stop.Stop.Crashed() || stop.Stop.Panic.Message != tt.want {
			t.Errorf("%+v: stopped at %+v", tt.filter, stop.Stop.Panic)
		}
		p.engine.Do(intent.Run{Motion: debugger.Continue})
		p.until("it ends", func(s session.State) bool { return s.Phase == session.PhaseExited && len(s.Stops) == 2 })
		p.quit()
	}
}
