// Package ollamatest is a scripted server that speaks Ollama's HTTP, for tests:
// /api/version, /api/tags, /api/show, /api/ps, /api/pull and /api/chat.
//
// Each model has a script that says what is sent, and when.
// It imports neither Ollama nor the package that is tested with it, so that a
// misreading of the protocol is not made twice.
package ollamatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Model is a model the server has.
type Model struct {
	Name         string // "good:7b"
	Family       string // "qwen2" when empty
	Context      int    // tokens; 32768 when 0, unknown when negative
	Capabilities []string
	Parameters   string // "7.6B" when empty
	Digest       string // made of the name's length when empty
	Loaded       bool   // in memory
	Size         int64
	RemoteHost   string // set for models that run elsewhere
	RemoteModel  string
	Script       Script // nil answers "ok"
}

// Request is one request for an answer.
type Request struct {
	Model    string           `json:"model"`
	Messages []Message        `json:"messages"`
	Stream   *bool            `json:"stream"`
	Truncate *bool            `json:"truncate"`
	Shift    *bool            `json:"shift"`
	Think    any              `json:"think"`
	Tools    []map[string]any `json:"tools"`
	Options  struct {
		NumCtx      int     `json:"num_ctx"`
		NumPredict  int     `json:"num_predict"`
		Temperature float64 `json:"temperature"`
		Seed        int     `json:"seed"`
	} `json:"options"`
	Turn int    `json:"-"` // earlier requests for this model
	Body string `json:"-"` // as it came
}

// Message is one message of a request.
type Message struct {
	Role       string           `json:"role"`
	Content    string           `json:"content"`
	ToolCalls  []map[string]any `json:"tool_calls"`
	ToolName   string           `json:"tool_name"`
	ToolCallID string           `json:"tool_call_id"`
}

// Prompt returns all messages' text.
func (r Request) Prompt() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

// Server is a running server.
type Server struct {
	// URL is its address, as OLLAMA_HOST takes it: "http://127.0.0.1:41234".
	URL string

	http     *http.Server
	stopped  chan struct{} // closed by Close: ends what hangs
	served   chan error
	closing  sync.Once
	mu       sync.Mutex
	models   []Model
	requests []Request
	ended    int
	pulls    map[string]Pull
	fetched  map[string]int
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
	s, err := Start("127.0.0.1:0", models...)
	if err != nil {
		t.Fatalf("start the server: %v", err)
		return nil
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Fatalf("close the server: %v", err)
		}
	})
	return s
}

// Start starts a server at an address, "127.0.0.1:0" for a free port.
func Start(addr string, models ...Model) (*Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + listener.Addr().String(), models: models, stopped: make(chan struct{}), served: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]any{"version": "0.0.0-scripted"})
	})
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("GET /api/ps", s.ps)
	mux.HandleFunc("POST /api/pull", s.pull)
	mux.HandleFunc("POST /api/create", s.create)
	mux.HandleFunc("DELETE /api/delete", s.remove)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
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

func (s *Server) find(name string) (Model, bool) {
	for _, m := range s.list() {
		if sameName(m.Name, name) {
			return m, true
		}
	}
	return Model{}, false
}

func (m Model) details() map[string]any {
	family := m.Family
	if family == "" {
		family = "qwen2"
	}
	parameters := m.Parameters
	if parameters == "" {
		parameters = "7.6B"
	}
	return map[string]any{"format": "gguf", "family": family, "families": []string{family}, "parameter_size": parameters, "quantization_level": "Q4_K_M"}
}

func (m Model) capabilities() []string {
	if m.Capabilities == nil {
		return []string{"completion"}
	}
	return m.Capabilities
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for _, m := range s.list() {
		entry := map[string]any{"name": m.Name, "model": m.Name, "size": m.Size, "digest": m.digest(), "modified_at": "2026-01-02T03:04:05Z", "details": m.details()}
		m.remote(entry)
		list = append(list, entry)
	}
	reply(w, http.StatusOK, map[string]any{"models": list})
}

func (m Model) remote(entry map[string]any) {
	if m.RemoteHost != "" {
		entry["remote_host"] = m.RemoteHost
	}
	if m.RemoteModel != "" {
		entry["remote_model"] = m.RemoteModel
	}
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model, Name string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		reply(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
		return
	}
	m, ok := s.find(asked.Model)
	if !ok {
		reply(w, http.StatusNotFound, notFound(asked.Model))
		return
	}
	info := map[string]any{"general.architecture": "qwen2"}
	switch {
	case m.Context == 0:
		info["qwen2.context_length"] = 32768
	case m.Context > 0:
		info["qwen2.context_length"] = m.Context
	}
	entry := map[string]any{"details": m.details(), "model_info": info, "capabilities": m.capabilities()}
	m.remote(entry)
	reply(w, http.StatusOK, entry)
}

func notFound(name string) map[string]any {
	return map[string]any{"error": fmt.Sprintf("model '%s' not found", name)}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}
