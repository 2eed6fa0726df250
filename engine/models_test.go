package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

// elsewhere is a provider whose model runs on another machine.
type elsewhere struct{ scripted }

func (s *elsewhere) Open(context.Context, string) (llm.Model, error) { return s, nil }

func (s *elsewhere) Info() llm.Info {
	return llm.Info{Provider: "work", Name: "big", Remote: true, Host: "models.example.com"}
}

// keeper crashes with a secret in its hands.
const keeper = `
-- go.mod --
module example.org/keeper

go 1.26
-- main.go --
package main

type Patient struct{ Name string }

func admit(beds map[string]*Patient, password string, p *Patient) {
	beds[p.Name] = p
}

func main() {
	var beds map[string]*Patient
	admit(beds, "swordfish-77", &Patient{"Ada Lovelace"})
}
`

func remoteOptions(t *testing.T, store options.Consents) (options.Session, *elsewhere) {
	provider := &elsewhere{scripted{answers: []string{"Nothing helps."}}}
	return options.Session{Target: options.Target{Dir: module(t, keeper)}, Privacy: options.Privacy{Consents: store, Redact: redact.Settings{Types: []string{"Patient"}}}, Fixes: options.Fixes{AskAtOnce: true,
		Profiles: []options.Profile{{Name: "big", Provider: provider, Source: "work", Model: "big"}}}}, provider
}

func answeredOnce(s session.State) bool {
	for _, r := range s.Requests {
		if r.Asked.Source.Provider == "work" && r.Answered != nil {
			return true
		}
	}
	return false
}

func TestNothingLeavesWithoutConsent(t *testing.T) {
	t.Parallel()
	store := userstate.Open(t.TempDir()).Consents()
	o, provider := remoteOptions(t, store)
	o.Target.Headless = true
	p := play(t, o)
	s := p.until("the model is refused", answeredOnce)
	for _, r := range s.Requests {
		if r.Asked.Source.Provider == "work" && (!strings.Contains(r.Answered.Err, "models.example.com") || !strings.Contains(r.Answered.Hint, "--allow-remote")) {
			t.Errorf("answered %+v", r.Answered)
		}
	}
	if asked := provider.prompts(); len(asked) > 0 {
		t.Errorf("sent: %q", asked)
	}
}

func TestConsentIsAskedForOnceAProject(t *testing.T) {
	t.Parallel()
	store := userstate.Open(t.TempDir()).Consents()
	o, provider := remoteOptions(t, store)
	p := play(t, o)
	p.untilLive("consent is wanted", func(l live.State) bool { return l.Consent != nil })
	if asked := provider.prompts(); len(asked) > 0 {
		t.Fatalf("sent before: %q", asked)
	}
	p.engine.Do(intent.Consent{Host: "models.example.com", Model: "work/big"})
	s := p.until("it is declined", answeredOnce)
	if len(provider.prompts()) > 0 || len(s.Consents) != 1 || s.Consents[0].Given {
		t.Fatalf("consents %+v", s.Consents)
	}
	p.engine.Do(intent.Ask{})
	p.untilLive("consent is wanted again", func(l live.State) bool { return l.Consent != nil })
	p.engine.Do(intent.Consent{Host: "models.example.com", Model: "work/big", Given: true})
	s = p.until("it is sent", func(session.State) bool { return len(provider.prompts()) > 0 })
	for _, secret := range []string{"swordfish", "Ada", "Lovelace"} {
		if sent := provider.prompts()[0]; strings.Contains(sent, secret) {
			t.Errorf("%q was sent: %s", secret, sent)
		}
	}
	place := userstate.Consent{Module: "example.org/keeper", Root: s.Started.Workspace.Root, Host: "models.example.com", Model: "work/big"}
	if ok, err := store.Given(place); !ok || err != nil {
		t.Errorf("not remembered: %v", err)
	}
	if text := string(session.Markdown(p.events)); !strings.Contains(text, "work/big (remote)") || !strings.Contains(text, "**agreed**") || !strings.Contains(text, "**declined**") {
		t.Errorf("the log says nothing of it:\n%s", text)
	}
}

func TestAllowRemoteIsConsentForOneRun(t *testing.T) {
	t.Parallel()
	store := userstate.Open(t.TempDir()).Consents()
	o, provider := remoteOptions(t, store)
	o.Target.Headless, o.Privacy.AllowRemote = true, true
	p := play(t, o)
	s := p.until("it is asked", answeredOnce)
	if len(provider.prompts()) == 0 || len(s.Consents) != 1 || !s.Consents[0].Once {
		t.Errorf("asked %d times, consents %+v", len(provider.prompts()), s.Consents)
	}
	if list, err := store.List(); err != nil || len(list) > 0 {
		t.Errorf("remembered: %+v, %v", list, err)
	}
}

// untilLive waits for something under way.
func (p *player) untilLive(what string, is func(live.State) bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	for version := ^uint64(0); ; {
		u, err := p.engine.loop.Wait(ctx, uint64(len(p.events)), version)
		if err != nil {
			p.t.Fatalf("waiting until %s: %v\n%s", what, err, p.story())
		}
		for _, e := range u.Events {
			p.events = append(p.events, e)
			p.state = p.state.Apply(e)
		}
		if version = u.Live.Version; is(u.Live) {
			return
		}
	}
}
