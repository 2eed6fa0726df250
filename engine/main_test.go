package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/session"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// module writes a module into a directory of its own.
var module = testsupport.Module

// scripted is a provider with one model, which gives its answers in order, the
// last one again and again, and keeps what it was asked.
type scripted struct {
	name    string // "one" where it is empty
	answers []string

	mu    sync.Mutex
	asked []string // the prompts
}

func (s *scripted) Models(context.Context) ([]llm.Info, error) { return []llm.Info{s.Info()}, nil }

func (s *scripted) Open(context.Context, string) (llm.Model, error) { return s, nil }

func (s *scripted) Info() llm.Info {
	return llm.Info{Provider: "scripted", Name: cmp.Or(s.name, "one")}
}

func (s *scripted) Complete(_ context.Context, r llm.Request, _ func(string)) (llm.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, ask.PromptText(r.Messages))
	return llm.Answer{Text: answer}, nil
}

func (s *scripted) prompts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// player is a frontend that a test holds.
type player struct {
	t      *testing.T
	engine *Engine
	events []session.Event
	state  session.State
	ended  chan error
}

// play begins a session, which ends with the test at the latest.
func play(t *testing.T, opts options.Session) *player {
	t.Helper()
	e, err := New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return follow(t, e)
}

func follow(t *testing.T, e *Engine) *player {
	p := &player{t: t, engine: e, state: session.NewState(), ended: make(chan error, 1)}
	go func() { p.ended <- e.Run(context.Background()) }()
	t.Cleanup(p.quit)
	return p
}

// quit ends the session and waits for it; once is enough.
func (p *player) quit() {
	if p.ended == nil {
		return
	}
	p.engine.Do(intent.Quit{})
	if err := <-p.ended; err != nil {
		p.t.Error(err)
	}
	p.ended = nil
}

// until waits for a state; the limit is for a session that hangs.
func (p *player) until(what string, is func(session.State) bool) session.State {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	for !is(p.state) {
		u, err := p.engine.loop.Wait(ctx, uint64(len(p.events)), ^uint64(0))
		if err != nil && !(errors.Is(err, io.EOF) && len(u.Events) > 0) {
			p.t.Fatalf("waiting until %s: %v\n%s", what, err, p.story())
		}
		for _, e := range u.Events {
			p.events = append(p.events, e)
			p.state = p.state.Apply(e)
		}
	}
	return p.state
}

// story is what has happened, for messages.
func (p *player) story() string {
	var b strings.Builder
	for _, e := range p.events {
		b.WriteString(e.Actor + " " + e.Body.Kind() + "\n")
	}
	return b.String()
}
