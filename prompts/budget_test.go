package prompts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
)

// crowded is a stop where every section is larger than it may be.
func crowded(t *testing.T) evidence.Case {
	c := long(t)
	c.Intent = strings.Repeat("it should print all of them\n", 300)
	c.Diagnosis.Sentence = strings.Repeat("x is too short, ", 300)
	c.Stop.Panic.Message = strings.Repeat("index out of range\n", 900)
	for range 3 {
		c.Attempts = append(c.Attempts, evidence.Attempt{Title: "t", Diff: strings.Repeat("+a line of it\n", 500), Failure: strings.Repeat("it failed\n", 500)})
	}
	return c
}

// Whatever the model's size, the prompt, the answer, and an answer sent back
// with a complaint fit its context: the server never cuts.
func TestPromptsFitTheContext(t *testing.T) {
	gathered := gather(t, crowded(t), prompts.Options{})
	for _, context := range []int{0, 2048, 4096, 8192, 16384, 131072} {
		for _, family := range []string{"qwen2", "llama2", "new"} {
			m := llm.Info{Name: "m", Family: family, Context: context, Capabilities: []string{llm.Tools}}
			for name, p := range library(t) {
				perToken := prompts.BytesPerToken(m)
				d := prompts.NewDraft(p, m, gathered, perToken)
				limit := context
				if limit == 0 {
					limit = 8192
				}
				// The smallest contexts have no room for a second try.
				tries := 2
				if limit < 4096 {
					tries = 1
				}
				if need := d.Tokens() + tries*prompts.Reserve(p, m) + (tries-1)*200; need > limit {
					t.Errorf("%s, %s of %d: %d tokens of prompt and %d of answers", name, family, context, d.Tokens(), tries*prompts.Reserve(p, m))
				}
				for _, s := range d.Sections {
					if s.Left > 0 && !strings.Contains(s.Text, "left out]") {
						t.Errorf("%s: %s was cut silently", name, s.Key)
					}
					if strings.Contains(s.Text, "```text data\n```") {
						t.Errorf("%s of %d: %s has a fence around nothing:\n%s", name, context, s.Key, s.Text)
					}
				}
			}
		}
	}
}

func TestBytesPerToken(t *testing.T) {
	for _, test := range []struct {
		m    llm.Info
		want float64
	}{
		{llm.Info{Family: "qwen3moe"}, 3.1}, {llm.Info{Family: "llama2"}, 2.5}, {llm.Info{Family: "unheard"}, 3},
		{llm.Info{Name: "gpt-5"}, 3.3}, {llm.Info{Name: "library/Mistral:7b"}, 2.5}, {llm.Info{}, 3},
	} {
		if got := prompts.BytesPerToken(test.m); got != test.want {
			t.Errorf("%+v: %v", test.m, got)
		}
	}
}

// What the server counts corrects the estimate, on the safe side, and is known
// again at the next start.
func TestEstimator(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "tokens.json")
	e := prompts.NewEstimator(file)
	m := llm.Info{Provider: "ollama", Name: "new:7b", Family: "qwen2"}
	observe := func(e *prompts.Estimator, bytes, tokens int) {
		t.Helper()
		if err := e.Observe(m, bytes, tokens); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.BytesPerToken(m); got != 3.1 {
		t.Errorf("before: %v", got)
	}
	observe(e, 10000, 0)    // the server does not say
	observe(e, 10000, 10)   // only what was not in its cache
	observe(e, 10000, 9999) // cannot be
	observe(e, 100, 60)     // the model's own template weighs too much
	if got := e.BytesPerToken(m); got != 3.1 {
		t.Errorf("believed: %v", got)
	}
	observe(e, 10000, 2500)
	observe(e, 10000, 4000)
	observe(e, 10000, 2500)
	if got := fmt.Sprintf("%.3f", e.BytesPerToken(m)); got != "2.375" {
		t.Errorf("observed: %v", got)
	}
	other := prompts.NewEstimator(file)
	if got := fmt.Sprintf("%.3f", other.BytesPerToken(m)); got != "2.375" {
		t.Errorf("after a restart: %v", got)
	}
	for range 8 { // what is old is forgotten
		observe(other, 10000, 2500)
	}
	if got := fmt.Sprintf("%.2f", other.BytesPerToken(m)); got != "3.80" {
		t.Errorf("in the end: %v", got)
	}
	n := llm.Info{Provider: "openai", Name: "x"}
	if err := e.Observe(n, 10000, 3000); err != nil { // does not undo what the other session kept
		t.Fatal(err)
	}
	third := prompts.NewEstimator(file)
	if got := third.BytesPerToken(n); got < 3.1 || got > 3.2 {
		t.Errorf("the second model: %v", got)
	}
	write(t, file, `{"ollama/new:7b":{"ratios":[1e300]}}`)
	if got := prompts.NewEstimator(file).BytesPerToken(m); got != 3.1 {
		t.Errorf("a spoilt file: %v", got)
	}
	write(t, file, `{"oll`)
	if got := prompts.NewEstimator(file).BytesPerToken(m); got != 3.1 {
		t.Errorf("a torn file: %v", got)
	}
	var none *prompts.Estimator
	if err := none.Observe(m, 10000, 3000); err != nil || none.BytesPerToken(m) != 3.1 {
		t.Errorf("none: %v, %v", err, none.BytesPerToken(m))
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("left over: %v, %v", entries, err)
	}
}

func keysOf(d prompts.Draft) []string {
	var keys []string
	for _, s := range d.Sections {
		keys = append(keys, s.Key)
	}
	return keys
}

// What was taken out of a section is counted while the section is sent.
func TestDraftCountsSecrets(t *testing.T) {
	c := long(t)
	c.Stop.Panic.Message = "no such key: AKIAABCDEFGHIJKLMNOP"
	d := prompts.NewDraft(library(t)["whole-function"], llm.Info{}, gather(t, c, prompts.Options{}), 3)
	if d.Redacted != 1 || d.HiddenIn("stop") != 1 || d.HiddenIn("function") != 0 {
		t.Errorf("%d, %+v", d.Redacted, d.Hidden)
	}
	if less := d.Without("stop"); less.Redacted != 0 || len(less.Hidden) != 0 {
		t.Errorf("of a section that is not sent: %+v", less.Hidden)
	}
}

// A draft's sections can be dropped and taken back, and what they leave goes to
// the others; a word on what was expected has a section of its own.
func TestDraft(t *testing.T) {
	gathered := gather(t, crowded(t), prompts.Options{})
	d := prompts.NewDraft(library(t)["whole-function"], llm.Info{Context: 8192}, gathered, 3)
	before := keysOf(d)
	if !slices.Contains(before, "attempts") || d.Budget < 1000 {
		t.Fatalf("%v", d.Sections)
	}
	size := func(d prompts.Draft, key string) int {
		for _, s := range d.Sections {
			if s.Key == key {
				return s.Tokens
			}
		}
		return 0
	}
	less := d.Without("attempts", "intent")
	if slices.Contains(keysOf(less), "attempts") || size(less, "function") <= size(d, "function") || less.Tokens() > d.Tokens()+100 {
		t.Errorf("%v: function of %d, before %d", keysOf(less), size(less, "function"), size(d, "function"))
	}
	if again := less.Without(); !slices.Equal(keysOf(again), before) {
		t.Errorf("taken back: %v, before %v", keysOf(again), before)
	}
	said := less.Expecting("  it prints 9\x1b[31m\nand ends; password := \"hunter2hunter2\"  ")
	if i := slices.Index(keysOf(said), "expected"); i != 1 {
		t.Errorf("%v", keysOf(said))
	}
	messages, err := said.Messages()
	if err != nil || !strings.Contains(messages[1].Text, "## What was expected\nThe developer says: it prints 9\nand ends; password := \"[redacted ") {
		t.Errorf("%v, %v", messages, err)
	}
	if nothing := said.Expecting(" "); slices.Contains(keysOf(nothing), "expected") {
		t.Errorf("%v", keysOf(nothing))
	}
	same := said.Same(gather(t, long(t), prompts.Options{}))
	if !slices.Contains(keysOf(same), "expected") || slices.Contains(keysOf(same), "attempts") {
		t.Errorf("of a later try: %v", keysOf(same))
	}
	if small := prompts.NewDraft(library(t)["minimal"], llm.Info{Context: 8192}, gathered, 3).Expecting("x"); !slices.Equal(keysOf(small), []string{"stop", "expected", "line", "function", "values", "attempts"}) {
		t.Errorf("minimal: %v", keysOf(small))
	}
	if _, err := prompts.NewDraft(prompts.Profile{}, llm.Info{}, gathered, 3).Messages(); err == nil {
		t.Error("an empty profile was rendered")
	}
}
