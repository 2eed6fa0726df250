package ollama_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/openai"
)

// realServer starts a real Ollama with two models of random weights: "tiny",
// which ends at the first of some letters, and "endless", which never does.
func realServer(t *testing.T) (*ollama.Provider, *api.Client) {
	t.Helper()
	binary := os.Getenv("PAUSETUI_OLLAMA")
	if binary == "" {
		t.Skip("PAUSETUI_OLLAMA does not name an Ollama server: .ci/ollama builds one and runs this")
	}
	host := startReal(t, binary)
	client := api.NewClient(&url.URL{Scheme: "http", Host: host}, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}})
	waitReady(t, client)
	model := tiny{context: 512, layers: 2, width: 64}
	makeModel(t, client, "tiny", model, map[string]any{"num_thread": 1, "stop": []string{"a", "e", "i", "o", "u", "A", "E", "I", "O", "U"}})
	makeModel(t, client, "endless", model, map[string]any{"num_thread": 1})
	return provider(t, host, ollama.Options{Answer: time.Minute}), client
}

// startReal starts the server on a free port and returns its address. The
// test's end stops it.
func startReal(t *testing.T, binary string) string {
	t.Helper()
	home := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := supervise.Command(ctx, binary, "serve")
	cmd.Env = append(os.Environ(), "OLLAMA_HOST=127.0.0.1:0", "HOME="+home, "OLLAMA_MODELS="+filepath.Join(home, "models"), "OLLAMA_NO_CLOUD=1")
	log := &serverLog{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		_ = cmd.Process.Signal(syscall.SIGTERM) // stops its runners as well
		force := time.AfterFunc(30*time.Second, cancel)
		defer force.Stop()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the server's log:\n%s", log.String())
		}
	})
	var found []string
	testsupport.Eventually(t, "the server says where it listens", func() bool {
		found = listening.FindStringSubmatch(log.String())
		return found != nil
	})
	return found[1]
}

// listening is what the server logs once it has its port.
var listening = regexp.MustCompile(`Listening on (127\.0\.0\.1:\d+) `)

// serverLog collects what the server writes.
type serverLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends to the log.
func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns the log so far.
func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func waitReady(t *testing.T, client *api.Client) {
	t.Helper()
	testsupport.Eventually(t, "the server answers", func() bool {
		version, err := client.Version(t.Context())
		if err == nil {
			t.Logf("Ollama %s", version)
		}
		return err == nil
	})
}

func makeModel(t *testing.T, client *api.Client, name string, m tiny, parameters map[string]any) {
	t.Helper()
	file := m.gguf()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	if err := client.CreateBlob(t.Context(), digest, bytes.NewReader(file)); err != nil {
		t.Fatalf("upload the model: %v", err)
	}
	status := ""
	err := client.Create(t.Context(), &api.CreateRequest{Model: name, Files: map[string]string{"tiny.gguf": digest}, Parameters: parameters},
		func(p api.ProgressResponse) error { status = p.Status; return nil })
	if err != nil || status != "success" {
		t.Fatalf("create %s: %q, %v", name, status, err)
	}
}

func TestRealServer(t *testing.T) {
	p, client := realServer(t)
	t.Run("list", func(t *testing.T) { realList(t, p) })
	t.Run("chat", func(t *testing.T) { realChat(t, p) })
	t.Run("options", func(t *testing.T) { realOptions(t, p) })
	t.Run("overflow", func(t *testing.T) { realOverflow(t, p) })
	t.Run("unknown", func(t *testing.T) { realUnknown(t, p) })
	t.Run("OpenAI's protocol", func(t *testing.T) { realOpenAI(t, p.Host()) })
	t.Run("cancel", func(t *testing.T) { realCancel(t, p, client) })
	t.Run("delete", func(t *testing.T) { realDelete(t, p, client) })
}

func realOpen(t *testing.T, p *ollama.Provider, name string) llm.Model {
	t.Helper()
	m, err := p.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func names(list []llm.Info) []string {
	var names []string
	for _, m := range list {
		names = append(names, m.Name)
	}
	return names
}

func realList(t *testing.T, p *ollama.Provider) {
	list, err := p.Models(t.Context())
	if err != nil || !slices.Equal(names(list), []string{"endless:latest", "tiny:latest"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	if m := list[1]; m.Family != "llama" || m.Size < 100_000 || m.Digest == "" || m.Remote || m.Loaded {
		t.Errorf("listed %+v", m)
	}
	info := realOpen(t, p, "tiny").Info()
	if info.Context != 512 || info.Family != "llama" || info.Size < 100_000 || !slices.Contains(info.Capabilities, llm.Completion) || slices.Contains(info.Capabilities, llm.Tools) {
		t.Errorf("shown %+v", info)
	}
}

// realChat asks until an answer is not empty: the weights are random.
func realChat(t *testing.T, p *ollama.Provider) {
	m := realOpen(t, p, "tiny")
	for seed := range 50 {
		pieces, shown := 0, ""
		got, err := m.Complete(t.Context(), llm.Request{Messages: ask("why?").Messages, Temperature: 1, Seed: seed, MaxTokens: 200}, func(s string) { pieces++; shown += s })
		if errors.Is(err, llm.ErrEmpty) || errors.Is(err, llm.ErrCut) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if pieces < 3 {
			continue
		}
		if shown != got.Text || got.Tokens < pieces || got.PromptTokens < 10 || got.Took <= 0 || got.FirstToken <= 0 || strings.ContainsAny(got.Text, "aeiou") {
			t.Errorf("%+v in %d pieces, shown %q", got, pieces, shown)
		}
		list, err := p.Models(t.Context())
		if err != nil || !list[1].Loaded {
			t.Errorf("not loaded after an answer: %+v, %v", list, err)
		}
		return
	}
	t.Error("no answer of three pieces in 50")
}

// realOptions: the seed and the limit on tokens reach the model.
func realOptions(t *testing.T, p *ollama.Provider) {
	m := realOpen(t, p, "endless")
	say := func(seed int) string {
		text := ""
		_, err := m.Complete(t.Context(), llm.Request{Messages: ask("why?").Messages, Temperature: 1, Seed: seed, MaxTokens: 24}, func(s string) { text += s })
		if !errors.Is(err, llm.ErrCut) || !strings.Contains(err.Error(), "after 24 tokens") {
			t.Errorf("seed %d: %v", seed, err)
		}
		return text
	}
	if one, again, other := say(1), say(1), say(2); one != again || one == other {
		t.Errorf("seeds 1, 1 and 2: %q, %q and %q", one, again, other)
	}
}

// realOverflow: neither the prompt nor the answer is cut without a word.
func realOverflow(t *testing.T, p *ollama.Provider) {
	m := realOpen(t, p, "endless")
	prompt := func(bytes int) []llm.Message {
		return []llm.Message{{Role: "user", Text: strings.Repeat("x+y ", bytes/4)}}
	}
	_, err := m.Complete(t.Context(), llm.Request{Messages: prompt(1200), MaxTokens: 20}, nil)
	if !errors.Is(err, llm.ErrPromptTooLong) {
		t.Errorf("a prompt of about 1200 tokens for 512: %v", err)
	}
	several := append(prompt(1100), llm.Message{Role: "assistant", Text: "yes"}, llm.Message{Role: "user", Text: "why?"})
	if _, err := m.Complete(t.Context(), llm.Request{Messages: several, MaxTokens: 20}, nil); !errors.Is(err, llm.ErrPromptTooLong) {
		t.Errorf("several messages: %v", err)
	}
	_, err = m.Complete(t.Context(), llm.Request{Messages: prompt(300), Temperature: 1, MaxTokens: 400}, nil)
	if !errors.Is(err, llm.ErrCut) || strings.Contains(err.Error(), "after 400 tokens") {
		t.Errorf("an answer past the context: %v", err)
	}
}

func realUnknown(t *testing.T, p *ollama.Provider) {
	if _, err := p.Open(t.Context(), "tinny"); !errors.Is(err, llm.ErrUnknownModel) || !strings.Contains(advice.Of(err), "tiny:latest") {
		t.Errorf("%v, hint %q", err, advice.Of(err))
	}
	r := ask("why?")
	r.Tools = []llm.Tool{{Name: "eval", Description: "evaluates", Parameters: map[string]any{"type": "object", "properties": map[string]any{}}}}
	if _, err := realOpen(t, p, "tiny").Complete(t.Context(), r, nil); err == nil || !strings.Contains(advice.Of(err), llm.Tools) {
		t.Errorf("tools for a model without: %v, hint %q", err, advice.Of(err))
	}
	if err := p.Pull(t.Context(), "127.0.0.1:1/none/none:1b", nil); err == nil || errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("pull from nowhere: %v", err) // the registry is away, not the server
	}
}

// realOpenAI asks the same server through the other provider, which it also
// understands.
func realOpenAI(t *testing.T, host string) {
	p, err := openai.New(openai.Options{BaseURL: "http://" + host + "/v1", Answer: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Models(t.Context())
	if err != nil || !slices.Equal(names(list), []string{"endless:latest", "tiny:latest"}) {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := p.Open(t.Context(), "tinny"); !errors.Is(err, llm.ErrUnknownModel) || !strings.Contains(advice.Of(err), "tiny:latest") {
		t.Errorf("%v, hint %q", err, advice.Of(err))
	}
	endless, err := p.Open(t.Context(), "endless:latest")
	if err != nil {
		t.Fatal(err)
	}
	r := llm.Request{Messages: ask("why?").Messages, Temperature: 1, Seed: 3, MaxTokens: 24}
	if _, err := endless.Complete(t.Context(), r, nil); !errors.Is(err, llm.ErrCut) || !strings.Contains(err.Error(), "after 24 tokens") {
		t.Errorf("the limit on tokens: %v", err)
	}
	m, err := p.Open(t.Context(), "tiny:latest")
	if err != nil {
		t.Fatal(err)
	}
	for r.Seed = range 50 {
		shown := ""
		got, err := m.Complete(t.Context(), r, func(s string) { shown += s })
		if errors.Is(err, llm.ErrEmpty) || errors.Is(err, llm.ErrCut) {
			continue
		}
		if err != nil || got.Text == "" || shown != got.Text || got.Tokens == 0 || got.PromptTokens < 10 {
			t.Errorf("%+v, shown %q, %v", got, shown, err)
		}
		return
	}
	t.Error("no answer in 50")
}

// realCancel: the server stops working when its client has gone.
func realCancel(t *testing.T, p *ollama.Provider, client *api.Client) {
	makeModel(t, client, "slow", tiny{context: 8192, layers: 8, width: 256}, map[string]any{"num_thread": 1})
	m := realOpen(t, p, "slow")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pieces := 0
	_, err := m.Complete(ctx, llm.Request{Messages: ask("why?").Messages, Temperature: 1, MaxTokens: 6000}, func(string) {
		if pieces++; pieces == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || pieces > 50 {
		t.Errorf("%v after %d pieces", err, pieces)
	}
	_, err = m.Complete(t.Context(), llm.Request{Messages: ask("why?").Messages, Temperature: 1, MaxTokens: 5}, nil)
	if !errors.Is(err, llm.ErrCut) {
		t.Errorf("the next question: %v", err)
	}
}

func realDelete(t *testing.T, p *ollama.Provider, client *api.Client) {
	m := realOpen(t, p, "tiny")
	if err := client.Delete(t.Context(), &api.DeleteRequest{Model: "tiny"}); err != nil {
		t.Fatal(err)
	}
	list, err := p.Models(t.Context())
	if err != nil || slices.Contains(names(list), "tiny:latest") {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := m.Complete(t.Context(), ask("why?"), nil); !errors.Is(err, llm.ErrUnknownModel) || !strings.Contains(advice.Of(err), "ollama pull tiny") {
		t.Errorf("%v, hint %q", err, advice.Of(err))
	}
}
