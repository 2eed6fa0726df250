// Package openaitest is a scripted server that speaks OpenAI's HTTP, for tests:
// /v1/models and /v1/chat/completions.
//
// Each model has a script that says what is sent, and when.
// It imports neither OpenAI's client nor the package that is tested with it, so
// that a misreading of the protocol is not made twice.
package openaitest

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Model is a model the server has.
type Model struct {
	Name   string
	Fields map[string]any // in addition to id, object, created and owned_by in the list
	Script Script         // nil answers "ok"
}

// Request is one request for an answer.
type Request struct {
	Model         string    `json:"model"`
	Messages      []Message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Temperature         *float64         `json:"temperature"`
	Seed                *int             `json:"seed"`
	MaxTokens           int              `json:"max_tokens"`
	MaxCompletionTokens int              `json:"max_completion_tokens"`
	Tools               []map[string]any `json:"tools"`
	Key                 string           `json:"-"` // of the Authorization header
	Turn                int              `json:"-"` // earlier requests for this model
	Body                string           `json:"-"` // as it came
}

// Message is one message of a request.
type Message struct {
	Role       string           `json:"role"`
	Content    string           `json:"content"`
	ToolCalls  []map[string]any `json:"tool_calls"`
	ToolCallID string           `json:"tool_call_id"`
}

// Server is a running server.
type Server struct {
	// URL is its address: "http://127.0.0.1:41234/v1".
	URL string
	// Key is what requests must bring; empty accepts all. Set it before the first one.
	Key string
	// NoList leaves /v1/models out. Set it before the first request.
	NoList bool

	models   []Model
	http     *http.Server
	stopped  chan struct{} // closed by Close: ends what hangs
	served   chan error
	closing  sync.Once
	mu       sync.Mutex
	requests []Request
	ended    int
}

// TB is what New needs of a *testing.T.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// New starts a server on a free port of the loopback, which the test's end closes.
func New(t TB, models ...Model) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("start the server: %v", err)
		return nil
	}
	s := &Server{URL: "http://" + listener.Addr().String() + "/v1", models: models, stopped: make(chan struct{}), served: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.list)
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { s.served <- s.http.Serve(listener) }()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Fatalf("close the server: %v", err)
		}
	})
	return s
}

// Close stops the server and waits until it has.
func (s *Server) Close() error {
	var err error
	s.closing.Do(func() {
		close(s.stopped)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err = s.http.Shutdown(ctx)
		if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
	})
	return err
}

// Requests returns the requests for answers so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Ended counts the answers that the server has finished or given up.
func (s *Server) Ended() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// allowed refuses a request without the key.
func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	if s.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.Key {
		return true
	}
	got := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	reply(w, http.StatusUnauthorized, marshal(map[string]any{"error": map[string]any{"message": "Incorrect API key provided: " + got, "type": "invalid_request_error", "code": "invalid_api_key"}}))
	return false
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	if s.NoList {
		http.NotFound(w, r)
		return
	}
	if !s.allowed(w, r) {
		return
	}
	data := []any{}
	for _, m := range s.models {
		entry := map[string]any{"id": m.Name, "object": "model", "created": 1767323045, "owned_by": "test"}
		for key, value := range m.Fields {
			entry[key] = value
		}
		data = append(data, entry)
	}
	reply(w, http.StatusOK, marshal(map[string]any{"object": "list", "data": data}))
}

func (s *Server) find(name string) (Model, bool) {
	for _, m := range s.models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

func reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}
