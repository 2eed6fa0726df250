package choose_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
)

const class = "nil-map-write"

// entry is a model: "name parameters" and words for what else is known of it.
func entry(name, parameters string, words ...string) catalog.Entry {
	e := catalog.Entry{Info: llm.Info{Provider: "ollama", Name: name, Parameters: parameters, Capabilities: []string{llm.Completion}}}
	for _, w := range words {
		switch w {
		case "loaded":
			e.Loaded = true
		case "remote":
			e.Remote = true
		case "embedding":
			e.Capabilities = []string{w}
		case "fixes":
			e.Probe = &catalog.Probe{Edits: true, Fixes: true, Speed: 40}
		case "useless":
			e.Probe = &catalog.Probe{}
		case "huge":
			e.Size = 60e9
		}
	}
	return e
}

func prompts(string, llm.Info) []string { return []string{"whole-function", "search-replace"} }

// measured is "model prompt class right/asked".
func measured(lines ...string) choose.Results {
	var r choose.Results
	for _, l := range lines {
		var model, prompt, class, score string
		var right, asked int
		if _, err := fmt.Sscan(l, &model, &prompt, &class, &score); err != nil {
			panic(err)
		}
		if _, err := fmt.Sscanf(score, "%d/%d", &right, &asked); err != nil {
			panic(err)
		}
		r.Add(choose.Key{Model: "ollama/" + model, Prompt: prompt, Class: class}, choose.Tally{Asked: asked, Candidates: right, Verified: right, Right: right})
	}
	return r
}

func TestChoose(t *testing.T) {
	small, middle, large := entry("small:1.5b", "1.5B"), entry("middle:7b", "7.6B"), entry("large:30b", "30.5B")
	for _, c := range []struct {
		name   string
		models []catalog.Entry
		what   choose.Results
		remote bool
		want   string // model, prompt: reason
	}{
		{"nothing measured: the largest", []catalog.Entry{small, large, middle}, measured(), false,
			"large:30b whole-function: largest local model that fits 16 GB, nothing measured yet"},
		{"the only one", []catalog.Entry{small}, measured(), false, "small:1.5b whole-function: the only model there is, nothing measured yet"},
		{"one of one does not beat 41 of 50", []catalog.Entry{large, middle}, measured("large:30b whole-function nil-map-write 1/1", "middle:7b whole-function nil-map-write 41/50"), false,
			"middle:7b whole-function: 41 of 50 right on this class"},
		{"three of three do not either", []catalog.Entry{large, middle}, measured("large:30b whole-function nil-map-write 3/3", "middle:7b whole-function nil-map-write 41/50"), false,
			"middle:7b whole-function: 41 of 50 right on this class"},
		{"forty of forty do", []catalog.Entry{large, middle}, measured("large:30b whole-function nil-map-write 40/40", "middle:7b whole-function nil-map-write 41/50"), false,
			"large:30b whole-function: 40 of 40 right on this class"},
		{"a bad record loses to none", []catalog.Entry{large, middle}, measured("large:30b whole-function nil-map-write 0/8"), false,
			"middle:7b whole-function: the most promising by name and size, nothing measured yet"},
		{"other classes tell something", []catalog.Entry{large, middle}, measured("middle:7b whole-function deadlock 19/20"), false,
			"middle:7b whole-function: 19 of 20 right on other classes"},
		{"the prompt that did better", []catalog.Entry{middle}, measured("middle:7b whole-function nil-map-write 2/20", "middle:7b search-replace nil-map-write 18/20"), false,
			"middle:7b search-replace: 18 of 20 right on this class"},
		{"one that is loaded, of equals", []catalog.Entry{entry("a:7b", "7B"), entry("b:7b", "7B", "loaded")}, measured(), false,
			"b:7b whole-function: largest local model that fits 16 GB, nothing measured yet"},
		{"one that failed the probe", []catalog.Entry{entry("large:30b", "30B", "useless"), middle}, measured(), false,
			"middle:7b whole-function: the most promising by name and size, nothing measured yet"},
		{"one that passed it", []catalog.Entry{entry("a:9b", "9B"), entry("b:7b", "7B", "fixes")}, measured(), false,
			"b:7b whole-function: it fixed the case of the probe, nothing measured yet"},
		{"no embeddings, none that does not fit, none elsewhere", []catalog.Entry{entry("e", "70B", "embedding"), entry("h:100b", "100B", "huge"), entry("r:400b", "400B", "remote"), small}, measured(), false,
			"small:1.5b whole-function: the only model there is, nothing measured yet"},
		{"elsewhere when allowed", []catalog.Entry{entry("r:400b", "400B", "remote"), small}, measured(), true,
			"r:400b whole-function: largest model, nothing measured yet"},
		{"too large, but loaded", []catalog.Entry{entry("h:100b", "100B", "huge", "loaded"), small}, measured(), false,
			"h:100b whole-function: largest local model that fits 16 GB, nothing measured yet"},
		{"made for code", []catalog.Entry{entry("llama3.2:3b", "3.2B"), entry("qwen2.5-coder:3b", "3.1B")}, measured(), false,
			"qwen2.5-coder:3b whole-function: the most promising by name and size, nothing measured yet"},
	} {
		q := choose.Query{Class: class, Models: c.models, Prompts: prompts, Results: c.what, Memory: 16 << 30, Remote: c.remote}
		for range 3 { // the same facts, the same choice
			got, err := choose.Choose(q)
			if words := fmt.Sprintf("%s %s: %s", got.Model.Name, got.Prompt, got.Reason); err != nil || words != c.want {
				t.Errorf("%s:\n got %s, %v\nwant %s", c.name, words, err, c.want)
				for _, r := range choose.Rank(q) {
					t.Logf("  %.3f %s %s", r.Score, r.Model.Name, r.Prompt)
				}
				break
			}
		}
	}
}

func TestChoosePromptOnly(t *testing.T) {
	q := choose.Query{Class: class, Models: []catalog.Entry{entry("a:7b", "7B"), entry("b:7b", "7B", "remote")}, Prompts: prompts, Model: "ollama/b:7b",
		Results: measured("b:7b search-replace nil-map-write 9/9", "b:7b whole-function nil-map-write 1/9")}
	if got, err := choose.Choose(q); err != nil || got.Model.Name != "b:7b" || got.Prompt != "search-replace" || got.Reason != "9 of 9 right on this class" {
		t.Errorf("chose %+v, %v", got, err)
	}
	q.Prompt = "mine"
	if got, err := choose.Choose(q); err != nil || got.Prompt != "mine" {
		t.Errorf("a prompt of the person's own: %+v, %v", got, err)
	}
}

func TestNone(t *testing.T) {
	for _, c := range []struct {
		name, hint string
		models     []catalog.Entry
		prompts    func(string, llm.Info) []string
	}{
		{"none at all", "a suggestion for 16 GB of memory: qwen2.5-coder:7b", nil, prompts},
		{"only elsewhere", "--allow-remote", []catalog.Entry{entry("r", "70B", "remote")}, prompts},
		{"only too large", "--model ollama/h", []catalog.Entry{entry("h", "70B", "huge")}, prompts},
		{"no prompt", "prompts list", []catalog.Entry{entry("a", "7B")}, func(string, llm.Info) []string { return nil }},
	} {
		_, err := choose.Choose(choose.Query{Class: class, Models: c.models, Prompts: c.prompts, Memory: 16 << 30})
		if !errors.Is(err, choose.ErrNone) || !strings.Contains(advice.Of(err), c.hint) {
			t.Errorf("%s: %v, hint %q; want a hint with %q", c.name, err, advice.Of(err), c.hint)
		}
	}
}

func BenchmarkChoose500(b *testing.B) {
	var models []catalog.Entry
	var results choose.Results
	for i := range 500 {
		models = append(models, entry(fmt.Sprintf("model-%d:%db", i, i%70), fmt.Sprintf("%dB", i%70)))
		results.Add(choose.Key{Model: models[i].ID(), Prompt: "whole-function", Class: class}, choose.Tally{Asked: i % 9, Right: i % 5})
	}
	q := choose.Query{Class: class, Models: models, Prompts: prompts, Results: results, Memory: 16 << 30}
	for b.Loop() {
		if _, err := choose.Choose(q); err != nil {
			b.Fatal(err)
		}
	}
}
