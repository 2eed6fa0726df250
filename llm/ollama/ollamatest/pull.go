package ollamatest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Pull says what the server does when it is asked to fetch a model. It keeps what
// it has fetched when the client goes, as the real one does.
type Pull struct {
	Bytes int64         // of the model, fetched in ten parts
	Pause time.Duration // before each part
	Err   string        // ends the pull after the first part
	Gate  chan struct{} // when not nil, each part after the third waits for a value
	// Layers is how many files the bytes are spread over; one when 0.
	Layers int
	// Cuts closes the connection once so many parts are there: the first pull
	// that comes so far at the first number, a later one at the second, …
	Cuts []int
	Hang bool // leaves the client without a word after the manifest
}

// AddPull says how a model can be fetched; others are not found.
func (s *Server) AddPull(name string, p Pull) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pulls == nil {
		s.pulls, s.fetched = map[string]Pull{}, map[string]int{}
	}
	s.pulls[name] = p
}

// Fetched is how many of the ten parts of a model the server has.
func (s *Server) Fetched(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetched[name]
}

// Delete takes a model away.
func (s *Server) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, m := range s.models {
		if m.Name == name {
			s.models = append(s.models[:i:i], s.models[i+1:]...)
			return
		}
	}
}

// Add gives the server a model more.
func (s *Server) Add(m Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models[:len(s.models):len(s.models)], m)
}

// list is the models at this moment.
func (s *Server) list() []Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.models
}

const parts = 10

func (s *Server) pull(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Model, Name string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		reply(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
		return
	}
	s.mu.Lock()
	p, ok := s.pulls[asked.Model]
	s.mu.Unlock()
	c := &conversation{server: s, w: w, r: r}
	c.send(marshal(map[string]any{"status": "pulling manifest"}))
	if !ok {
		c.send(marshal(map[string]any{"error": "pull model manifest: file does not exist"}))
		return
	}
	if p.Hang {
		c.step(Step{Hang: true})
		return
	}
	for c.part(asked.Model, p) {
		s.mu.Lock()
		s.fetched[asked.Model]++
		s.mu.Unlock()
	}
}

// part says how far the pull is, fetches the next part, and reports whether to go on.
func (c *conversation) part(name string, p Pull) bool {
	done := c.server.Fetched(name)
	if !c.layers(p, done) {
		return false
	}
	switch {
	case done == parts:
		c.server.Add(Model{Name: name, Size: p.Bytes})
		c.send(marshal(map[string]any{"status": "verifying sha256 digest"}))
		c.send(marshal(map[string]any{"status": "success"}))
		return false
	case p.Err != "" && done > 0:
		c.send(marshal(map[string]any{"error": p.Err}))
		return false
	case len(p.Cuts) > 0 && done >= p.Cuts[0]:
		p.Cuts = p.Cuts[1:]
		c.server.AddPull(name, p)
		c.cut()
		return false
	}
	return c.fetch(p, done)
}

// layers sends a line for each layer that has begun, as the real server does
// when a pull goes on.
func (c *conversation) layers(p Pull, done int) bool {
	layers := int64(max(1, p.Layers))
	total, have := p.Bytes/layers, p.Bytes*int64(done)/parts
	for i := int64(0); i < layers; i++ {
		digest := fmt.Sprintf("sha256:%064x", i+1)
		if !c.send(marshal(map[string]any{"status": "pulling " + digest[len(digest)-12:], "digest": digest, "total": total, "completed": min(have, total)})) {
			return false
		}
		if have -= total; have <= 0 {
			break
		}
	}
	return true
}

// fetch waits for a part; false when the client or the server goes first.
func (c *conversation) fetch(p Pull, done int) bool {
	if p.Gate != nil && done >= 3 {
		select {
		case <-p.Gate:
		case <-c.r.Context().Done():
			return false
		case <-c.server.stopped:
			return false
		}
	}
	return p.Pause == 0 || c.wait(p.Pause)
}

// ps serves /api/ps.
func (s *Server) ps(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for _, m := range s.list() {
		if m.Loaded {
			list = append(list, map[string]any{"name": m.Name, "model": m.Name, "size": m.Size, "digest": m.digest(), "details": m.details()})
		}
	}
	reply(w, http.StatusOK, map[string]any{"models": list})
}

func (m Model) digest() string {
	if m.Digest != "" {
		return m.Digest
	}
	return fmt.Sprintf("%064x", len(m.Name))
}
