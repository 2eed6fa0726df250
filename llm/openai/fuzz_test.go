package openai_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm/openai"
)

// FuzzStream holds that what a server streams as an answer ends as one, or as an error:
// soon, and without any escape sequence in the error's words.
func FuzzStream(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"the map is nil\"}}]}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("event: x\ndata: {\"error\":{\"message\":\"no\"}}\n\n"))
	f.Add([]byte(": ping\r\ndata:{\"choices\":[]}\ndata: [[[\n\nretry: 9999999999999999999\n\n"))
	var body atomic.Pointer[[]byte]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/chat/completions") {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(*body.Load())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
	}))
	f.Cleanup(server.Close)
	p, err := openai.New(openai.Options{BaseURL: server.URL, Stall: time.Second, FirstToken: time.Second, Total: 5 * time.Second})
	if err != nil {
		f.Fatal(err)
	}
	m, err := p.Open(f.Context(), "m")
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
