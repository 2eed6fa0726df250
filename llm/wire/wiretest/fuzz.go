// Package wiretest fuzzes the streams that providers read from a model's server.
package wiretest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm"
)

// Server is a server whose answers are fuzzed.
type Server struct {
	Stream string // the end of the path of requests that are answered with fuzzed bytes
	Other  string // the JSON that answers all other requests
	Model  string
	// New returns a provider for the server at a URL. Its limits are a few seconds.
	New func(url string) (Opener, error)
}

// Opener is what a provider has of its models.
type Opener interface {
	Open(ctx context.Context, name string) (llm.Model, error)
}

// FuzzStream holds that what a server streams ends within seconds as an answer or an error,
// and that the error's words have no escape sequence.
func FuzzStream(f *testing.F, s Server) {
	var body atomic.Pointer[[]byte]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, s.Stream) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(*body.Load()) // the client may have left
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, s.Other)
	}))
	f.Cleanup(server.Close)
	p, err := s.New(server.URL)
	if err != nil {
		f.Fatal(err)
	}
	m, err := p.Open(f.Context(), s.Model)
	if err != nil {
		f.Fatal(err)
	}
	ask := llm.Request{Messages: []llm.Message{{Role: "user", Text: "why?"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		body.Store(&data)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		got, err := m.Complete(ctx, ask, func(string) {})
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
