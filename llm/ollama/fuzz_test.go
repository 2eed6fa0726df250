package ollama_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm/ollama"
)

// FuzzStream holds that what a server streams as an answer ends as one, or as an error:
// soon, and without any escape sequence in the error's words.
func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"message":{"role":"assistant","content":"the map"},"done":false}` + "\n" + `{"message":{"content":" is nil"},"done":true,"done_reason":"stop"}` + "\n"))
	f.Add([]byte(`{"error":"no such model"}`))
	f.Add([]byte("{\"message\":{\"content\":\"\x1b[2J\"}}\n{\"message\":{\"thinking\":\"<think>\"}}\n[[[["))
	var body atomic.Pointer[[]byte]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/api/chat") {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(*body.Load())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"details":{"family":"qwen3"},"capabilities":["completion"],"models":[{"name":"m:7b","model":"m:7b"}]}`)
	}))
	f.Cleanup(server.Close)
	p, err := ollama.New(ollama.Options{Host: server.URL, Stall: time.Second, FirstToken: time.Second, Total: 5 * time.Second})
	if err != nil {
		f.Fatal(err)
	}
	m, err := p.Open(f.Context(), "m:7b")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		body.Store(&data)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var pieces strings.Builder
		got, err := m.Complete(ctx, ask("why?"), func(p string) { pieces.WriteString(p) })
		if ctx.Err() != nil {
			t.Fatal("it does not end")
		}
		if err != nil && strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("the error %q", err)
		}
		if err == nil && len(got.Text) > len(data) {
			t.Errorf("%d bytes of text from %d", len(got.Text), len(data))
		}
	})
}
