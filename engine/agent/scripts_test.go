package agent

import (
	"context"
	"strings"
	"testing"
	"time"

	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

// A model that only writes text looks around with scripts, and answers.
func TestScriptsLookAroundAndAnswer(t *testing.T) {
	c, _ := paused(t, indexer)
	fenced := func(code string) llm.Answer {
		return llm.Answer{Text: "Let me look.\n```starlark\n" + code + "\n```\n", Tokens: 1}
	}
	model := &script{answers: []llm.Answer{
		fenced("f = frames()[0]\nthink(stop().kind, f.function, eval(\"x.terms\"), locals(), writers(\"terms\"))"),
		fenced("nothing(1)"),
		fenced("print(f.line > 0)\npropose(\"NewIndex forgets it\")"),
		{Text: "NewIndex forgets it.\n```go\nfunc F() {}\n```", Tokens: 1},
	}}
	var steps []string
	got, err := RunScripts(t.Context(), model.ask, question, New(c, redact), Limits{}, func(s Step) { steps = append(steps, s.Call.Name) })
	if err != nil || !strings.HasPrefix(got.Answer.Text, "NewIndex forgets it.") || got.Answer.Tokens != 4 || len(model.sent) != 4 {
		t.Fatalf("%v, %+v", err, got)
	}
	if first := model.sent[1][len(model.sent[1])-1].Text; !strings.Contains(first, "nil map[string][]int") || !strings.Contains(first, "x.terms[term]") {
		t.Errorf("the first script gave %s", first)
	}
	if second := model.sent[2][len(model.sent[2])-1].Text; !strings.Contains(second, "script:1") || !strings.Contains(second, "undefined: nothing") {
		t.Errorf("the error is %s", second)
	}
	if last := model.sent[3][len(model.sent[3])-1].Text; !strings.Contains(last, "True") || !strings.Contains(last, "Answer now") {
		t.Errorf("the last script gave %s", last)
	}
	if text := strings.Join(steps, " "); text != "stop frames eval locals find writers script script script" && text != "frames stop eval locals writers script script script" {
		t.Errorf("the steps are %s", text)
	}
}

// A person and an agent run the same scripts, one at a time. Fixes that helped are
// looked up by this stop's fingerprint, or another's; hidden values stay hidden.
func TestAScriptOfAPerson(t *testing.T) {
	c, _ := paused(t, indexer)
	tools := New(c, func(text string) string { return strings.ReplaceAll(text, "hunter2", "‹hidden›") })
	tools.Recall(func(_ context.Context, fingerprint string) ([]Past, error) {
		return []Past{{Title: "make the map, " + fingerprint + " hunter2", At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Times: 3, Diff: "+x"}}, nil
	})
	for _, s := range []struct{ code, want, err string }{
		{`print(stop().function, len(frames()) > 0)`, "main.(*Index).Add True", ""},
		{`f = past("abc")[0]` + "\nthink(f.title, f.at, f.times, f.diff)", "make the map, abc ‹hidden›\n2026-01-02\n3\n+x", ""},
		{`propose(past()[0].title)`, "make the map,  ‹hidden›", ""},
		{"\nfail(\"hunter2\")", "", "script:2: fail: ‹hidden›"},
		{`nothing`, "", "undefined: nothing"},
	} {
		got, err := tools.RunScript(t.Context(), s.code, interp.Limits{})
		switch {
		case err != nil && (s.err == "" || !strings.Contains(err.Error(), s.err)):
			t.Errorf("%s fails with %v, want %q", s.code, err, s.err)
		case err == nil && (got != s.want || s.err != ""):
			t.Errorf("%s gives %q, want %q %q", s.code, got, s.want, s.err)
		}
	}
}

// The same lookups cost fewer requests and tokens as one script than as calls of tools
// (docs/prompts.md has the figures).
func TestAScriptSavesRequests(t *testing.T) {
	c, _ := paused(t, indexer)
	lookups := []llm.Call{call(Stack), call(Eval, "expr", "x.terms"), call(Source, "of", "NewIndex"), call(Find, "identifier", "terms"), call(Type, "name", "Index")}
	answer := llm.Answer{Text: "NewIndex forgets it."}
	byCalls := &script{}
	for _, l := range lookups {
		byCalls.answers = append(byCalls.answers, calls(l))
	}
	byCalls.answers = append(byCalls.answers, answer)
	byScript := &script{answers: []llm.Answer{{Text: "```starlark\nfor f in frames():\n    print(f.number, f.function, f.file, f.line)\n" +
		"think(eval(\"x.terms\"), source(\"NewIndex\"), find(\"terms\"), typ(\"Index\"))\n```"}, answer}}
	if got, err := Run(t.Context(), byCalls.ask, question, New(c, redact), Limits{}, nil); err != nil || got.Steps != len(lookups) {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err := RunScripts(t.Context(), byScript.ask, question, New(c, redact), Limits{}, nil); err != nil || got.Steps != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	calls, scripts := read(byCalls), read(byScript)
	t.Logf("calls: %d requests, %d tokens read; a script: %d requests, %d tokens read", len(byCalls.sent), calls, len(byScript.sent), scripts)
	if len(byScript.sent) >= len(byCalls.sent) || scripts >= calls {
		t.Errorf("%d requests and %d tokens against %d and %d", len(byScript.sent), scripts, len(byCalls.sent), calls)
	}
}

// read is how many tokens a model has read in all its requests.
func read(s *script) (tokens int) {
	for _, messages := range s.sent {
		for _, m := range messages {
			tokens += prompts.Tokens(m.Text)
		}
	}
	return tokens
}
