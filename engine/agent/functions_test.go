package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/llm"
)

// scriptWords runs a script and returns what it printed, or its error.
func scriptWords(t *testing.T, tools *Tools, code string) string {
	t.Helper()
	got, err := tools.RunScript(t.Context(), code, interp.Limits{})
	if err != nil {
		return "error: " + err.Error()
	}
	return got
}

func TestWhatScriptsCanCall(t *testing.T) {
	c, target := paused(t, indexer)
	c.Stop.Panic.Fingerprint = "f1"
	target.frames[2].Args = nil
	tools := New(c, screen())
	tools.Recall(func(_ context.Context, fingerprint string) ([]Past, error) {
		return []Past{{Title: "of " + fingerprint}}, nil
	})
	for code, want := range map[string]string{
		`print(past(stop().fingerprint)[0].title)`:           "of f1",
		`print(stop().kind, stop().message)`:                 "nil-map-write assignment to entry in nil map",
		`print([f.function for f in frames()])`:              `["main.(*Index).Add", "main.main"]`,
		`print(len(frames(True)), frames(True)[0].function)`: "4 runtime.gopanic",
		`print(callers("NewIndex"))`:                         `["index.go:27: NewIndex().Add(\"go\", 1)"]`,
		`print(writers("Index.terms"))`:                      `["index.go:21: x.terms[term] = append(x.terms[term], doc)"]`,
		`print(type(find("terms")), len(find("terms")))`:     "list 2",
		`print([l for l in find("db")])`:                     `["index.go:8: db    *store.DB", "index.go:16: return &Index{db: store.Open(\"x\")}"]`,
		`print(source("NewIndex"))`:                          "return &Index{db:",
		`print(typ("Index"))`:                                "func (x *Index) Add(term string, doc int)",
		`print(goroutines("chan"))`:                          "2 × waiting, chan receive in main.main",
		`print(locals())`:                                    "{}",
		`print(locals(3))`:                                   "{}",
		`print(eval("x.terms", 3))`:                          "nil map[string][]int",
		`print(writers("NewIndex"))`:                         "[]",
		`locals("two")`:                                      `error: script:1: locals: the argument "frame" must be a whole number`,
		`stop(1)`:                                            "stop takes at most 0 arguments",
		`writers("rm -rf")`:                                  "is no identifier",
		`callers()`:                                          `the argument "function" is missing`,
		`print(eval("os.Exit(1)"))`:                          "error: script:1: eval:",
		`print(find("nowhere"))`:                             `the program's own code does not use "nowhere"`,
		"def f(n):\n    return f(n + 1) if n < 30 else callers(\"Add\")\nprint(f(0))": `["index.go:27: NewIndex().Add(\"go\", 1)"]`,
	} {
		if got := scriptWords(t, tools, code); !strings.Contains(got, want) {
			t.Errorf("%s\ngives %s\nwant %s", code, got, want)
		}
	}
	if want := []string{"1/3 x.terms"}; fmt.Sprint(target.evaluated) != fmt.Sprint(want) {
		t.Errorf("evaluated %q", target.evaluated)
	}
}

// What writes a field is found among all its uses, and what is left out is counted.
func TestWritersAreFoundAmongManyUses(t *testing.T) {
	var b strings.Builder
	b.WriteString("package main\n\ntype bin struct{ n int }\n\nfunc use(int) {}\n\nfunc reads(b *bin) {\n")
	for range 200 {
		b.WriteString("\tuse(b.n)\n")
	}
	b.WriteString("}\n\nfunc writes(b *bin) {\n")
	for i := range 70 {
		fmt.Fprintf(&b, "\tb.n = %d\n", i)
	}
	b.WriteString("\treads(b)\n}\n\nfunc each[T any](xs []T) {}\n\nfunc eaches() {\n\teach[map[string][]int](nil)\n}\n")
	c, _ := paused(t, indexer+"-- bin.go --\n"+b.String())
	tools := New(c, screen())
	for code, want := range map[string]string{
		`l = writers("n"); print(len(l), l[0], l[-1])`:  "61 bin.go:211: b.n = 0 [… 10 more lines]",
		`l = callers("reads"); print(l)`:                `["bin.go:281: reads(b)"]`,
		`l = callers("main.each[...]"); print(l)`:       `["bin.go:287: each[map[string][]int](nil)"]`,
		`l = find("bin.n"); print(len(l), l[0], l[-1])`: "61 bin.go:3: type bin struct{ n int } [… 211 more lines]",
		`l = callers("use"); print(len(l), l[-1])`:      "61 [… 140 more lines]",
	} {
		if got := scriptWords(t, tools, code); got != want {
			t.Errorf("%s\ngives %s\nwant %s", code, got, want)
		}
	}
	got, err := tools.Call(t.Context(), call(Find, "identifier", "n"))
	if err != nil || !strings.Contains(got, "[… 211 more lines]") {
		t.Errorf("find gives %v\n%s", err, got)
	}
}

// Whatever a script looks up goes through the same as the calls of tools.
func TestEveryLookupOfAScriptCanBeChangedAndRefused(t *testing.T) {
	c, _ := paused(t, indexer)
	var seen []string
	refused := ""
	results := map[string]string{}
	tools := New(c, screen())
	tools.Through(func(ctx context.Context, c llm.Call, run func(context.Context, llm.Call) (string, error)) (string, error) {
		seen = append(seen, c.Name)
		if c.Name == refused {
			return "", errors.New("house rules")
		}
		if c.Name == Eval && c.Arguments["expr"] == "password" {
			c.Arguments = map[string]any{"expr": "x.terms"}
		}
		text, err := run(ctx, c)
		if err == nil && strings.Contains(text, "```") {
			t.Errorf("%s is fenced: %s", c.Name, text)
		}
		if other, ok := results[c.Name]; ok && err == nil {
			return other, nil
		}
		return text, err
	})
	all := "stop() or 1\nframes()\nlocals()\neval(\"x\")\ngoroutines(\"\")\nsource(\"NewIndex\")\ntyp(\"Index\")\nfind(\"terms\")\nwriters(\"terms\")\ncallers(\"Add\")\npast()"
	if got := scriptWords(t, tools, all); got != "" {
		t.Fatal(got)
	}
	if text := strings.Join(seen, " "); text != "stop frames locals eval goroutines source type find writers callers past" {
		t.Errorf("seen: %s", text)
	}
	for i, name := range seen {
		refused = name
		if got := scriptWords(t, tools, strings.Split(all, "\n")[i]); !strings.Contains(got, "house rules") {
			t.Errorf("%s was not refused: %s", name, got)
		}
	}
	refused = ""
	results = map[string]string{"locals": `{"x":"hidden"}`, "frames": `[{"number":9}]`, "stop": "nothing", Eval: "other", "writers": "a\nb", Find: "c"}
	for code, want := range map[string]string{
		`print(locals()["x"])`:      "hidden",
		`print(frames()[0].number)`: "9",
		`print(stop())`:             "nothing",
		`print(eval("password"))`:   "other",
		`print(writers("terms"))`:   `["a", "b"]`,
		`print(find("terms"))`:      `["c"]`,
	} {
		if got := scriptWords(t, tools, code); got != want {
			t.Errorf("%s gives %s, want %s", code, got, want)
		}
	}
	if got, err := tools.Call(t.Context(), call(Eval, "expr", "x")); err != nil || got != "```text data\nother\n```" {
		t.Errorf("a tool gives %q, %v", got, err)
	}
}

// A model that gives up is not asked for an answer; its reason is kept.
func TestAScriptGivesUp(t *testing.T) {
	c, _ := paused(t, indexer)
	for code, want := range map[string]string{"give_up(\"the map is made by a plugin\")": "the model gave up: the map is made by a plugin", "give_up()": "the model gave up"} {
		model := &script{answers: []llm.Answer{{Text: "```starlark\n" + code + "\n```", Tokens: 3}}}
		got, err := RunScripts(t.Context(), model.ask, question, New(c, screen()), Limits{}, nil)
		if !errors.Is(err, ErrGaveUp) || err.Error() != want || len(model.sent) != 1 || got.Answer.Tokens != 3 {
			t.Errorf("%s: %v after %d requests, %+v", code, err, len(model.sent), got)
		}
	}
}

// An endless script is ended by its steps, and one that waits by its time.
func TestScriptsEnd(t *testing.T) {
	c, _ := paused(t, indexer)
	if got := scriptWords(t, New(c, screen()), "while True: pass"); !strings.Contains(got, "too many steps") {
		t.Error(got)
	}
	slow := New(c, screen())
	slow.Through(func(ctx context.Context, _ llm.Call, _ func(context.Context, llm.Call) (string, error)) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	})
	_, err := slow.RunScript(t.Context(), "stop()", interp.Limits{Time: 50 * time.Millisecond})
	if !errors.Is(err, interp.ErrEnded) {
		t.Errorf("a script that waits ends with %v", err)
	}
}
