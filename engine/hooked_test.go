package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/session"
)

// listener are hooks at points that keep what they hear.
type listener struct {
	mu     sync.Mutex
	events []hooks.Event
	decide func(hooks.Event) hooks.Decision
}

func (l *listener) at(points ...hooks.Point) (set hooks.Set) {
	for _, p := range points {
		set = append(set, hooks.Hook{Point: p, Name: "test", Handler: hooks.Func(func(_ context.Context, e hooks.Event) (hooks.Decision, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.events = append(l.events, e)
			if l.decide == nil {
				return hooks.Decision{}, nil
			}
			return l.decide(e), nil
		})})
	}
	return set
}

func (l *listener) heard(p hooks.Point) (list []hooks.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.Hook == p {
			list = append(list, e)
		}
	}
	return list
}

// A question of a person passes the hooks and the limits of the session, as one for fixes does; so do
// the lookups of an agent outside, and not those of the person's own script.
func TestQuestionsAndAgentsPassTheHooksAndTheLimits(t *testing.T) {
	t.Parallel()
	model := &prober{answers: []llm.Answer{
		{Calls: []llm.Call{use("eval", "expr", "x.terms"), use("source", "of", "NewIndex")}, PromptTokens: 100, Tokens: 5, Took: time.Second},
		{Text: "It is nil.", PromptTokens: 200, Tokens: 5, Took: time.Second},
	}}
	l := &listener{decide: func(e hooks.Event) hooks.Decision {
		secret := "from the hook"
		switch {
		case e.Hook == hooks.BeforeAsk && strings.Contains(e.Prompt, "refuse"):
			return hooks.Decision{Refuse: "not this one"}
		case e.Hook == hooks.BeforeAsk:
			return hooks.Decision{Add: []hooks.Section{{Title: "House rules", Text: "Be brief."}}, Remove: []string{"callers", "stack"}}
		case e.Hook == hooks.BeforeLookup && e.Lookup.Tool == "source":
			return hooks.Decision{Refuse: "no source"}
		case e.Hook == hooks.AfterLookup && e.Lookup.Tool == "eval":
			return hooks.Decision{Result: &secret}
		}
		return hooks.Decision{}
	}}
	p := play(t, options.Session{Target: options.Target{Dir: module(t, index)},
		Hooks: l.at(hooks.BeforeAsk, hooks.BeforeLookup, hooks.AfterLookup, hooks.OnRound),
		Fixes: options.Fixes{Limits: options.Limits{Tokens: 620, Cost: 1},
			Profiles: []options.Profile{{Name: "test", Source: "scripted", Provider: model, Model: "prober", Price: options.Price{Prompt: 1000, Answer: 1000}}}}})
	s := p.until("it has crashed", crashed)
	at := debugger.FrameRef{Goroutine: s.Stops[0].Stop.Goroutine, Frame: s.Stops[0].Stop.Panic.Culprit}
	question := func(n int, text string) *session.Replied {
		p.engine.Do(intent.AskQuestion{At: at, Text: text})
		return p.until(fmt.Sprintf("reply %d", n), replies(n)).Questions[n-1].Replied
	}
	r := question(1, "why?")
	if r.Text != "It is nil." || r.Cost < 0.3 || r.ModelTook != 2*time.Second || r.Failed != "" {
		t.Fatalf("%+v", r)
	}
	asked := model.requests()
	first := ask.PromptText(asked[0].Messages)
	if !strings.Contains(first, "## House rules\nBe brief.") || strings.Contains(first, "## The stack") {
		t.Errorf("the prompt is %s", first)
	}
	second := ask.PromptText(asked[1].Messages)
	if !strings.Contains(second, "```text data\nfrom the hook\n```") || !strings.Contains(second, "Error: source: refused: no source") {
		t.Errorf("the model got %s", second)
	}
	if r := question(2, "please refuse"); r.Failed != session.FailedRefused || !strings.Contains(r.Err, "not this one") || len(model.requests()) != 2 {
		t.Errorf("%+v", r)
	}
	if r := question(3, "and then?"); r.Failed != "" { // 310 of 620 tokens are used
		t.Errorf("%+v", r)
	}
	if text := ask.PromptText(model.requests()[2].Messages); !strings.Contains(text, "## House rules\nBe brief.\n\nand then?") {
		t.Errorf("a further question is %s", text)
	}
	if r := question(4, "more?"); r.Failed != "" {
		t.Errorf("%+v", r)
	}
	r = question(5, "even more?")
	notices := p.state.Notices
	if r.Failed != session.FailedLimit || !strings.HasPrefix(r.Err, "stopped: 720 of 620 tokens used; best fix so far: fix 1, ") || r.Hint == "" || notices[len(notices)-1].Limit != session.LimitTokens {
		t.Errorf("%+v, %+v", r, notices[len(notices)-1])
	}
	rounds(t, l.heard)

	l.mu.Lock()
	l.events = nil
	l.mu.Unlock()
	ctx := t.Context()
	for _, one := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"eval", map[string]any{"expr": "x"}, "```text data\nfrom the hook\n```"},
		{"source", map[string]any{"of": "NewIndex"}, "refused: no source"},
		{"values", map[string]any{}, "(*Index).Add"},
		{"script", map[string]any{"code": `print(eval("x"), stop().kind)`}, "```text data\nfrom the hook nil-map-write\n```"},
		{"script", map[string]any{"code": `source("NewIndex")`}, "refused: no source"},
	} {
		text, err := p.engine.UseTool(ctx, one.tool, one.arguments)
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, one.want) {
			t.Errorf("%s(%v) gives %s, want %s", one.tool, one.arguments, text, one.want)
		}
	}
	tools := ""
	for _, e := range l.heard(hooks.BeforeLookup) {
		tools += e.Model + " " + e.Lookup.Tool + "\n"
	}
	if want := "agent eval\nagent source\nagent values\nagent eval\nagent stop\nagent source\n"; tools != want {
		t.Errorf("hooks heard\n%s", tools)
	}
	p.engine.Do(intent.Evaluate{At: at, Input: `script print(eval("x.terms"), source("NewIndex"))`})
	s = p.until("the script has run", func(s session.State) bool { return len(s.Transcript) > 0 })
	if text := fmt.Sprint(s.Transcript[0].Lines); !strings.Contains(text, "nil map") || !strings.Contains(text, "func NewIndex") || len(l.heard(hooks.BeforeLookup)) != 6 {
		t.Errorf("the person's script gives %+v", s.Transcript[0])
	}
	ran := 0
	for _, e := range p.events {
		if h, ok := e.Body.(*session.HookRan); ok && h.Hook == string(hooks.BeforeLookup) && h.Refused == "no source" {
			ran++
		}
	}
	if ran != 3 {
		t.Errorf("%d refusals are recorded, want 3", ran)
	}
}

// rounds are what on_round heard of the five questions.
func rounds(t *testing.T, heard func(hooks.Point) []hooks.Event) {
	t.Helper()
	testsupport.Eventually(t, "on_round has run six times", func() bool { return len(heard(hooks.OnRound)) >= 6 }) // in the background
	var lines []string
	for _, e := range heard(hooks.OnRound) {
		var looked []string
		for _, l := range e.Lookups {
			looked = append(looked, l.Tool+"="+strings.NewReplacer("\n", " ").Replace(l.Result+l.Error))
		}
		lines = append(lines, fmt.Sprintf("%s %d %v %s %v prompt=%v answer=%s", e.Request, e.Iteration, e.Last, e.Failed, looked, e.Prompt != "", e.Answer))
	}
	want := []string{
		"q1 1 false  [eval=```text data from the hook ``` source=source: refused: no source] prompt=true answer=",
		"q1 2 true  [] prompt=true answer=It is nil.",
		"q2 0 true refused [] prompt=false answer=",
		"q3 1 true  [] prompt=true answer=It is nil.",
		"q4 1 true  [] prompt=true answer=It is nil.",
		"q5 0 true limit [] prompt=false answer=",
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("on_round heard\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
