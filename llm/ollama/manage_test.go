package ollama_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/llm/retry"
)

func TestTools(t *testing.T) {
	asked := []ollamatest.Call{{ID: "a", Name: "eval", Arguments: map[string]any{"expr": "idx"}}, {Name: "goroutines"}}
	m, s := open(t, ollama.Options{}, ollamatest.Model{Capabilities: []string{"completion", "tools"}, Script: ollamatest.Turns(
		ollamatest.Steps(ollamatest.Step{Text: "let me look"}, ollamatest.Step{Calls: asked[:1]}, ollamatest.Step{Calls: asked[1:]}),
		ollamatest.Steps(ollamatest.Step{Calls: asked[:1]}), // no text at all
	)})
	r := ask("why?")
	r.Tools = []llm.Tool{{Name: "eval", Description: "evaluates", Parameters: map[string]any{"type": "object", "properties": map[string]any{"expr": map[string]any{"type": "string", "description": "Go"}}, "required": []string{"expr"}}}}
	got, err := m.Complete(t.Context(), r, nil)
	if err != nil || got.Text != "let me look" || len(got.Calls) != 2 || !reflect.DeepEqual(got.Calls[0], llm.Call{ID: "a", Name: "eval", Arguments: map[string]any{"expr": "idx"}}) || got.Calls[1].Name != "goroutines" {
		t.Fatalf("%+v, %v", got, err)
	}
	r.Messages = append(r.Messages, llm.Message{Role: "assistant", Text: got.Text, Calls: got.Calls}, llm.Message{Role: "tool", CallID: "a", Tool: "eval", Text: "<nil>"})
	if got, err := m.Complete(t.Context(), r, nil); err != nil || got.Text != "" || len(got.Calls) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	second := s.Requests()[1]
	if !strings.Contains(second.Body, `"required":["expr"]`) || !strings.Contains(second.Body, `"expr":{"type":"string","description":"Go"}`) {
		t.Errorf("tools %s", second.Body)
	}
	if turn := second.Messages[2]; len(turn.ToolCalls) != 2 || !strings.Contains(second.Body, `"arguments":{"expr":"idx"}`) {
		t.Errorf("calls %s", second.Body)
	}
	if result := second.Messages[3]; result.Role != "tool" || result.ToolName != "eval" || result.ToolCallID != "a" || result.Content != "<nil>" {
		t.Errorf("result %+v", result)
	}
	if first := s.Requests()[0]; len(first.Tools) != 1 || first.Options.NumCtx != 16384 {
		t.Errorf("first %s", first.Body)
	}
}

// A busy server is asked again, after as long as it says.
func TestBusyThenFine(t *testing.T) {
	s := ollamatest.New(t, ollamatest.Model{Name: "m:7b", Script: ollamatest.Turns(ollamatest.Busy(), ollamatest.Limited("0.01"), ollamatest.Steps(ollamatest.Step{Thinking: "hm"}, ollamatest.Step{Cut: true}), ollamatest.Answer("ok"))})
	var waits []retry.Wait
	p := retry.Wrap(provider(t, s.URL, ollama.Options{}), retry.Options{First: time.Millisecond, OnRetry: func(w retry.Wait) { waits = append(waits, w) }})
	m, err := p.Open(t.Context(), "m:7b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Complete(t.Context(), ask("why?"), nil)
	if err != nil || got.Text != "ok" || len(waits) != 3 || waits[1].After < 10*time.Millisecond {
		t.Errorf("%+v, %v, waits %+v", got, err, waits)
	}
}

func TestPull(t *testing.T) {
	s := ollamatest.New(t)
	s.AddPull("new:7b", ollamatest.Pull{Bytes: 1200, Layers: 2})
	p := provider(t, s.URL, ollama.Options{})
	var seen []llm.Progress
	if err := p.Pull(t.Context(), "new:7b", func(now llm.Progress) { seen = append(seen, now) }); err != nil {
		t.Fatal(err)
	}
	last := seen[len(seen)-1]
	if len(seen) < 12 || seen[0].Total != 0 || last != (llm.Progress{Status: "success", Done: 1200, Total: 1200}) {
		t.Errorf("%+v", seen)
	}
	for i := 1; i < len(seen); i++ {
		if seen[i].Done < seen[i-1].Done {
			t.Errorf("goes back: %+v", seen[i-1:i+1])
		}
	}
	if _, err := p.Open(t.Context(), "new:7b"); err != nil {
		t.Errorf("pulled, but %v", err)
	}
}

// A pull that is cut off goes on where it was.
func TestPullResumes(t *testing.T) {
	s := ollamatest.New(t)
	s.AddPull("new", ollamatest.Pull{Bytes: 2000, Layers: 2, Cuts: []int{3, 7}})
	p := provider(t, s.URL, ollama.Options{})
	var first, second []llm.Progress
	err := p.Pull(t.Context(), "new", func(now llm.Progress) { first = append(first, now) })
	if !errors.Is(err, llm.ErrCut) || !strings.Contains(advice.Of(err), "continues") {
		t.Fatalf("%v, hint %q", err, advice.Of(err))
	}
	again := retry.Wrap(p, retry.Options{First: time.Millisecond}).(llm.Puller)
	if err := again.Pull(t.Context(), "new", func(now llm.Progress) { second = append(second, now) }); err != nil || s.Fetched("new") != 10 {
		t.Errorf("%v after %d parts", err, s.Fetched("new"))
	}
	if first[len(first)-1].Done != 600 || second[1].Done != 600 {
		t.Errorf("ended at %+v, began at %+v", first[len(first)-1], second[1])
	}
}

func TestPullFails(t *testing.T) {
	s := ollamatest.New(t)
	s.AddPull("odd", ollamatest.Pull{Bytes: 100, Err: "max retries exceeded: \x1b[31mEOF"})
	s.AddPull("quiet", ollamatest.Pull{Hang: true})
	p := provider(t, s.URL, ollama.Options{PullStall: 300 * time.Millisecond})
	if err := p.Pull(t.Context(), "zzz", nil); !errors.Is(err, llm.ErrUnknownModel) || advice.Of(err) == "" {
		t.Errorf("unknown: %v", err)
	}
	if err := p.Pull(t.Context(), "odd", nil); err == nil || !strings.Contains(err.Error(), "max retries exceeded") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
	if err := p.Pull(t.Context(), "quiet", nil); !errors.Is(err, llm.ErrStalled) {
		t.Errorf("quiet: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	patient := provider(t, s.URL, ollama.Options{})
	if err := patient.Pull(ctx, "quiet", func(llm.Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// 200,000 tokens: over the cap, and what is held stays near it.
func TestManyTokens(t *testing.T) {
	m, s := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Steps(ollamatest.Step{Text: "token ~ ", Times: 200_000})})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	seen := 0
	_, err := m.Complete(t.Context(), ask("why?"), func(p string) { seen += len(p) })
	runtime.GC()
	runtime.ReadMemStats(&after)
	if !errors.Is(err, llm.ErrTooLong) || seen > 1<<20 || seen < 1<<19 {
		t.Errorf("got %v after %d bytes", err, seen)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes are still held", grown)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	waitEnded(t, s)
}

// BenchmarkRequest is all the work for a request of 26 kB and its short answer,
// the scripted server's included, which needs no time to think.
func BenchmarkRequest(b *testing.B) {
	s := ollamatest.New(b, ollamatest.Model{Name: "m:7b", Context: 32768, Script: ollamatest.Answer("ok")})
	p, err := ollama.New(ollama.Options{Host: s.URL})
	if err != nil {
		b.Fatal(err)
	}
	m, err := p.Open(b.Context(), "m:7b")
	if err != nil {
		b.Fatal(err)
	}
	r := ask(strings.Repeat("some context\n", 2000))
	for b.Loop() {
		if _, err := m.Complete(b.Context(), r, func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSizesThatOverflow: what a server says of sizes is added up, and multiplied for
// a bar, which must not become negative.
func TestSizesThatOverflow(t *testing.T) {
	s := ollamatest.New(t)
	s.AddPull("vast", ollamatest.Pull{Bytes: 7 << 60, Layers: 7})
	err := provider(t, s.URL, ollama.Options{}).Pull(t.Context(), "vast", func(now llm.Progress) {
		if now.Total < 0 || now.Done < 0 || now.Done*200 < now.Done || now.Total*200 < now.Total {
			t.Errorf("%+v", now)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
