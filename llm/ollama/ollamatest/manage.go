package ollamatest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

func sameName(a, b string) bool {
	return strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// named reads which model a request is about.
func named(w http.ResponseWriter, r *http.Request) (name, from string, ok bool) {
	var asked struct{ Model, Name, From string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&asked); err != nil {
		reply(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
		return "", "", false
	}
	if asked.Model == "" {
		asked.Model = asked.Name
	}
	return asked.Model, asked.From, true
}

// remove serves /api/delete.
func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	name, _, ok := named(w, r)
	if !ok {
		return
	}
	m, found := s.find(name)
	if !found {
		reply(w, http.StatusNotFound, notFound(name))
		return
	}
	s.Delete(m.Name)
	w.WriteHeader(http.StatusOK)
}

// create serves /api/create: a copy of another model, with its script.
func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	name, from, ok := named(w, r)
	if !ok {
		return
	}
	c := &conversation{server: s, w: w, r: r}
	m, found := s.find(from)
	if !found {
		c.send(marshal(map[string]any{"error": fmt.Sprintf("model '%s' not found", from)}))
		return
	}
	m.Name = name
	s.Add(m)
	c.send(marshal(map[string]any{"status": "success"}))
}
