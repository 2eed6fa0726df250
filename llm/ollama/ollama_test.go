package ollama_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

func TestMain(m *testing.M) {
	reexec.Main()
	goleak.VerifyTestMain(m)
}

func provider(t *testing.T, url string, o ollama.Options) *ollama.Provider {
	t.Helper()
	o.Host = url
	p, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// open returns a model that follows the script.
func open(t *testing.T, o ollama.Options, m ollamatest.Model) (llm.Model, *ollamatest.Server) {
	t.Helper()
	m.Name = "m:7b"
	s := ollamatest.New(t, m)
	opened, err := provider(t, s.URL, o).Open(t.Context(), "m:7b")
	if err != nil {
		t.Fatal(err)
	}
	return opened, s
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "system", Text: "be short"}, {Role: "user", Text: text}}, Temperature: 0.4, Seed: 7}
}

func TestAnswer(t *testing.T) {
	m, s := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Pieces("the map is nil", time.Millisecond)})
	var pieces []string
	got, err := m.Complete(t.Context(), ask("why?"), func(p string) { pieces = append(pieces, p) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "the map is nil" || strings.Join(pieces, "|") != "the |map |is |nil" || got.Tokens != 4 || got.PromptTokens == 0 || got.Took <= 0 || got.FirstToken <= 0 || got.FirstToken > got.Took {
		t.Errorf("answer %+v, pieces %q", got, pieces)
	}
	r := s.Requests()[0]
	if r.Options.NumCtx != 8192 || r.Options.NumPredict != 4096 || r.Options.Seed != 7 || r.Options.Temperature != 0.4 {
		t.Errorf("options %+v", r.Options)
	}
	if r.Truncate == nil || *r.Truncate || r.Shift == nil || *r.Shift || r.Think != nil || r.Stream == nil || !*r.Stream {
		t.Errorf("request %s", r.Body)
	}
	if len(r.Messages) != 2 || r.Messages[0].Role != "system" || r.Messages[1].Content != "why?" {
		t.Errorf("messages %+v", r.Messages)
	}
}

func TestBadAnswers(t *testing.T) {
	cases := []struct {
		name   string
		script ollamatest.Script
		err    error
		words  string // of the error
		hint   string
	}{
		{"500", ollamatest.Fail(500, "llama runner process has terminated"), nil, "llama runner process has terminated (HTTP 500)", "server's own log"},
		{"503", ollamatest.Busy(), llm.ErrBusy, "server busy", "OLLAMA_MAX_QUEUE"},
		{"429", ollamatest.Limited("12"), llm.ErrBusy, "wait 12s", "local model"},
		{"401", ollamatest.Fail(401, "unauthorized"), llm.ErrUnauthorized, "not signed in", "ollama signin"},
		{"404", ollamatest.Fail(404, "model 'm:7b' not found"), llm.ErrUnknownModel, "m:7b", ""},
		{"400", ollamatest.Fail(400, "invalid options"), nil, "invalid options", ""},
		{"too long", ollamatest.TooLong(), llm.ErrPromptTooLong, "exceeds the context length", ""},
		{"silent", ollamatest.Silent(), llm.ErrStalled, "nothing for", "smaller"},
		{"stalled", ollamatest.Stall("half"), llm.ErrStalled, "nothing for", "smaller"},
		{"cut", ollamatest.Cut("half"), llm.ErrCut, "in the middle", ""},
		{"cut at once", ollamatest.Steps(ollamatest.Step{Cut: true}), llm.ErrUnavailable, "closed", "ollama serve"},
		{"cut while thinking", ollamatest.Steps(ollamatest.Step{Thinking: "hm"}, ollamatest.Step{Cut: true}), llm.ErrUnavailable, "closed", ""},
		{"no tools", ollamatest.Fail(400, "registry.ollama.ai/library/m:7b does not support tools"), nil, "does not support tools", "capability tools"},
		{"endless calls", ollamatest.Steps(ollamatest.Step{Calls: []ollamatest.Call{{Name: "eval"}}, Times: 1000}), llm.ErrTooLong, "calls", ""},
		{"huge arguments", ollamatest.Steps(ollamatest.Step{Calls: []ollamatest.Call{{Name: "eval", Arguments: map[string]any{"x": strings.Repeat("x", 1<<20)}}}}), llm.ErrTooLong, "arguments", ""},
		{"endless white space", ollamatest.Steps(ollamatest.Step{Text: strings.Repeat("\n", 4096), Times: 5000}), llm.ErrTooLong, "", ""},
		{"no done", ollamatest.NoDone("all of it?"), llm.ErrCut, "before the server said", ""},
		{"half a line", ollamatest.Steps(ollamatest.Step{Text: "x"}, ollamatest.Step{Raw: `{"message":{"content":"ha`, End: true}, ollamatest.Step{End: true}), llm.ErrCut, "", ""},
		{"late error", ollamatest.LateError("half", "an error was encountered while running the model"), nil, "an error was encountered", ""},
		{"empty", ollamatest.Empty(), llm.ErrEmpty, "", ""},
		{"white space", ollamatest.Answer(" \n\t"), llm.ErrEmpty, "", ""},
		{"only thinking", ollamatest.Think("hm", ""), llm.ErrEmpty, "", ""},
		{"length", ollamatest.Length("", "half a func"), llm.ErrCut, "after", "more tokens"},
		{"length while thinking", ollamatest.Length("hm hm", ""), llm.ErrCut, "thinking", "does not think"},
		{"truncated silently", ollamatest.Steps(ollamatest.Step{Text: "x"}, ollamatest.Step{Done: &ollamatest.Done{PromptTokens: 2}}), llm.ErrPromptTooLong, "only 2 tokens", ""},
		{"one huge line", ollamatest.HugeLine(20 << 20), llm.ErrTooLong, "", ""},
		{"endless thinking", ollamatest.Steps(ollamatest.Step{Thinking: strings.Repeat("h", 4096), Times: 5000}), llm.ErrTooLong, "thinking", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := ollama.Options{FirstToken: 300 * time.Millisecond, Stall: 300 * time.Millisecond}
			if !errors.Is(c.err, llm.ErrStalled) {
				o = ollama.Options{}
			}
			m, _ := open(t, o, ollamatest.Model{Script: c.script})
			got, err := m.Complete(t.Context(), ask("why does the program stop here, and what should the value have been?"), nil)
			if err == nil || got.Text != "" {
				t.Fatalf("no error, but %q", got.Text)
			}
			if c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
			if !strings.Contains(err.Error(), c.words) || !strings.Contains(advice.Of(err), c.hint) {
				t.Errorf("error %q, hint %q", err, advice.Of(err))
			}
		})
	}
}

func TestTotal(t *testing.T) {
	m, _ := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Pieces(strings.Repeat("word ", 1000), 10*time.Millisecond)})
	r := ask("why?")
	r.Total = 200 * time.Millisecond
	if _, err := m.Complete(t.Context(), r, nil); !errors.Is(err, llm.ErrStalled) || !strings.Contains(err.Error(), "not complete after 200ms") {
		t.Errorf("got %v", err)
	}
}

// A 50 MB answer is left at the cap: what the server wrote by then, and what
// this process holds, stay far below it.
func TestHugeAnswer(t *testing.T) {
	m, s := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Huge(50 << 20)})
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
	waitEnded(t, s)
}

// waitEnded waits until the server has noticed that its client has gone.
func waitEnded(t *testing.T, s *ollamatest.Server) {
	t.Helper()
	testsupport.Eventually(t, "the server has noticed that nobody listens", func() bool { return s.Ended() > 0 })
}

func TestCancel(t *testing.T) {
	m, s := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Stall("half")})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := m.Complete(ctx, ask("why?"), func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	waitEnded(t, s)
	if _, err := m.Complete(ctx, ask("why?"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: %v", err)
	}
}

func TestThinking(t *testing.T) {
	thinker := ollamatest.Model{Capabilities: []string{"completion", "thinking"}, Script: ollamatest.Think("the map", "answer")}
	m, s := open(t, ollama.Options{}, thinker)
	var shown string
	got, err := m.Complete(t.Context(), ask("why?"), func(p string) { shown += p })
	if err != nil || got.Text != "answer" || shown != "answer" || got.Tokens != 2 {
		t.Errorf("%+v, %q, %v", got, shown, err)
	}
	if think := s.Requests()[0].Think; think != false {
		t.Errorf("think: %v", think)
	}

	thinker.Family = "gptoss"
	m, s = open(t, ollama.Options{}, thinker)
	if _, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || s.Requests()[0].Think != "low" {
		t.Errorf("gpt-oss: %v, %v", s.Requests()[0].Think, err)
	}

	thinker.Script = ollamatest.Turns(ollamatest.Fail(400, `"m" does not support thinking`), ollamatest.Answer("answer"))
	m, s = open(t, ollama.Options{}, thinker)
	if _, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || s.Requests()[1].Think != nil {
		t.Errorf("without a word about thinking: %v", err)
	}
}

func TestThinkTags(t *testing.T) {
	for _, pieces := range [][]string{
		{"<think>hm</think>\n\nanswer"}, {"<th", "ink>h", "m</thi", "nk>", "\nanswer"}, {"answer"}, {"\n", "answer"},
	} {
		var steps []ollamatest.Step
		for _, p := range pieces {
			steps = append(steps, ollamatest.Step{Text: p})
		}
		m, _ := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Steps(steps...)})
		got, err := m.Complete(t.Context(), ask("why?"), nil)
		if err != nil || strings.TrimSpace(got.Text) != "answer" {
			t.Errorf("%q: %q, %v", pieces, got.Text, err)
		}
	}
	m, _ := open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Answer("<thi")})
	if got, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || got.Text != "<thi" {
		t.Errorf("half a tag is text: %q, %v", got.Text, err)
	}
}

func TestContext(t *testing.T) {
	cases := []struct {
		name                  string
		model, prompt, tokens int
		context, predict      int
	}{
		{"small", 0, 300, 1000, 4096, 1000},
		{"next bucket", 0, 12_000, 1000, 8192, 1000},
		{"large", 0, 60_000, 4096, 32768, 4096},
		{"capped by the model", 6000, 12_000, 1000, 6000, 1000},
		{"no room for the answer", 6000, 15_000, 4096, 6000, 1500},
		{"unknown limit", -1, 60_000, 4096, 32768, 4096},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, s := open(t, ollama.Options{}, ollamatest.Model{Context: c.model})
			_, err := m.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Text: strings.Repeat("abc", c.prompt/3)}}, MaxTokens: c.tokens}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Requests()[0].Options; got.NumCtx != c.context || got.NumPredict != c.predict {
				t.Errorf("num_ctx %d num_predict %d", got.NumCtx, got.NumPredict)
			}
		})
	}
	m, s := open(t, ollama.Options{}, ollamatest.Model{Context: 4096})
	if _, err := m.Complete(t.Context(), ask(strings.Repeat("abc", 10_000)), nil); !errors.Is(err, llm.ErrPromptTooLong) || len(s.Requests()) != 0 {
		t.Errorf("hopeless: %v", err)
	}
	m, s = open(t, ollama.Options{}, ollamatest.Model{Script: ollamatest.Turns(ollamatest.TooLong(), ollamatest.Answer("ok"))})
	if _, err := m.Complete(t.Context(), ask("why?"), nil); err != nil || s.Requests()[1].Options.NumCtx != 16384 {
		t.Errorf("a larger context after a refusal: %v", err)
	}
}

// A changed num_ctx makes the server load the model again: what a conversation
// adds must fit the first one, and shorter requests keep it.
func TestContextStaysForAConversation(t *testing.T) {
	m, s := open(t, ollama.Options{}, ollamatest.Model{})
	long := llm.Request{Messages: []llm.Message{{Role: "user", Text: strings.Repeat("abc", 5000)}}, MaxTokens: 1500}
	again := long
	again.Messages = append(again.Messages[:1:1], llm.Message{Role: "assistant", Text: strings.Repeat("abc", 500)}, llm.Message{Role: "user", Text: "it does not parse"})
	for _, r := range []llm.Request{long, again, ask("why?")} {
		if _, err := m.Complete(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range s.Requests() {
		if r.Options.NumCtx != 8192 {
			t.Errorf("request %d has num_ctx %d", i, r.Options.NumCtx)
		}
	}
}

func TestModels(t *testing.T) {
	s := ollamatest.New(t,
		ollamatest.Model{Name: "qwen3-coder:30b", Size: 19 << 30, Family: "qwen3", Loaded: true},
		ollamatest.Model{Name: "big:latest", RemoteHost: "https://ollama.com:443", RemoteModel: "big"},
		ollamatest.Model{Name: "gpt-oss:120b-cloud"},
		ollamatest.Model{Name: "embed:latest", Capabilities: []string{"embedding"}},
		ollamatest.Model{Name: "codellama:7b", Context: 16384},
	)
	p := provider(t, s.URL, ollama.Options{})
	list, err := p.Models(t.Context())
	if err != nil || len(list) != 5 || list[0].Name != "big:latest" || !list[0].Remote || list[4].Remote || list[4].Size != 19<<30 || list[4].Provider != "ollama" || list[4].Parameters != "7.6B" || !list[4].Loaded || list[3].Loaded {
		t.Errorf("%+v, %v", list, err)
	}
	m, err := p.Open(t.Context(), "codellama:7b")
	if err != nil || m.Info().Context != 16384 || m.Info().Remote || m.Info().Digest == "" || m.Info().Capabilities[0] != "completion" {
		t.Errorf("%+v, %v", m, err)
	}
	for name, remote := range map[string]bool{"big": true, "gpt-oss:120b-cloud": true, "qwen3-coder:30b": false} {
		if m, err := p.Open(t.Context(), name); err != nil || m.Info().Remote != remote {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	for name, hint := range map[string]string{"qwen3-codr:30b": "did you mean qwen3-coder:30b", "codelama": "codellama:7b", "zzz:1b": "ollama pull zzz:1b; there are"} {
		if _, err := p.Open(t.Context(), name); !errors.Is(err, llm.ErrUnknownModel) || !strings.Contains(advice.Of(err), hint) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, hint %q", name, err, advice.Of(err))
		}
	}
	if _, err := p.Open(t.Context(), "embed"); err == nil || !strings.Contains(err.Error(), "cannot answer") {
		t.Errorf("embedding model: %v", err)
	}
}

func TestUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := listener.Addr().String()
	_ = listener.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello</html>")) }))
	defer page.Close()
	flood := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range 40 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer flood.Close()
	quiet := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server see the client go
		<-r.Context().Done()
	}))
	defer quiet.Close()
	for url, words := range map[string]string{refused: "connection refused", page.URL: "not Ollama", flood.URL: "not Ollama", quiet.URL: "no answer in time", "nowhere.invalid": ""} {
		p := provider(t, url, ollama.Options{Answer: 2 * time.Second})
		_, err := p.Models(t.Context())
		if !errors.Is(err, llm.ErrUnavailable) || !strings.Contains(err.Error(), words) || !strings.Contains(advice.Of(err), "ollama serve") {
			t.Errorf("%s: %v, hint %q", url, err, advice.Of(err))
		}
		if _, err := p.Open(t.Context(), "m"); !errors.Is(err, llm.ErrUnavailable) {
			t.Errorf("%s: open: %v", url, err)
		}
	}
}

func TestHost(t *testing.T) {
	good := map[string]string{
		"": "127.0.0.1:11434", "localhost": "localhost:11434", "0.0.0.0": "127.0.0.1:11434", ":1234": "127.0.0.1:1234",
		"http://gpu": "gpu:80", "https://gpu": "gpu:443", "https://gpu:8443/ollama": "gpu:8443", "::1": "[::1]:11434",
		"[::]:99": "[::1]:99", ` "10.0.0.2:5" `: "10.0.0.2:5", "ollama.com": "ollama.com:443", "http://localhost:11434/": "localhost:11434",
	}
	for host, want := range good {
		t.Setenv("OLLAMA_HOST", host)
		p, err := ollama.New(ollama.Options{})
		if err != nil || p.Host() != want {
			t.Errorf("%q: %v, %v; want %s", host, p, err, want)
		}
	}
	for _, host := range []string{"ftp://x", "localhost:port", "localhost:99999", "localhost:0", "a b", "user@host:1", "host:", "a:b:c", "http://:x", "%zz"} {
		t.Setenv("OLLAMA_HOST", host)
		_, err := ollama.New(ollama.Options{})
		if err == nil || !strings.Contains(err.Error(), "OLLAMA_HOST") || advice.Of(err) == "" {
			t.Errorf("%q: %v", host, err)
		}
	}
	p, err := ollama.New(ollama.Options{Host: "localhost:1"})
	if err != nil || p.Host() != "localhost:1" {
		t.Errorf("the option goes first: %v, %v", p, err)
	}
}
