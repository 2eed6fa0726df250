package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// shelfBlock is a search/replace block for the line of shelf that panics.
func shelfBlock(file, search, replace string) string {
	return "It is fixed.\n\n" + file + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n"
}

const panicLine = "\t\tpanic(fmt.Sprintf(\"no shelf for %q\", name))"

// What becomes of a model's first and second reply, by what kind of model it is. One
// session asks them all.
func TestRepliesEndAsTheyShould(t *testing.T) {
	t.Parallel()
	fixed := shelfBlock("main.go", panicLine, "\t\treturn 9")
	cases := map[string]struct {
		prompt  string
		answers []string
		asked   int
		says    string // in the second request
		err     string // of the answer; empty for a candidate
	}{
		"strong":          {"whole-function", []string{shelfOf("return 9")}, 1, "", ""},
		"strong, blocks":  {"search-replace", []string{fixed}, 1, "", ""},
		"sloppy":          {"whole-function", []string{shelfOf("// ... existing code ...\n\treturn 9"), shelfOf("return 9")}, 2, "Write every line of the function out", ""},
		"sloppy, a diff":  {"whole-function", []string{"```diff\n@@ -1,1 +1,1 @@\n-a\n+b\n```", "<think>\nhm\n</think>\n" + shelfOf("return 9")}, 2, "Do not give a diff", ""},
		"sloppy, blocks":  {"search-replace", []string{shelfBlock("main.go", "panic(\"no shelf\")", "return 9"), fixed}, 2, "Copy whole lines of the file", ""},
		"hostile, a path": {"search-replace", []string{shelfBlock("../../outside.go", panicLine, "\t\treturn 9")}, 2, "the file may not be changed", "the file may not be changed: line 4: ../../outside.go"},
		"hostile, a command": {"whole-function", []string{"Run this:\n```sh\nrm -rf /\n```\n", `<tool_call>{"name":"bash","arguments":{"command":"rm -rf /"}}</tool_call>`}, 2,
			"no Go code", "asked twice, the reply cannot be used: the reply has no Go code"},
		"hostile, without end": {"whole-function", []string{shelfOf(strings.Repeat("println(1)\n\t", 100_000) + "return 9")}, 2, "too long", "too long"},
		"hostile, a secret":    {"whole-function", []string{shelfOf("println(\"[redacted abcdef]\")\n\treturn 9")}, 2, "Leave lines with [redacted", "redacted"},
	}
	opts := options.Session{Target: options.Target{Dir: module(t, shelves)}, Fixes: options.Fixes{AskAtOnce: true, MaxRounds: -1}}
	models := map[string]*scripted{}
	for name, test := range cases {
		models[name] = &scripted{name: name, answers: test.answers}
		opts.Fixes.Profiles = append(opts.Fixes.Profiles, options.Profile{Name: name, Provider: models[name], Model: name, Prompt: test.prompt})
	}
	p := play(t, opts)
	s := p.until("each model's answer is judged", func(s session.State) bool { return len(modelsAnswered(s)) == len(cases) })
	for name, test := range cases {
		a, asked := modelsAnswered(s)[name], models[name].prompts()
		if len(asked) != test.asked || test.asked > 1 && !strings.Contains(asked[1], test.says) {
			t.Errorf("%s: asked %d times, the last:\n%s", name, len(asked), asked[len(asked)-1])
		}
		if (a.Err == "") != (test.err == "") || !strings.Contains(a.Err, test.err) || (a.Candidates == 1) != (test.err == "") {
			t.Errorf("%s: %d fixes, %q; want %q", name, a.Candidates, a.Err, test.err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(opts.Target.Dir, "main.go")); err != nil || !strings.Contains(string(text), "no shelf for") {
		t.Errorf("the source was written: %s, %v", text, err)
	}
}

// modelsAnswered are the answers to the requests of models, by their names.
func modelsAnswered(s session.State) map[string]*session.Answered {
	answers := map[string]*session.Answered{}
	for _, r := range s.Requests {
		if r.Asked.Source.Prompt != "" && r.Answered != nil {
			answers[r.Asked.Source.Model] = r.Answered
		}
	}
	return answers
}
