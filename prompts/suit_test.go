package prompts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
)

var (
	tiny    = llm.Info{Name: "gemma3:1b", Family: "gemma3", Parameters: "999.89M", Context: 32768, Capabilities: []string{llm.Completion}}
	middle  = llm.Info{Name: "qwen2.5-coder:7b", Family: "qwen2", Parameters: "7.6B", Context: 32768, Capabilities: []string{llm.Completion, llm.Tools}}
	large   = llm.Info{Name: "qwen3-coder:30b", Family: "qwen3moe", Parameters: "30.5B", Context: 262144, Capabilities: []string{llm.Completion, llm.Tools}}
	unknown = llm.Info{Provider: "openai", Name: "somewhere", Remote: true}
)

func library(t *testing.T) prompts.Library {
	t.Helper()
	l, err := prompts.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// long is a stop in a function that is too long to be written again.
func long(t *testing.T) evidence.Case {
	body := strings.Repeat("\tprintln(\"a line among many others\")\n", 900)
	w := project(t, map[string]string{"go.mod": "module m\n", "m.go": "package m\n\nfunc f(x []int) {\n" + body + "\tprintln(x[9])\n}\n"})
	return evidence.Case{Workspace: w, Stop: debugger.Stop{Panic: &debugger.Panic{Class: debugger.IndexOutOfRange, Message: "index out of range"},
		Frames: []debugger.Frame{{Function: "m.f", User: true, File: w.Abs("m.go"), Line: 904, Loaded: true}}}}
}

func fitting(t *testing.T, task prompts.Task, class string, m llm.Info, c prompts.Context) (names string, refused []prompts.Refusal) {
	t.Helper()
	fit, refused := library(t).Suitable(task, class, m, c)
	var list []string
	for _, p := range fit {
		list = append(list, p.Name)
	}
	return strings.Join(list, " "), refused
}

// What is tried, in which order, and why the others are not.
func TestSuitable(t *testing.T) {
	none := prompts.Context{}
	index := gather(t, nilMap(t), prompts.Options{})
	stuck := gather(t, deadlock(t), prompts.Options{})
	blind := deadlock(t)
	blind.Inspect = nil
	long := gather(t, long(t), prompts.Options{})
	for name, test := range map[string]struct {
		task    prompts.Task
		class   string
		model   llm.Info
		context prompts.Context
		want    string
		refused string
	}{
		"tiny":         {prompts.Fix, "nil-map-write", tiny, index, "minimal", "whole-function: wants at least 3B parameters, the model has 0.99989B"},
		"middle":       {prompts.Fix, "nil-map-write", middle, index, "whole-function minimal search-replace", "investigate: wants at least 14B"},
		"large":        {prompts.Fix, "nil-map-write", large, index, "investigate whole-function minimal search-replace", "concurrency: is for deadlock, concurrent-map, not for nil-map-write"},
		"hosted":       {prompts.Fix, "nil-map-write", unknown, index, "whole-function minimal search-replace", "investigate: tools missing"},
		"deadlock":     {prompts.Fix, "deadlock", middle, stuck, "concurrency whole-function minimal search-replace", "test-failure: is for test-failure"},
		"not gathered": {prompts.Fix, "deadlock", middle, gather(t, blind, prompts.Options{}), "whole-function minimal search-replace", "concurrency: needs goroutines: none gathered"},
		"before":       {prompts.Fix, "deadlock", middle, none, "concurrency whole-function minimal search-replace", "investigate: wants at least 14B"},
		"test":         {prompts.Fix, "test-failure", large, index, "test-failure investigate whole-function minimal search-replace", "concurrency: is for"},
		"long":         {prompts.Fix, "index-out-of-range", middle, long, "search-replace", "whole-function: asks for whole functions: this one takes about"},
		"short":        {prompts.Fix, "nil-map-write", llm.Info{Name: "x", Context: 2048, Parameters: "7B"}, index, "whole-function minimal search-replace", "investigate: tools missing"},
		"explain":      {prompts.Explain, "nil-map-write", tiny, index, "explain", ""},
		"ask":          {prompts.Ask, "", tiny, none, "ask", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, refused := fitting(t, test.task, test.class, test.model, test.context)
			all := ""
			for _, r := range refused {
				all += r.String() + "\n"
			}
			if got != test.want || !strings.Contains(all, test.refused) {
				t.Errorf("%s, want %s; refused:\n%s", got, test.want, all)
			}
		})
	}
}

// The person's own profile goes before an embedded one that asks for as much;
// one for the class, or for the model's family, goes first.
func TestOwnProfilesGoFirst(t *testing.T) {
	dir := t.TempDir()
	for name, head := range map[string]string{"own": "needs: stop", "mine": "families: qwen*", "panics": "classes: nil-*"} {
		write(t, filepath.Join(dir, name+".md"), "---\nrequires: {parameters: 3B}\n"+head+"\n---\n# User\nu\n")
	}
	l, errs := prompts.Scan(prompts.Dir{Path: dir, From: prompts.FromUser})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	fit, _ := l.Suitable(prompts.Fix, "nil-map-write", middle, prompts.Context{})
	var got []string
	for _, p := range fit {
		got = append(got, p.Name)
	}
	if all := strings.Join(got, " "); all != "panics mine own whole-function minimal search-replace" {
		t.Errorf("%s", all)
	}
}
