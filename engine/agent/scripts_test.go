package agent

import (
	"context"
	"strings"
	"testing"
	"time"

	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/internal/testsupport"
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
	got, err := RunScripts(t.Context(), model.ask, question, New(c, screen()), Limits{}, func(s Step) { steps = append(steps, s.Call.Name) })
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

// hunter hides one word.
type hunter struct{}

func (hunter) Plain(text string) string    { return strings.ReplaceAll(text, "hunter2", "‹hidden›") }
func (hunter) Lines(string) map[int]string { return nil }

// A person and an agent run the same scripts, one at a time. Fixes that helped are
// looked up by this stop's fingerprint, or another's; hidden values stay hidden.
func TestAScriptOfAPerson(t *testing.T) {
	c, _ := paused(t, indexer)
	tools := New(c, hunter{})
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

// seeker is a model that looks things up, by calls of tools or with one script, and
// is right only when it was given the decisive text.
type seeker struct {
	calls            []llm.Call
	script, decisive string

	requests, sent, answered int // answered and sent in tokens
}

func (m *seeker) ask(_ context.Context, messages []llm.Message, tools []llm.Tool) (llm.Answer, error) {
	text, turns := testsupport.JSON(tools), 0
	for _, message := range messages {
		text += message.Text + testsupport.JSON(message.Calls)
		if message.Role == "assistant" {
			turns++
		}
	}
	answer := llm.Answer{Text: "I cannot tell."}
	switch {
	case turns < len(m.calls):
		answer = calls(m.calls[turns])
	case turns == 0 && m.script != "":
		answer.Text = "```starlark\n" + m.script + "\n```"
	case strings.Contains(text, m.decisive):
		answer.Text = "NewIndex forgets it."
	}
	m.requests++
	m.sent += prompts.Tokens(text)
	m.answered += prompts.Tokens(answer.Text + testsupport.JSON(answer.Calls))
	return answer, nil
}

// The same lookups cost fewer requests and tokens as one script than as calls of tools,
// and decide the same. TestScriptsAgainstCalls in bench/runner measures it on programs.
func TestAScriptSavesRequests(t *testing.T) {
	c, _ := paused(t, indexer)
	const decisive = `return &Index{db: store.Open("x")}`
	none := &seeker{decisive: decisive}
	byCalls := &seeker{decisive: decisive, calls: []llm.Call{call(Stack), call(Eval, "expr", "x.terms"), call(Source, "of", "NewIndex"), call(Find, "identifier", "terms"), call(Type, "name", "Index")}}
	byScript := &seeker{decisive: decisive, script: "for f in frames():\n    print(f.number, f.function, f.file, f.line)\n" +
		`think(eval("x.terms"), source("NewIndex"), find("terms"), typ("Index"))`}
	for _, tt := range []struct {
		model  *seeker
		run    func(context.Context, Ask, []llm.Message, *Tools, Limits, func(Step)) (Result, error)
		steps  int
		answer string
	}{
		{none, Run, 0, "I cannot tell."}, {byCalls, Run, len(byCalls.calls), "NewIndex forgets it."}, {byScript, RunScripts, 1, "NewIndex forgets it."},
	} {
		if got, err := tt.run(t.Context(), tt.model.ask, question, New(c, screen()), Limits{}, nil); err != nil || got.Steps != tt.steps || got.Answer.Text != tt.answer {
			t.Errorf("%+v, %v; want %q", got, err, tt.answer)
		}
	}
	if byScript.requests >= byCalls.requests || byScript.sent >= byCalls.sent || byScript.answered >= byCalls.answered {
		t.Errorf("a script takes %d requests, %d tokens, %d answered; calls %d, %d, %d",
			byScript.requests, byScript.sent, byScript.answered, byCalls.requests, byCalls.sent, byCalls.answered)
	}
}
