package fix

import (
	"context"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// scripted are options that ask one model, and its server.
func scripted(t *testing.T, dir string, script ollamatest.Script) (options.Session, *ollamatest.Server) {
	t.Helper()
	server := ollamatest.New(t, ollamatest.Model{Name: "scripted:7b", Script: script})
	provider, err := ollama.New(ollama.Options{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{Profiles: []options.Profile{{Name: "test", Provider: provider, Source: "ollama", Model: "scripted:7b"}}}}, server
}

// prompt is all that was sent in a request.
func prompt(r ollamatest.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

func goFence(body string) string {
	return "It is fixed.\n\n```go\nfunc shelf(items map[string]int, name string) int {\n" + body + "\n}\n```\n"
}

var (
	doesNotBuild = goFence("\treturn items[nam]")
	stillPanics  = goFence("\tif _, ok := items[name]; !ok {\n\t\tpanic(\"still no shelf for \" + name)\n\t}\n\treturn items[name]")
)

// What failed goes back with its output; later rounds see all earlier tries.
func TestFailedCandidatesGoBackWithTheirFailure(t *testing.T) {
	testsupport.Slow(t)
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(doesNotBuild), ollamatest.Answer(stillPanics), ollamatest.Answer(goodAnswer)))
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != Verified || len(report.Candidates) != 3 || !report.Candidates[0].Verified {
		t.Errorf("outcome %s, fixes %+v", report.Outcome, report.Candidates)
	}
	asked := server.Requests()
	if len(asked) != 3 {
		t.Fatalf("asked %d times, want 3", len(asked))
	}
	for i, wants := range [][]string{1: {"undefined: nam"}, 2: {"undefined: nam", "still no shelf for"}} {
		for _, want := range wants {
			if !strings.Contains(prompt(asked[i]), want) {
				t.Errorf("request %d does not say %q:\n%s", i+1, want, prompt(asked[i]))
			}
		}
	}
}

func TestRoundsAreBounded(t *testing.T) {
	testsupport.Slow(t)
	for rounds, want := range map[int]int{-1: 1, 1: 2} {
		opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(doesNotBuild), ollamatest.Answer(stillPanics), ollamatest.Answer(goodAnswer)))
		opts.Fixes.MaxRounds = rounds
		report, err := Run(context.Background(), opts, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(server.Requests()); n != want || report.Outcome != Unverified {
			t.Errorf("at most %d rounds: asked %d times, want %d; outcome %s", rounds, n, want, report.Outcome)
		}
	}
}

// Candidates that differ only in how they are written are one.
func TestTheSameChangeIsOneCandidate(t *testing.T) {
	testsupport.Slow(t)
	spaced := strings.Replace(goodAnswer, "\treturn items[name]", "    return items[ name ]", 1)
	opts, server := scripted(t, module(t, shelves), ollamatest.Turns(ollamatest.Answer(goodAnswer), ollamatest.Answer(spaced), ollamatest.Answer(goodAnswer)))
	opts.Fixes.Profiles[0].Candidates = 3
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(server.Requests()) != 3 || len(report.Candidates) != 1 || len(report.Candidates[0].Also) != 2 {
		t.Errorf("asked %d times, fixes %+v", len(server.Requests()), report.Candidates)
	}
}
