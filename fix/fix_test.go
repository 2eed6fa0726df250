package fix

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/session/memory"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// shelves panics with a value of its own: the built-in fixer has nothing to
// say about it, so that whatever is proposed comes from the model.
const shelves = `
-- go.mod --
module example.org/shelves

go 1.26
-- main.go --
package main

import "fmt"

// shelf returns the shelf of an item.
func shelf(items map[string]int, name string) int {
	n, ok := items[name]
	if !ok {
		panic(fmt.Sprintf("no shelf for %q", name))
	}
	return n
}

func main() {
	items := map[string]int{"bolt": 3, "nut": 4}
	find := shelf // whose signature has to stay
	for _, name := range []string{"bolt", "screw", "nut"} {
		fmt.Println(name, find(items, name))
	}
}
`

const goodAnswer = "The default shelf 0 should have been used for items without one.\n\n" +
	"```go\nfunc shelf(items map[string]int, name string) int {\n\treturn items[name]\n}\n```\n"

var module = testsupport.Module

// asking are the options of a session that asks one scripted model.
func asking(t *testing.T, dir, model string, script ollamatest.Script) options.Session {
	t.Helper()
	return options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{Profiles: []options.Profile{profile(t, model, "scripted:7b", time.Minute, script)}}}
}

// profile asks a model of a server that serves one, and waits so long for each
// part of its answer.
func profile(t *testing.T, model, served string, patience time.Duration, script ollamatest.Script) options.Profile {
	t.Helper()
	server := ollamatest.New(t, ollamatest.Model{Name: served, Script: script})
	provider, err := ollama.New(ollama.Options{Host: server.URL, FirstToken: patience, Stall: patience})
	if err != nil {
		t.Fatal(err)
	}
	return options.Profile{Name: "profile of " + model, Provider: provider, Source: "ollama", Model: model}
}

func TestAModelsGoodAnswerIsProvedAppliedAndJudged(t *testing.T) {
	dir := module(t, shelves)
	opts := asking(t, dir, "scripted:7b", ollamatest.Pieces(goodAnswer, time.Millisecond))
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	opts.Stores.Memory = store
	report, err := Run(context.Background(), opts, Options{Apply: true})
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != Fixed || report.Judged != "fixed" || len(report.Candidates) != 1 {
		t.Fatalf("outcome %s, judged %s, error %v, fixes %+v", report.Outcome, report.Judged, report.Error, report.Candidates)
	}
	c := report.Candidates[0]
	if c.Provider != "ollama" || c.Model != "scripted:7b" || c.Prompt != "whole-function" || !c.Verified {
		t.Errorf("candidate = %+v", c)
	}
	source, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil || strings.Contains(string(source), "panic(") || strings.Contains(string(source), "\"fmt\"") == false {
		t.Errorf("source after the fix:\n%s (%v)", source, err)
	}
	if kept, err := store.List(t.Context()); err != nil || len(kept) != 1 {
		t.Errorf("remembered %d fixes (%v), want the one that helped", len(kept), err)
	}
}

// Each bad answer ends with a message that says what was wrong with it. One session
// asks a profile for each of them.
func TestBadAnswersGiveTheRightMessage(t *testing.T) {
	opts := options.Session{Target: options.Target{Dir: module(t, shelves)}}
	cases := map[string]struct {
		model  string
		script ollamatest.Script
		want   string
	}{
		"unknown model": {"nobody:1b", ollamatest.Answer("x"), "nobody:1b"},
		"HTTP 500":      {"", ollamatest.Fail(500, "the runner has died"), "the runner has died"},
		"stalled":       {"", ollamatest.Stall("func"), "stopped answering"},
		"silent":        {"", ollamatest.Silent(), "stopped answering"},
		"cut":           {"", ollamatest.Cut("```go\nfunc shelf("), "cut off"},
		"late error":    {"", ollamatest.LateError("```go", "out of memory on the GPU"), "out of memory on the GPU"},
		"empty":         {"", ollamatest.Empty(), "answered nothing"},
		"prose":         {"", ollamatest.Answer("You should check the map first."), "no Go code in a fence"},
		"does not parse": {"", ollamatest.Answer("```go\nfunc shelf(items map[string]int, name string) int {\n\treturn items[\n}\n```"),
			"does not parse"},
		"another function": {"", ollamatest.Answer("```go\nfunc drawer(n int) int {\n\treturn n\n}\n```"), "drawer"},
		"elision": {"", ollamatest.Answer("```go\nfunc shelf(items map[string]int, name string) int {\n\t// ... rest unchanged\n\treturn 0\n}\n```"),
			"leaves something out"},
		"50 MB": {"", ollamatest.Huge(50 << 20), "too long"},
	}
	for name, c := range cases {
		served, patience := modelOf(name), time.Minute
		if c.want == "stopped answering" {
			patience = time.Second
		}
		opts.Fixes.Profiles = append(opts.Fixes.Profiles, profile(t, cmp.Or(c.model, served), served, patience, c.script))
	}
	report, err := Run(context.Background(), opts, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != Unverified || len(report.Candidates) != 0 || len(report.Requests) != 1+len(cases) {
		t.Fatalf("outcome %s, fixes %+v, requests %+v; want a request for each profile, and nothing of it", report.Outcome, report.Candidates, report.Requests)
	}
	for name, c := range cases {
		i := slices.IndexFunc(report.Requests, func(r Request) bool { return r.Model == cmp.Or(c.model, modelOf(name)) })
		if i < 0 || !strings.Contains(report.Requests[i].Error, c.want) {
			t.Errorf("%s: requests = %+v; want one whose error says %q", name, report.Requests, c.want)
		}
	}
}

// modelOf names the model that plays a case.
func modelOf(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, " ", "-")) + ":7b"
}

func TestAbsentOllamaLeavesTheBuiltinFixer(t *testing.T) {
	provider, err := ollama.New(ollama.Options{Host: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	opts := options.Session{Target: options.Target{Dir: module(t, shelves)}, Fixes: options.Fixes{Profiles: []options.Profile{{Name: "test", Provider: provider, Source: "ollama", Model: "x"}}}}
	report, err := Run(context.Background(), opts, Options{})
	if err != nil || report.Outcome != Unverified || !strings.Contains(report.Requests[1].Error, "does not answer") || report.Requests[1].Hint == "" {
		t.Errorf("%v %s %+v", err, report.Outcome, report.Requests)
	}
}
