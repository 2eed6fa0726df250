package agent

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/llm"
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
