package runner

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// seeker is a model that knows what to look up, and that knows the fix only when it
// was given the decisive text. It looks up the same with calls of tools, one a
// request, and with a script, as the profile allows.
type seeker struct {
	info     llm.Info
	calls    []llm.Call
	script   string
	decisive string
	right    string

	prompt    string // the first request
	sent, got int    // tokens
}

// goroutine is what differs from run to run in a prompt: which goroutine a test has.
var goroutine = regexp.MustCompile(`goroutine \d+`)

// Info implements llm.Model.
func (m *seeker) Info() llm.Info { return m.info }

// Complete implements llm.Model.
func (m *seeker) Complete(_ context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	sent := testsupport.JSON(r.Tools)
	turns, knows := 0, false
	for i, message := range r.Messages {
		sent += message.Text + testsupport.JSON(message.Calls)
		if message.Role == "assistant" {
			turns++
		}
		if i < 2 {
			continue // the profile's text, and the sections
		}
		knows = knows || message.Role != "assistant" && strings.Contains(message.Text, m.decisive)
	}
	if m.prompt == "" {
		m.prompt = sent
	}
	answer := llm.Answer{Text: "I cannot tell what is wrong.", Took: time.Millisecond}
	switch {
	case turns < len(m.calls) && len(r.Tools) > 0:
		answer = llm.Answer{Calls: m.calls[turns : turns+1]}
	case turns == 0 && strings.Contains(sent, "```starlark"):
		answer = llm.Answer{Text: "```starlark\n" + m.script + "\n```"}
	case knows:
		answer.Text = m.right
	}
	sent = goroutine.ReplaceAllString(sent, "goroutine 1")
	answer.PromptTokens, answer.Tokens = prompts.Tokens(sent), prompts.Tokens(answer.Text+testsupport.JSON(answer.Calls))
	m.sent, m.got = m.sent+answer.PromptTokens, m.got+answer.Tokens
	if onText != nil {
		onText(answer.Text)
	}
	return answer, nil
}

// sought are open cases whose fault is elsewhere, and what is looked up in each. The
// decisive text is in no prompt: what a form is whose fields are missing, the wait that
// New should have set, a hook that is set.
var sought = []struct {
	name     string
	calls    []llm.Call
	script   string
	decisive string
}{
	{"nil-dereference-form-check", []llm.Call{look("eval", "expr", "e"), look("source", "of", "validate"), look("type", "name", "form")},
		`think(eval("e"), source("validate"), typ("form"))`, "type form map[string]string"},
	{"nil-dereference-mail-queue", []llm.Call{look("eval", "expr", "q.backoff"), look("source", "of", "New"), look("source", "of", "Doubling")},
		`think(eval("q.backoff"), source("New"), source("Doubling"))`, "1 << (try - 1)"},
	{"nil-dereference-retry-hooks", []llm.Call{look("eval", "expr", "r.opts.OnGiveUp"), look("source", "of", "New"), look("find", "identifier", "OnGiveUp")},
		`think(eval("r.opts.OnGiveUp"), source("New"), find("OnGiveUp"))`, "givenUp = errors.Is(err, errFlaky)"},
}

func look(tool, key string, value any) llm.Call {
	return llm.Call{ID: "1", Name: tool, Arguments: map[string]any{key: value}}
}

// figures are what a profile took for all cases.
type figures struct{ right, lookups, requests, sent, answered int }

// lookupProfiles are those that are compared; the first lets nothing be looked up.
var lookupProfiles = []string{"whole-function", "investigate", "investigate-code"}

// A model that is right only by what it looks up is as often right with scripts as
// with calls of tools, in fewer requests and tokens. docs/prompts.md has the figures;
// TestAScriptSavesRequests in engine/agent is the same in brief.
func TestScriptsAgainstCalls(t *testing.T) {
	testsupport.Slow(t)
	total := map[string]figures{}
	for _, s := range sought {
		c := openCase(t, s.name)
		right, err := c.Strong()
		if err != nil {
			t.Fatal(err)
		}
		for _, profile := range lookupProfiles {
			m := &seeker{calls: s.calls, script: s.script, decisive: s.decisive, right: right.Text,
				info: llm.Info{Provider: "test", Name: "seeker", Family: "qwen2", Parameters: "32B", Context: 32768, Capabilities: []string{llm.Completion, llm.Tools}}}
			keep := t.TempDir()
			result := measure(t, c, m, profile, keep)
			if strings.Contains(m.prompt, s.decisive) {
				t.Errorf("%s, %s: the decisive text is in the prompt", s.name, profile)
			}
			sum := total[profile]
			if result.Flags.Is(matrix.OwnRight) {
				sum.right++
			}
			sum.lookups += lookedUp(t, keep)
			total[profile] = figures{sum.right, sum.lookups, sum.requests + result.Requests, sum.sent + m.sent, sum.answered + m.got}
		}
	}
	none, calls, scripts := total["whole-function"], total["investigate"], total["investigate-code"]
	if none.right != 0 || none.lookups != 0 || calls.right != len(sought) || scripts.right != len(sought) || calls.lookups != scripts.lookups {
		t.Errorf("right, lookups: %+v without, %+v with calls, %+v with scripts", none, calls, scripts)
	}
	if scripts.requests >= calls.requests || scripts.sent >= calls.sent || scripts.answered >= calls.answered {
		t.Errorf("scripts take %+v, calls %+v", scripts, calls)
	}
	table := "| profile | right fixes | lookups | requests | tokens sent | tokens answered |\n| --- | --- | --- | --- | --- | --- |\n"
	for _, profile := range lookupProfiles {
		f := total[profile]
		table += fmt.Sprintf("| `%s` | %d of %d | %d | %d | %d | %d |\n", profile, f.right, len(sought), f.lookups, f.requests, f.sent, f.answered)
	}
	if !strings.Contains(testsupport.Read(t, filepath.Join("..", "..", "docs", "prompts.md")), table) {
		t.Errorf("the table of docs/prompts.md is stale: now it is\n%s", table)
	}
}

// openCase is one of the built-in cases, which has to be an open one.
func openCase(t *testing.T, name string) *bench.Case {
	t.Helper()
	text, err := fs.ReadFile(bench.Corpus(), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	c, err := bench.Parse(name+".txtar", text)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Open() {
		t.Fatal(name, "is a closed case")
	}
	return c
}

// measure runs a case with a profile.
func measure(t *testing.T, c *bench.Case, m *seeker, profile, keep string) matrix.Result {
	t.Helper()
	plan, err := matrix.NewPlan([]matrix.Column{{Model: m.info.ID(), Info: m.info, Prompt: profile}}, []matrix.Case{{Name: c.Name, Hash: "h", Class: c.Class, Fixable: true}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	store, err := matrix.Create(t.TempDir(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var result matrix.Result
	left, err := Run(t.Context(), Options{Store: store, Cases: map[string]*bench.Case{c.Name: c}, Models: map[string]Model{m.info.ID(): {Lanes: []Lane{{Name: "test", Model: m}}}},
		Jobs: 1, Limit: 5 * time.Minute, Keep: keep, Report: func(p Progress) { result = p.Result }})
	if err != nil || left != 0 {
		t.Fatal(left, err)
	}
	return result
}

// lookedUp counts what the model looked at, as the log says.
func lookedUp(t *testing.T, keep string) (n int) {
	t.Helper()
	journals, err := filepath.Glob(filepath.Join(keep, "*", "log", "*.jsonl"))
	if err != nil || len(journals) != 1 {
		t.Fatal(journals, err)
	}
	events, err := session.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if p, ok := e.Body.(*session.Probed); ok && p.Tool != "script" {
			n++
		}
	}
	return n
}
