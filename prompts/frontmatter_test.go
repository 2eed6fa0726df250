package prompts_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

const fullProfile = `---
name: ours
description: for our workers
task: fix
format: search-replace
needs: [values, goroutines]
sections: [stop, values, goroutines]
requires:
  capabilities: tools
  parameters: 7B
  context: 16_384
families: [qwen*, "gpt-oss*"]
classes:
  - deadlock
  - "concurrent-*"
options: {temperature: 0.2, max_tokens: 2048, seed: 7, candidates: 3}
---
# System
s
# User
{{range .Sections}}{{.Title}}: {{.Text}}{{if .Left}} ({{.Left}} left out of {{.Budget}}){{end}}
{{end}}{{with .Section "values"}}{{.}}{{end}}{{if .Expected}}{{.Expected}}{{end}}{{.Question}}
`

func TestFrontMatter(t *testing.T) {
	p, err := prompts.Parse("dir/file.md", strings.ReplaceAll(fullProfile, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "ours" || p.Task != prompts.Fix || p.Format != prompts.SearchReplace || p.Description != "for our workers" ||
		!slices.Equal(p.Needs, []string{"values", "goroutines"}) || len(p.Shows) != 3 ||
		!slices.Equal(p.Requires.Capabilities, []string{llm.Tools}) || p.Requires.Parameters != 7 || p.Requires.Context != 16384 ||
		len(p.Families) != 2 || len(p.Classes) != 2 ||
		*p.Options.Temperature != 0.2 || p.Options.MaxTokens != 2048 || p.Options.Seed != 7 || p.Options.Candidates != 3 {
		t.Errorf("%+v", p)
	}
}

// Each mistake is named with its line, its key and what was probably meant, and
// all of them at once.
func TestMistakes(t *testing.T) {
	text := `---
name: "../up"
descr: x
task: fixx
format: function
format: diff
needs: [vlues, stop]
requires:
  capability: [tools]
  parameters: big
  context: 1e9
families: ["qwen["]
classes: [nil-mapwrite, "index-*"]
options:
  temperature: hot
  candidates: 99
  top_k: [1]
---
# User
{{.Sectons}}
{{range .Sections}}{{range $.Sections}}{{range $.Sections}}{{.Text}}{{end}}{{end}}{{end}}
{{.Section "valuse"}}
{{range 1000000000}}x{{end}}
`
	_, err := prompts.Parse("p.md", text)
	var got prompts.Mistakes
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	all := err.Error()
	for _, want := range []string{
		`p.md:2: name: "../up"`,
		`p.md:3: descr: unknown key; did you mean "description"?`,
		`p.md:4: task: no such value "fixx"; did you mean "fix"? (one of fix, explain, ask)`,
		`p.md:6: format: given twice`,
		`p.md:7: needs: no such value "vlues"; did you mean "values"?`,
		`p.md:9: requires.capability: unknown key; did you mean "capabilities"?`,
		`p.md:10: requires.parameters: "big": want a size such as "7B"`,
		`p.md:11: requires.context: "1e9": want a whole number`,
		`p.md:12: families: "qwen[" is not a pattern`,
		`p.md:13: classes: "nil-mapwrite" matches no class; did you mean "nil-map-write"?`,
		`p.md:15: options.temperature: "hot"`,
		`p.md:16: options.candidates: "99": want a whole number from 0 to 16`,
		`p.md:17: options.top_k: unknown key`,
		`p.md:21: range within range within range`,
		`p.md:22: there is no section "valuse"; did you mean "values"?`,
		`p.md:23: range over 1000000000: only .Sections`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not said: %s", want)
		}
	}
	if t.Failed() || len(got) != 16 {
		t.Errorf("%d mistakes:\n%s", len(got), all)
	}
}

func TestMistakesOfTheBody(t *testing.T) {
	for text, want := range map[string]string{
		"---\nname: x\n# User\nu\n":                        "p.md:1: the front matter has no closing",
		"---\nname: x\n---\n\nhello\n":                     "p.md:4: want the lines",
		"---\nname: [\n---\n# User\nu\n":                   "p.md:",
		"---\n- a\n---\n# User\nu\n":                       "p.md:2: want keys",
		"---\ndescription: &a [*a]\n---\n# User\nu\n":      "p.md:2: description: want a single value",
		"# System\ns\n":                                    "p.md:1: the part \"# User\" is missing",
		"# User\na\n# User\nb\n":                           "p.md:3: a second part",
		"x\n# User\nb\n":                                   "p.md:1: nothing may come before",
		"# System\ns\n# User\nline\n{{.Oops}}\n":           "p.md:5: there is no field .Oops; did you mean",
		"# User\n\n{{range .Sections}}{{.Titel}}{{end}}":   "p.md:3: there is no field .Titel; did you mean .Title?",
		"# User\n{{range .Sections}}\n":                    "p.md:",
		"# User\n{{if}}\n":                                 "p.md:2: missing value for if",
		"# User\n{{define \"x\"}}{{end}}\n":                "p.md:",
		"# User\n{{template \"part\" .}}\n":                "p.md:2: template has no use here",
		"# User\n\n{{.Section (.Section \"stopp\")}}\n":    `p.md:3: there is no section "stopp"; did you mean "stop"?`,
		"# User\n{{(index .Sections 9).Text}}\n":           "p.md:2: ",
		"# User\n{{with .Section \"stop\"}}{{.X}}{{end}}":  "p.md:2: ",
		"# User\n{{if eq .Class \"x\"}}{{.Line.X}}{{end}}": "",
	} {
		_, err := prompts.Parse("p.md", text)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A template that writes without end is stopped, not run out of memory.
func TestRenderIsBounded(t *testing.T) {
	p, err := prompts.Parse("p.md", "# User\n{{range .Sections}}{{range $.Sections}}"+strings.Repeat("x", 100_000)+"{{end}}{{end}}")
	if err == nil {
		_, err = prompts.Render(p, gather(t, nilMap(t), prompts.Options{}))
	}
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("%v", err)
	}
}

func TestBillions(t *testing.T) {
	for size, want := range map[string]float64{"7B": 7, "30.5b": 30.5, "500M": 0.5, "8x7B": 56, "235B-A22B": 235, "1T": 1000, "": 0, "B": 0, "7": 0} {
		if got, ok := prompts.Billions(size); got != want || ok != (want > 0) {
			t.Errorf("%q: %v, %v", size, got, ok)
		}
	}
	for name, want := range map[string]float64{"qwen2.5-coder:7b": 7, "gemma3:270m": 0.27, "qwen3-coder:30b-a3b-q4_K_M": 30, "mixtral:8x7b": 56, "gpt-5": 0, "codestral:latest": 0} {
		if got, _ := prompts.Size(llm.Info{Name: name}); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
