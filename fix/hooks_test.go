package fix

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/prompts"
)

// Hooks run at their points, in order; what they decide is done and recorded.
func TestHooks(t *testing.T) {
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(goodAnswer)))
	var mu sync.Mutex
	var order []hooks.Point
	decide := map[hooks.Point]hooks.Decision{
		hooks.BeforeAsk:   {Add: []hooks.Section{{Title: "House rules", Text: "Shelves begin at 0."}}, Remove: []string{prompts.SectionCallers}},
		hooks.BeforeApply: {Refuse: "not on a Monday"},
	}
	for _, p := range hooks.Points {
		opts.Hooks = append(opts.Hooks, hooks.Hook{Point: p, Name: "test", Handler: hooks.Func(func(_ context.Context, e hooks.Event) (hooks.Decision, error) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, e.Hook)
			return decide[e.Hook], nil
		})})
	}
	report, err := Run(context.Background(), opts, Options{Apply: true, AllowMasking: true, AllowDeclines: true})
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != Failed || report.Error == nil || !strings.Contains(report.Error.Message, "not on a Monday") || report.Applied != nil {
		t.Errorf("outcome %s, %+v, applied %+v", report.Outcome, report.Error, report.Applied)
	}
	sent := prompt(server.Requests()[0])
	if !strings.Contains(sent, "## House rules\nShelves begin at 0.") || strings.Contains(sent, "## Callers") {
		t.Errorf("the prompt is %s", sent)
	}
	for _, want := range []hooks.Point{hooks.OnStop, hooks.BeforeAsk, hooks.AfterAnswer, hooks.OnRound, hooks.BeforeApply, hooks.OnEnd} {
		if !slices.Contains(order, want) {
			t.Errorf("%s did not run, of %v", want, order)
		}
	}
	if last := order[len(order)-1]; last != hooks.OnEnd {
		t.Errorf("the last hook is %s", last)
	}
}

// A model is asked no more when the session has used its tokens.
func TestALimitEndsTheAsking(t *testing.T) {
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(doesNotBuild), ollamatest.Answer(goodAnswer)))
	opts.Fixes.Limits.Tokens = 1
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(server.Requests()) != 1 || report.Outcome != Unverified {
		t.Errorf("asked %d times, outcome %s", len(server.Requests()), report.Outcome)
	}
	if !slices.ContainsFunc(report.Notices, func(n string) bool {
		return strings.Contains(n, "tokens used; best fix so far: fix 1")
	}) || report.Requests[len(report.Requests)-1].Failed != "limit" || report.Candidates[0].Failed != "no-build" {
		t.Errorf("notices %q, requests %+v, fixes %+v", report.Notices, report.Requests, report.Candidates)
	}
}

// A model without tools looks at the program with a script before it answers.
func TestAModelInvestigatesWithScripts(t *testing.T) {
	look := "I look.\n```starlark\nthink(eval(\"name\", stop().frame), [f.function for f in frames()])\n```\n"
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(look), ollamatest.Answer(goodAnswer)))
	opts.Fixes.Profiles[0].Prompt = "investigate-code"
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(server.Requests()) != 2 || len(report.Candidates) != 1 {
		t.Fatalf("asked %d times, outcome %s, requests %+v", len(server.Requests()), report.Outcome, report.Requests)
	}
	if second := prompt(server.Requests()[1]); !strings.Contains(second, `name = "screw"`) || !strings.Contains(second, "main.shelf") {
		t.Errorf("the second prompt is %s", second)
	}
}
