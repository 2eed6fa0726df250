package fix

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/session"
)

// ends are the requests that a limit ended, with the same words as a notice.
func ends(t *testing.T, r Report) (list []string) {
	t.Helper()
	for _, q := range r.Requests {
		if q.Failed != session.FailedLimit {
			continue
		}
		list = append(list, q.Error)
		if !slices.ContainsFunc(r.Notices, func(n string) bool { return strings.HasPrefix(n, q.Error) }) {
			t.Errorf("no notice says %q: %q", q.Error, r.Notices)
		}
	}
	return list
}

// named is a profile of another model, and its server.
func named(t *testing.T, model string, script ollamatest.Script) (options.Profile, *ollamatest.Server) {
	t.Helper()
	server := ollamatest.New(t, ollamatest.Model{Name: model, Script: script})
	provider, err := ollama.New(ollama.Options{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return options.Profile{Name: model, Provider: provider, Source: "ollama", Model: model}, server
}

// Each limit ends the asking in the same form; a model that gives up is no such end.
func TestLimitsEndInOneForm(t *testing.T) {
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(doesNotBuild)))
	opts.Fixes.MaxRounds = 1
	tired, onlyOnce := named(t, "tired:7b", ollamatest.Answer("```starlark\ngive_up(\"the shelves are in another program\")\n```"))
	tired.Prompt = "investigate-code"
	opts.Fixes.Profiles = append(opts.Fixes.Profiles, tired)
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ends(t, report); len(server.Requests()) != 2 || len(got) != 1 || !strings.HasPrefix(got[0], "stopped: 2 rounds used; best fix so far: fix 1, ") {
		t.Errorf("rounds: asked %d times, %q", len(server.Requests()), got)
	}
	if len(onlyOnce.Requests()) != 1 || !slices.ContainsFunc(report.Requests, func(q Request) bool {
		return q.Failed == session.FailedGaveUp && q.Error == "the model gave up: the shelves are in another program"
	}) {
		t.Errorf("the model that gives up was asked %d times: %+v", len(onlyOnce.Requests()), report.Requests)
	}

	other := strings.Replace(doesNotBuild, "items[nam]", "items[nome]", 1)
	opts, server = scripted(t, module(t, shelves), func(r ollamatest.Request) []ollamatest.Step {
		return ollamatest.Answer([]string{doesNotBuild, other}[r.Turn%2])(r)
	})
	opts.Fixes.MaxRounds, opts.Fixes.MaxCandidates, opts.Fixes.Profiles[0].Candidates = -1, 1, 2
	if report, err = Run(context.Background(), opts, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, report); len(server.Requests()) != 2 || len(report.Candidates) != 1 || len(got) != 1 || !strings.HasPrefix(got[0], "stopped: 1 fixes used; best fix so far: fix 1, ") {
		t.Errorf("candidates: asked %d times, %d fixes, %q", len(server.Requests()), len(report.Candidates), got)
	}
}

// A run ends when its time is used.
func TestTheTimeOfARunEndsIt(t *testing.T) {
	opts, _ := scripted(t, module(t, shelves), ollamatest.Answer(goodAnswer))
	opts.Fixes.Limits.Time = time.Nanosecond
	report, err := Run(context.Background(), opts, Options{})
	if err != nil || report.Outcome != Failed || report.Error == nil || report.Error.Message != "stopped: 1ns of time used" || report.Error.Hint == "" {
		t.Errorf("%v, %s, %+v", err, report.Outcome, report.Error)
	}
}

// What a model is working on ends with the time, too.
func TestTheTimeOfARunEndsAQuestion(t *testing.T) {
	testsupport.Slow(t)
	opts, _ := scripted(t, module(t, shelves), ollamatest.Steps(ollamatest.Step{Wait: time.Hour}))
	opts.Fixes.Limits.Time = 3 * time.Second
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Stop != nil && report.Outcome != Unverified || report.Stop == nil && report.Outcome != Failed {
		t.Errorf("while a model thinks: %s, %+v", report.Outcome, report.Error)
	}
	if !slices.ContainsFunc(report.Notices, func(n string) bool { return strings.HasPrefix(n, "stopped: 3s of time used") }) {
		t.Errorf("notices %q", report.Notices)
	}
}

// Hooks hear of a fix that is applied; they change what a model gets, and drop candidates.
func TestHooksFollowAFixThatIsApplied(t *testing.T) {
	look := "I look.\n```starlark\nthink(locals()[\"name\"], source(\"main\"))\n```\n"
	again := "```starlark\nthink(eval(\"name\"))\n```\n"
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(look), ollamatest.Answer(again), ollamatest.Answer(goodAnswer)))
	opts.Fixes.Profiles[0].Prompt = "investigate-code"
	second, _ := scripted(t, opts.Target.Dir, ollamatest.Answer(stillPanics))
	second.Fixes.Profiles[0].Name = "second"
	third, unasked := named(t, "third:7b", ollamatest.Answer(goodAnswer))
	opts.Fixes.Profiles = append(opts.Fixes.Profiles, second.Fixes.Profiles[0], third)
	opts.Fixes.MaxRounds = -1
	var mu sync.Mutex
	heard := map[hooks.Point][]hooks.Event{}
	word := `{"name":"a secret"}`
	decide := func(e hooks.Event) (d hooks.Decision) {
		switch {
		case e.Hook == hooks.BeforeAsk && strings.Contains(e.Model, "third"):
			d.Refuse = "two are enough"
		case e.Hook == hooks.BeforeLookup && e.Lookup.Tool == "source":
			d.Arguments = map[string]any{"of": "shelf"}
		case e.Hook == hooks.AfterLookup && e.Lookup.Tool == "locals":
			d.Result = &word
		case e.Hook == hooks.AfterLookup && e.Lookup.Tool == "eval":
			d.Refuse = "not that"
		case e.Hook == hooks.AfterAnswer && strings.Contains(e.Candidate.Diff, "still no shelf"):
			d.Refuse = "no panics"
		}
		return d
	}
	for _, p := range hooks.Points {
		opts.Hooks = append(opts.Hooks, hooks.Hook{Point: p, Name: "test", Handler: hooks.Func(func(_ context.Context, e hooks.Event) (hooks.Decision, error) {
			mu.Lock()
			defer mu.Unlock()
			heard[e.Hook] = append(heard[e.Hook], e)
			return decide(e), nil
		})})
	}
	report, err := Run(context.Background(), opts, Options{Apply: true, AllowMasking: true, AllowDeclines: true})
	if err != nil || report.Outcome != Fixed {
		t.Fatalf("%v, outcome %s, %+v", err, report.Outcome, report.Error)
	}
	refused := map[string]bool{}
	for _, q := range report.Requests {
		if q.Failed == session.FailedRefused {
			refused[q.Error[strings.LastIndex(q.Error, ": ")+2:]] = true
		}
	}
	if !refused["two are enough"] || !refused["no panics"] || len(refused) != 2 || len(report.Candidates) != 1 || len(unasked.Requests()) != 0 {
		t.Errorf("refused %v, %d fixes, the third was asked %d times", refused, len(report.Candidates), len(unasked.Requests()))
	}
	mu.Lock()
	defer mu.Unlock()
	if list := heard[hooks.AfterApply]; len(list) != 1 || list[0].Candidate == nil || list[0].Candidate.ID != report.Applied.ID {
		t.Errorf("after_apply heard %+v", list)
	}
	if list := heard[hooks.OnJudged]; len(list) != 1 || list[0].Judgement != string(session.Fixed) || list[0].Candidate.ID != report.Applied.ID {
		t.Errorf("on_judged heard %+v", list)
	}
	scriptsHeard(t, server, heard[hooks.OnRound])
	hooksLogged(t, opts.Target.Dir, report.Session, heard)
}

// scriptsHeard: hooks changed what the script got, and heard of each iteration, the last with the
// candidate as it was proved.
func scriptsHeard(t *testing.T, server *ollamatest.Server, rounds []hooks.Event) {
	t.Helper()
	requests := server.Requests()
	if len(requests) != 3 {
		t.Fatalf("asked %d times", len(requests))
	}
	if _, text, _ := strings.Cut(prompt(requests[1]), "The script printed"); !strings.Contains(text, "a secret") || !strings.Contains(text, "func shelf(") || strings.Contains(text, "func main(") {
		t.Errorf("the script gave %s", text)
	}
	if text := prompt(requests[2]); !strings.Contains(text, "refused: not that") {
		t.Errorf("the second script gave %s", text)
	}
	var tools []string
	for _, e := range rounds {
		if !strings.Contains(e.Prompt, "starlark") {
			continue
		}
		var names []string
		for _, l := range e.Lookups {
			names = append(names, l.Tool)
		}
		tools = append(tools, strings.Join(names, "+"))
		if !e.Last {
			continue
		}
		if len(e.Candidates) != 1 || e.Candidates[0].ID == "" || e.Candidates[0].Effect == "" || e.Iteration != 3 {
			t.Errorf("the last iteration: %+v", e)
		}
	}
	if got := strings.Join(tools, " "); got != "locals+source+script eval+script " {
		t.Errorf("the iterations looked up %q", got)
	}
}

// hooksLogged: each run is an event of the journal.
func hooksLogged(t *testing.T, dir, log string, heard map[hooks.Point][]hooks.Event) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(log, ".md")+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for p, list := range heard {
		if n := strings.Count(string(text), `"hook":"`+string(p)+`"`); n != len(list) {
			t.Errorf("%d runs of %s are in the journal, %d were heard", n, p, len(list))
		}
	}
}

// A run that is canceled has an outcome and a log that ends, whatever it was doing.
func TestACanceledRunLeavesAUsableLog(t *testing.T) {
	for _, one := range []struct {
		at      string
		outcome string
		kinds   []string // that the journal has
	}{
		{"build", Failed, []string{"build-started"}},
		{"ask", Unverified, []string{"stopped", "asked"}},
		{"proof", Unverified, []string{"stopped", "answered", "proposed"}},
	} {
		t.Run(one.at, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			script := ollamatest.Answer(goodAnswer)
			if one.at == "ask" {
				script = func(ollamatest.Request) []ollamatest.Step {
					cancel()
					return []ollamatest.Step{{Wait: time.Hour}}
				}
			}
			opts, _ := scripted(t, module(t, shelves), script)
			progress := func(line string) {
				if one.at == "build" && strings.HasPrefix(line, "building") || one.at == "proof" && strings.Contains(line, "of 1 fixes") {
					cancel()
				}
			}
			report, err := Run(ctx, opts, Options{Progress: progress})
			if !errors.Is(err, context.Canceled) || report.Outcome != one.outcome {
				t.Errorf("%v, outcome %s", err, report.Outcome)
			}
			events, err := session.ReadFile(filepath.Join(opts.Target.Dir, strings.TrimSuffix(report.Session, ".md")+".jsonl"))
			if err != nil || len(events) == 0 {
				t.Fatalf("the journal: %v", err)
			}
			var kinds []string
			for _, e := range events {
				kinds = append(kinds, e.Body.Kind())
			}
			for _, want := range append(one.kinds, "ended") {
				if !slices.Contains(kinds, want) {
					t.Errorf("no event %q among %q", want, kinds)
				}
			}
			if kinds[len(kinds)-1] != "ended" {
				t.Errorf("it ends with %q", kinds[len(kinds)-1])
			}
			if text, err := os.ReadFile(filepath.Join(opts.Target.Dir, report.Session)); err != nil || !strings.Contains(string(text), "outcome: ") {
				t.Errorf("the log: %v\n%s", err, text)
			}
		})
	}
}
