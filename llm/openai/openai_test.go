package openai_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/openai"
	"github.com/pausetui/pausetui/llm/openai/openaitest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func provider(t testing.TB, o openai.Options) *openai.Provider {
	t.Helper()
	p, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// open returns a model that follows the script.
func open(t testing.TB, o openai.Options, script openaitest.Script) (llm.Model, *openaitest.Server) {
	t.Helper()
	s := openaitest.New(t, openaitest.Model{Name: "org/m", Script: script})
	o.BaseURL = s.URL
	m, err := provider(t, o).Open(t.Context(), "org/m")
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "system", Text: "be short"}, {Role: "user", Text: text}}, Temperature: 0.4, Seed: 7, MaxTokens: 100}
}

func TestAnswer(t *testing.T) {
	m, s := open(t, openai.Options{}, openaitest.Pieces("the map is nil", time.Millisecond))
	var pieces []string
	got, err := m.Complete(t.Context(), ask("why?"), func(p string) { pieces = append(pieces, p) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "the map is nil" || strings.Join(pieces, "|") != "the |map |is |nil" || got.Tokens != 4 || got.PromptTokens == 0 || got.Took <= 0 || got.FirstToken <= 0 || got.FirstToken > got.Took {
		t.Errorf("answer %+v, pieces %q", got, pieces)
	}
	r := s.Requests()[0]
	if r.Temperature == nil || *r.Temperature != 0.4 || *r.Seed != 7 || r.MaxTokens != 100 || r.MaxCompletionTokens != 0 || !r.Stream || !r.StreamOptions.IncludeUsage || r.Tools != nil || r.Key != "" {
		t.Errorf("request %s", r.Body)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Content != "why?" {
		t.Errorf("messages %+v", r.Messages)
	}
}

func TestBadAnswers(t *testing.T) {
	step := func(s ...openaitest.Step) openaitest.Script { return openaitest.Steps(s...) }
	type S = openaitest.Step
	cases := []struct {
		name   string
		script openaitest.Script
		err    error
		words  string // of the error
		hint   string
	}{
		{"500", openaitest.Fail(500, "out of memory", "server_error", ""), nil, "out of memory (HTTP 500)", "server's own log"},
		{"500 page", openaitest.Body(500, "<html>\x1b[31mbad gateway</html>"), nil, "bad gateway", "log"},
		{"503", openaitest.Body(503, ""), llm.ErrBusy, "Service Unavailable", "wait"},
		{"429", openaitest.Busy("7"), llm.ErrBusy, "wait 7s", "wait"},
		{"no credit", openaitest.Fail(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"), nil, "quota", "credit"},
		{"404", openaitest.Fail(404, "The model does not exist", "", "model_not_found"), llm.ErrUnknownModel, "org/m", "org/m"},
		{"vLLM's length", openaitest.Body(400, `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}`), llm.ErrPromptTooLong, "4096 tokens", ""},
		{"OpenAI's length", openaitest.Fail(400, "Your input is too large.", "invalid_request_error", "context_length_exceeded"), llm.ErrPromptTooLong, "", ""},
		{"llama.cpp's length", openaitest.Body(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_ctx":4096}}`), llm.ErrPromptTooLong, "", ""},
		{"FastAPI", openaitest.Body(422, `{"detail":"no such role"}`), nil, "no such role (HTTP 422)", ""},
		{"error as text", openaitest.Body(400, `{"error":"malformed"}`), nil, "malformed (HTTP 400)", ""},
		{"policy", openaitest.Fail(400, "filtered", "", "content_filter"), llm.ErrFiltered, "filtered", ""},
		{"filter", step(S{Text: "half"}, S{Finish: "content_filter"}), llm.ErrFiltered, "filter", ""},
		{"refusal", step(S{Refusal: "I cannot "}, S{Refusal: "help"}), llm.ErrFiltered, "I cannot help", ""},
		{"silent", step(S{Hang: true}), llm.ErrStalled, "nothing for", "overloaded"},
		{"stalled", step(S{Text: "half"}, S{Hang: true}), llm.ErrStalled, "nothing for", "overloaded"},
		{"cut", step(S{Text: "half"}, S{Cut: true}), llm.ErrCut, "in the middle", ""},
		{"cut at once", step(S{Cut: true}), llm.ErrUnavailable, "closed", "start the server"},
		{"cut while thinking", step(S{Reasoning: "hm"}, S{Cut: true}), llm.ErrUnavailable, "closed", ""},
		{"no finish", step(S{Text: "all of it?"}, S{End: true}), llm.ErrCut, "before the server said", ""},
		{"half an event", step(S{Text: "x"}, S{Raw: "data: {\"choices\":[{\"del\n\n"}, S{End: true}), llm.ErrCut, "", ""},
		{"late error", step(S{Text: "half"}, S{Error: "the engine has died"}), nil, "the engine has died", ""},
		{"late length", step(S{Text: "half"}, S{Error: "the context size has been exceeded"}), llm.ErrPromptTooLong, "", ""},
		{"empty", step(), llm.ErrEmpty, "", ""},
		{"white space", openaitest.Answer(" \n\t"), llm.ErrEmpty, "", ""},
		{"only thinking", step(S{Reasoning: "hm"}), llm.ErrEmpty, "", ""},
		{"length", openaitest.Length("", "half a func"), llm.ErrCut, "after", "more tokens"},
		{"length while thinking", openaitest.Length("hm hm", ""), llm.ErrCut, "thinking", "does not think"},
		{"a page", step(S{Raw: "<html>hello</html>"}, S{End: true}), llm.ErrUnavailable, "does not speak", ""},
		{"one huge event", openaitest.Answer(strings.Repeat("x", 20<<20)), llm.ErrTooLong, "", ""},
		{"an event without end", step(S{Raw: strings.Repeat("data: x\n", 4<<20)}), llm.ErrTooLong, "", ""},
		{"endless thinking", step(S{Reasoning: strings.Repeat("h", 4096), Times: 5000}), llm.ErrTooLong, "thinking", ""},
		{"endless calls", step(S{Call: &openaitest.Call{ID: "a", Name: "eval", Arguments: strings.Repeat("x", 4096)}, Times: 100}), llm.ErrTooLong, "calls", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := openai.Options{}
			if errors.Is(c.err, llm.ErrStalled) {
				o = openai.Options{FirstToken: 300 * time.Millisecond, Stall: 300 * time.Millisecond}
			}
			m, _ := open(t, o, c.script)
			got, err := m.Complete(t.Context(), ask("why?"), nil)
			if err == nil || got.Text != "" {
				t.Fatalf("no error, but %q", got.Text)
			}
			if c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
			if !strings.Contains(err.Error(), c.words) || !strings.Contains(advice.Of(err), c.hint) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("error %q, hint %q", err, advice.Of(err))
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "soon": 0, "-3": 0} {
		m, _ := open(t, openai.Options{}, openaitest.Busy(header))
		_, err := m.Complete(t.Context(), ask("why?"), nil)
		var busy *llm.BusyError
		if !errors.As(err, &busy) || busy.After != want {
			t.Errorf("%q: %v", header, err)
		}
	}
}

func TestThinking(t *testing.T) {
	type S = openaitest.Step
	for _, steps := range [][]S{{{Reasoning: "the map"}, {Text: "answer"}}, {{Text: "<th"}, {Text: "ink>hm</think>\n"}, {Text: "answer"}}} {
		m, _ := open(t, openai.Options{}, openaitest.Steps(steps...))
		var shown string
		got, err := m.Complete(t.Context(), ask("why?"), func(p string) { shown += p })
		if err != nil || got.Text != "answer" || shown != "answer" || got.Tokens != len(steps) {
			t.Errorf("%+v, %q, %v", got, shown, err)
		}
	}
}

func TestTools(t *testing.T) {
	type S = openaitest.Step
	call := func(index int, id, name, args string) S {
		return S{Call: &openaitest.Call{Index: index, ID: id, Name: name, Arguments: args}}
	}
	m, s := open(t, openai.Options{}, openaitest.Turns(
		openaitest.Steps(S{Text: "let me look"}, call(0, "a", "eval", ""), call(0, "", "", `{"expr":`), call(0, "", "", `"idx"}`), call(1, "b", "stack", `{"n":2}`), call(1, "c", "bad", `{"n":`)),
		openaitest.Answer("nil")))
	r := ask("why?")
	r.Tools = []llm.Tool{{Name: "eval", Description: "evaluates", Parameters: map[string]any{"type": "object", "properties": map[string]any{"expr": map[string]any{"type": "string"}}, "required": []string{"expr"}}}}
	got, err := m.Complete(t.Context(), r, nil)
	want := []llm.Call{{ID: "a", Name: "eval", Arguments: map[string]any{"expr": "idx"}}, {ID: "b", Name: "stack", Arguments: map[string]any{"n": 2.0}}, {ID: "c", Name: "bad"}}
	if err != nil || got.Text != "let me look" || !reflect.DeepEqual(got.Calls, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	r.Messages = append(r.Messages, llm.Message{Role: "assistant", Text: got.Text, Calls: got.Calls}, llm.Message{Role: "tool", CallID: "a", Tool: "eval", Text: "<nil>"})
	if got, err := m.Complete(t.Context(), r, nil); err != nil || got.Text != "nil" {
		t.Fatalf("%+v, %v", got, err)
	}
	second := s.Requests()[1]
	if len(second.Tools) != 1 || !strings.Contains(second.Body, `"required":["expr"]`) {
		t.Errorf("tools %s", second.Body)
	}
	turn, result := second.Messages[2], second.Messages[3]
	if len(turn.ToolCalls) != 3 || turn.ToolCalls[0]["id"] != "a" || !strings.Contains(second.Body, `"arguments":"{\"expr\":\"idx\"}"`) || !strings.Contains(second.Body, `"arguments":"{}"`) || strings.Contains(second.Body, `"index"`) {
		t.Errorf("calls %s", second.Body)
	}
	if result.Role != "tool" || result.ToolCallID != "a" || result.Content != "<nil>" {
		t.Errorf("result %+v", result)
	}
}

// A server that refuses a parameter is asked without it, and remembered.
func TestHabits(t *testing.T) {
	m, s := open(t, openai.Options{}, func(r openaitest.Request) []openaitest.Step {
		refuse := func(message, param string) []openaitest.Step {
			return openaitest.Body(400, `{"error":{"message":"`+message+`","param":"`+param+`"}}`)(r)
		}
		switch {
		case r.MaxTokens != 0:
			return refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens")
		case r.Temperature != nil:
			return refuse("Unsupported value", "temperature")
		case r.Seed != nil:
			return refuse("unexpected keyword seed", "")
		case r.StreamOptions != nil:
			return refuse("extra fields: stream_options", "")
		}
		return openaitest.Answer("ok")(r)
	})
	for range 2 {
		if got, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || got.Text != "ok" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if n := len(s.Requests()); n != 6 {
		t.Errorf("asked %d times", n)
	}
	if r := s.Requests()[5]; r.MaxCompletionTokens != 100 {
		t.Errorf("last request %s", r.Body)
	}
	m, s = open(t, openai.Options{}, openaitest.Body(400, `{"error":{"message":"max_tokens, temperature, seed and stream_options are wrong"}}`))
	if _, err := m.Complete(t.Context(), ask("why?"), nil); err == nil || len(s.Requests()) > 5 {
		t.Errorf("asked %d times: %v", len(s.Requests()), err)
	}
}

func TestKey(t *testing.T) {
	s := openaitest.New(t, openaitest.Model{Name: "m"})
	s.Key = "sk-secret"
	t.Setenv("OPENAI_API_KEY", "sk-other")
	t.Setenv("OPENAI_BASE_URL", "")
	_, err := provider(t, openai.Options{BaseURL: s.URL, Key: "sk-wrong"}).Models(t.Context())
	if !errors.Is(err, llm.ErrUnauthorized) || strings.Contains(err.Error(), "sk-wrong") || advice.Of(err) == "" {
		t.Errorf("%v, hint %q", err, advice.Of(err))
	}
	if _, err := provider(t, openai.Options{BaseURL: s.URL}).Models(t.Context()); !errors.Is(err, llm.ErrUnauthorized) || strings.Contains(err.Error(), "sk-other") {
		t.Errorf("the key of the environment went to another server: %v", err)
	}
	m, err := provider(t, openai.Options{BaseURL: s.URL, Key: "sk-secret"}).Open(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || s.Requests()[0].Key != "sk-secret" {
		t.Errorf("%v", err)
	}
	t.Setenv("OPENAI_BASE_URL", s.URL)
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	if _, err := provider(t, openai.Options{}).Models(t.Context()); err != nil {
		t.Errorf("from the environment: %v", err)
	}
	if _, err := openai.New(openai.Options{Key: "a\nb"}); err == nil || strings.Contains(err.Error(), "a\nb") {
		t.Errorf("a key of two lines: %v", err)
	}
}

func TestModels(t *testing.T) {
	s := openaitest.New(t, openaitest.Model{Name: "qwen3-coder", Fields: map[string]any{"max_model_len": 32768}},
		openaitest.Model{Name: "llama", Fields: map[string]any{"meta": map[string]any{"n_ctx_train": 8192, "size": 4 << 30}}},
		openaitest.Model{Name: "b/router", Fields: map[string]any{"context_length": 1000, "supported_parameters": []string{"tools", "seed"}}},
		openaitest.Model{Name: "odd", Fields: map[string]any{"context_length": "many"}})
	p := provider(t, openai.Options{Name: "work", BaseURL: s.URL})
	list, err := p.Models(t.Context())
	want := []llm.Info{
		{Provider: "work", Name: "b/router", Context: 1000, Capabilities: []string{"completion", "tools"}}, {Provider: "work", Name: "llama", Context: 8192, Size: 4 << 30},
		{Provider: "work", Name: "odd"}, {Provider: "work", Name: "qwen3-coder", Context: 32768},
	}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
	for name, hint := range map[string]string{"qwen3-codr": "did you mean qwen3-coder", "zzzzzz": "there are qwen3-coder"} {
		if _, err := p.Open(t.Context(), name); !errors.Is(err, llm.ErrUnknownModel) || !strings.Contains(advice.Of(err), hint) {
			t.Errorf("%s: %v, hint %q", name, err, advice.Of(err))
		}
	}
	s = openaitest.New(t, openaitest.Model{Name: "m"})
	s.NoList = true
	m, err := provider(t, openai.Options{BaseURL: s.URL}).Open(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || got.Text != "ok" {
		t.Errorf("without a list: %+v, %v", got, err)
	}
}

func TestAddress(t *testing.T) {
	t.Setenv("OPENAI_BASE_URL", "")
	for base, host := range map[string]string{"": "api.openai.com", "http://localhost:1234": "localhost:1234", "https://gpu/x/v1/": "gpu"} {
		p, err := openai.New(openai.Options{BaseURL: base})
		if err != nil || p.Host() != host {
			t.Errorf("%q: %v, %v", base, p, err)
		}
	}
	for _, base := range []string{"localhost:1234", "ftp://x", "http://", "http://u:p@x", "http://x?key=1", "%zz"} {
		if _, err := openai.New(openai.Options{BaseURL: base}); err == nil || advice.Of(err) == "" {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// Whatever is not this machine is remote.
func TestRemote(t *testing.T) {
	s := openaitest.New(t, openaitest.Model{Name: "m"})
	far := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), "/v1"))
	}}}
	for base, remote := range map[string]bool{"http://10.0.0.2/v1": true, "http://gpu.example": true, "http://localhost:9": false, "http://[::1]:9": false} {
		m, err := provider(t, openai.Options{BaseURL: base, HTTPClient: far}).Open(t.Context(), "m")
		if err != nil || m.Info().Remote != remote {
			t.Errorf("%s: %+v, %v", base, m, err)
		}
	}
}

func TestUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + listener.Addr().String()
	_ = listener.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello</html>")) }))
	defer page.Close()
	odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"models":[]}`))
	}))
	defer odd.Close()
	quiet := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer quiet.Close()
	for url, words := range map[string]string{refused: "connection refused", page.URL: "does not speak", odd.URL: "does not speak", quiet.URL: "no answer in time"} {
		_, err := provider(t, openai.Options{BaseURL: url, Answer: 2 * time.Second}).Models(t.Context())
		if !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), words) || advice.Of(err) == "" {
			t.Errorf("%s: %v, hint %q", url, err, advice.Of(err))
		}
	}
}

func TestCancel(t *testing.T) {
	m, s := open(t, openai.Options{}, openaitest.Steps(openaitest.Step{Text: "half"}, openaitest.Step{Hang: true}))
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.Complete(ctx, ask("why?"), func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	testsupport.Eventually(t, "the server has noticed that nobody listens", func() bool { return s.Ended() > 0 })
}

// A huge answer is left at the cap: what this process holds stays far below it.
func TestHugeAnswer(t *testing.T) {
	m, _ := open(t, openai.Options{}, openaitest.Steps(openaitest.Step{Text: strings.Repeat("x", 1024), Times: 20 << 10}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	seen := 0
	_, err := m.Complete(t.Context(), ask("why?"), func(p string) { seen += len(p) })
	runtime.ReadMemStats(&after)
	if !errors.Is(err, llm.ErrTooLong) || seen > 1<<20 {
		t.Errorf("got %v after %d bytes", err, seen)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

// The usage figures are missing, or the connection ends after the answer.
func TestCompleteWithoutFigures(t *testing.T) {
	m, _ := open(t, openai.Options{}, openaitest.Steps(openaitest.Step{Text: "ok"}, openaitest.Step{NoUsage: true}))
	if got, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || got.Text != "ok" || got.Tokens != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	m, _ = open(t, openai.Options{}, openaitest.Steps(openaitest.Step{Text: "ok"}, openaitest.Step{Raw: `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n", Cut: false}, openaitest.Step{Cut: true}))
	if got, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || got.Text != "ok" {
		t.Errorf("cut after the end: %+v, %v", got, err)
	}
}

// BenchmarkRequest is all the work for a request of 26 kB and its short answer,
// the scripted server's included, which needs no time to think.
func BenchmarkRequest(b *testing.B) {
	m, _ := open(b, openai.Options{}, openaitest.Answer("ok"))
	r := ask(strings.Repeat("some context\n", 2000))
	for b.Loop() {
		if _, err := m.Complete(b.Context(), r, func(string) {}); err != nil {
			b.Fatal(err)
		}
	}
}
