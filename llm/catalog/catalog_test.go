package catalog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

// provider has a list, and descriptions that it counts.
type provider struct {
	models    []llm.Info
	err       error
	hang      bool
	described atomic.Int64
}

func (p *provider) Models(ctx context.Context) ([]llm.Info, error) {
	if p.hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return slices.Clone(p.models), p.err
}

func (p *provider) Open(context.Context, string) (llm.Model, error) { return nil, llm.ErrUnknownModel }

func (p *provider) Describe(_ context.Context, name string) (llm.Info, error) {
	p.described.Add(1)
	return llm.Info{Name: name, Context: 32768, Capabilities: []string{llm.Completion, llm.Tools}}, nil
}

func model(name, digest string) llm.Info {
	return llm.Info{Provider: "ollama", Name: name, Digest: digest, Size: 4e9}
}

func sources(p llm.Provider) []catalog.Source {
	return []catalog.Source{{Name: "ollama", Provider: p}}
}

func names(c catalog.Catalog) string {
	var list []string
	for _, e := range c.Models() {
		list = append(list, e.ID())
	}
	return strings.Join(list, " ")
}

func TestExamine(t *testing.T) {
	p := &provider{models: []llm.Info{model("b:7b", "1"), model("a:1b", "2"), model("bad\x1b[31m", "3"), {Provider: "ollama"}}}
	first := catalog.Examine(t.Context(), sources(p), catalog.Catalog{}, now)
	if got := names(first); got != "ollama/a:1b ollama/b:7b" {
		t.Errorf("models %q", got)
	}
	if e, ok := first.Find("ollama/b:7b"); !ok || e.Context != 32768 || !slices.Contains(e.Capabilities, llm.Tools) {
		t.Errorf("found %+v, %v", e, ok)
	}
	if !first.At.Equal(noon) || !first.Answered("ollama") || first.Answered("openai") {
		t.Errorf("at %v, listings %+v", first.At, first.Listings)
	}

	// What is known of a digest is not asked again; what changed under its name is.
	p.models = []llm.Info{model("b:7b", "1"), model("a:1b", "changed")}
	p.described.Store(0)
	second := catalog.Examine(t.Context(), sources(p), first, now)
	if n := p.described.Load(); n != 1 {
		t.Errorf("%d models were described again, want 1", n)
	}
	if e, _ := second.Find("ollama/b:7b"); e.Context != 32768 {
		t.Errorf("what was known is lost: %+v", e)
	}

	p.models = p.models[:1]
	third := catalog.Examine(t.Context(), sources(p), second, now)
	if got := names(third); got != "ollama/b:7b" {
		t.Errorf("a deleted model is still there: %q", got)
	}
}

func TestExamineSilent(t *testing.T) {
	p := &provider{models: []llm.Info{model("a:1b", "1")}}
	before := catalog.Examine(t.Context(), sources(p), catalog.Catalog{}, now)
	p.err = llm.ErrUnavailable
	c := catalog.Examine(t.Context(), sources(p), before, now)
	if names(c) != "" || c.Answered("ollama") || len(c.Silent()) != 1 || len(c.Silent()[0].Models) != 1 {
		t.Errorf("of a silent provider: %+v", c)
	}
	if _, ok := c.Find("ollama/a:1b"); ok {
		t.Error("a model of a silent provider is found")
	}
	p.err, p.hang = nil, true
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	c = catalog.Examine(ctx, sources(p), before, now)
	if s := c.Silent(); len(s) != 1 || !strings.Contains(s[0].Err, "took too long") {
		t.Errorf("of a provider that hangs: %+v", c.Listings)
	}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pausetui", "catalog.json")
	if c, err := catalog.Load(path); err != nil || len(c.Listings) != 0 {
		t.Fatalf("a catalog that is not there: %+v, %v", c, err)
	}
	p := &provider{models: []llm.Info{model("a:1b", "1")}}
	c := catalog.Examine(t.Context(), sources(p), catalog.Catalog{}, now)
	mine := c.WithProbe(model("a:1b", "1"), catalog.Probe{At: noon, Fixes: true, Edits: true})
	if _, err := catalog.Save(path, mine); err != nil {
		t.Fatal(err)
	}
	// Another process knew nothing of that probe.
	other, err := catalog.Save(path, c.WithProbe(model("b:7b", "2"), catalog.Probe{At: noon}))
	if err != nil || len(other.Probes) != 2 {
		t.Fatalf("probes of two processes: %+v, %v", other.Probes, err)
	}
	kept, err := catalog.Load(path)
	if err != nil || !kept.At.Equal(noon) {
		t.Fatalf("loaded %+v, %v", kept, err)
	}
	if e, ok := kept.Find("ollama/a:1b"); !ok || e.Probe == nil || !e.Probe.Fixes {
		t.Errorf("found %+v, %v", e, ok)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("{torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := catalog.Load(path); err == nil || len(c.Listings) != 0 {
		t.Errorf("a torn catalog: %+v, %v", c, err)
	}
	if _, err := catalog.Save(path, c); err != nil {
		t.Errorf("a torn catalog is in the way: %v", err)
	}
}

func TestProbesAreKeptByDigest(t *testing.T) {
	p := &provider{models: []llm.Info{model("a:1b", "1")}}
	c := catalog.Examine(t.Context(), sources(p), catalog.Catalog{}, now).WithProbe(model("a:1b", "1"), catalog.Probe{At: noon})
	if e, _ := c.Find("ollama/a:1b"); e.Probe == nil {
		t.Fatal("the probe is lost")
	}
	p.models[0].Digest = "2"
	c = catalog.Examine(t.Context(), sources(p), c, now)
	if e, _ := c.Find("ollama/a:1b"); e.Probe != nil {
		t.Error("a model that changed has the probe of the one before")
	}
}

func TestNearest(t *testing.T) {
	var models []llm.Info
	for _, n := range []string{"qwen2.5-coder:7b", "qwen2.5-coder:14b", "llama3.2:3b", "nomic-embed-text:latest"} {
		models = append(models, model(n, n))
	}
	models[3].Capabilities = []string{"embedding"}
	c := catalog.Examine(t.Context(), sources(&provider{models: models}), catalog.Catalog{}, now)
	for id, want := range map[string]string{
		"ollama/qwen2.5-coder:8b":   "ollama/qwen2.5-coder:7b",
		"ollama/qwen2.5-coder:15b":  "ollama/qwen2.5-coder:14b",
		"ollama/qwen3-coder:14b":    "ollama/qwen2.5-coder:14b",
		"ollama/llama3.3:70b":       "ollama/llama3.2:3b",
		"ollama/zephyr:7b":          "",
		"ollama/nomic-embed-text:x": "",
	} {
		if got := c.Nearest(id); got != want {
			t.Errorf("nearest to %s is %q, want %q", id, got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	for memory, want := range map[uint64]string{
		0: "", 2 << 30: "", 4 << 30: "qwen2.5-coder:1.5b", 8 << 30: "qwen2.5-coder:3b", 16 << 30: "qwen2.5-coder:7b",
		16337 << 20: "qwen2.5-coder:7b", 24 << 30: "qwen2.5-coder:14b", 32 << 30: "qwen3-coder:30b", 128 << 30: "qwen3-coder:30b",
	} {
		s, ok := catalog.Suggest(memory)
		if s.Model != want || ok != (want != "") {
			t.Errorf("Suggest(%d GiB) = %q", memory>>30, s.Model)
		}
		if ok && !catalog.Fits(s.Size, memory) {
			t.Errorf("%s is suggested for %d GiB and does not fit", s.Model, memory>>30)
		}
	}
	if s, _ := catalog.Suggest(16337 << 20); !strings.HasPrefix(s.Words(16337<<20), "a suggestion for 16 GB of memory: qwen2.5-coder:7b (4.7 GB): ") {
		t.Errorf("words %q", s.Words(16337<<20))
	}
	if catalog.Memory() == 0 {
		t.Log("the memory of this machine is not known")
	}
}

// scripted answers one after the other.
type scripted struct {
	info    llm.Info
	answers []llm.Answer
	errs    []error
	asked   []llm.Request
}

func (m *scripted) Info() llm.Info { return m.info }

func (m *scripted) Complete(_ context.Context, r llm.Request, _ func(string)) (llm.Answer, error) {
	i := len(m.asked)
	m.asked = append(m.asked, r)
	var err error
	if i < len(m.errs) {
		err = m.errs[i]
	}
	return m.answers[min(i, len(m.answers)-1)], err
}

const (
	right   = "The map is nil; NewCounter should make it.\n\n```go\nfunc NewCounter() *Counter {\n\treturn &Counter{seen: map[string]int{}}\n}\n```\n"
	lazily  = "Make it at first use.\n```go\nfunc (c *Counter) Add(word string) {\n\tif c.seen == nil {\n\t\tc.seen = make(map[string]int)\n\t}\n\tc.seen[word]++\n}\n```"
	masking = "A check.\n```go\nfunc (c *Counter) Add(word string) {\n\tif c.seen == nil {\n\t\treturn\n\t}\n\tc.seen[word]++\n}\n```"
	broken  = "Make it.\n```go\nfunc NewCounter() *Counter {\n\treturn &Counter{words: map[string]int{}}\n}\n```"
	elided  = "Make it.\n```go\nfunc NewCounter() *Counter {\n\t// ... rest unchanged\n}\n```"
)

func TestTry(t *testing.T) {
	call := llm.Answer{Calls: []llm.Call{{Name: "eval", Arguments: map[string]any{"expression": "len(words)"}}}}
	tools := []string{llm.Completion, llm.Tools}
	for _, c := range []struct {
		name    string
		caps    []string
		answers []llm.Answer
		want    string
		trouble string
	}{
		{"strong", tools, []llm.Answer{{Text: right, Tokens: 43, Took: 2 * time.Second, FirstToken: time.Second}, call}, "fixes the case · calls tools · 42 tok/s", ""},
		{"at first use", nil, []llm.Answer{{Text: lazily}, call}, "fixes the case · calls tools", ""},
		{"masks", tools, []llm.Answer{{Text: masking}, {Text: "len(words) is 3"}}, "edits, but not rightly · calls no tools", "the map is still never made"},
		{"does not compile", tools, []llm.Answer{{Text: broken}, {Calls: []llm.Call{{Name: "rm"}}}}, "edits, but not rightly · calls no tools", "does not compile"},
		{"elides", []string{llm.Completion}, []llm.Answer{{Text: elided, Tokens: 9, Took: 2 * time.Second}}, "does not follow the edit format · calls no tools · 4.0 tok/s", "leaves something out"},
		{"prose", tools, []llm.Answer{{Text: "You should initialize the map."}, {Calls: []llm.Call{{Name: "eval"}}}}, "does not follow the edit format · calls no tools", "no Go code"},
	} {
		m := &scripted{info: llm.Info{Provider: "x", Name: "m", Capabilities: c.caps}, answers: c.answers}
		p, err := catalog.Try(t.Context(), m, now)
		if err != nil || p.Words() != c.want || !strings.Contains(p.Trouble, c.trouble) || p.At != noon {
			t.Errorf("%s: %q, trouble %q, error %v; want %q", c.name, p.Words(), p.Trouble, err, c.want)
		}
		if p.Calls == (p.CallTrouble != "") {
			t.Errorf("%s: calls %v, trouble %q", c.name, p.Calls, p.CallTrouble)
		}
		if want := 2 - btoi(len(c.caps) == 1); len(m.asked) != want {
			t.Errorf("%s: asked %d times, want %d", c.name, len(m.asked), want)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestTryFails(t *testing.T) {
	for _, sentinel := range []error{llm.ErrUnavailable, llm.ErrServer, llm.ErrBusy, llm.ErrUnauthorized} {
		m := &scripted{answers: make([]llm.Answer, 2), errs: []error{fmt.Errorf("ask: %w", sentinel)}}
		if _, err := catalog.Try(t.Context(), m, now); err == nil {
			t.Errorf("%v says nothing of the model, and is kept", sentinel)
		}
	}
	m := &scripted{answers: make([]llm.Answer, 2), errs: []error{llm.ErrEmpty, llm.ErrCut}}
	p, err := catalog.Try(t.Context(), m, now)
	if err != nil || p.Edits || p.Trouble == "" || p.CallTrouble == "" {
		t.Errorf("of a model that answers nothing: %+v, %v", p, err)
	}
}
