package openaitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// chat serves /v1/chat/completions by the model's script.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	defer func() {
		s.mu.Lock()
		s.ended++
		s.mu.Unlock()
	}()
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	var asked Request
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, marshal(map[string]any{"error": map[string]any{"message": err.Error()}}))
		return
	}
	if !s.allowed(w, r) {
		return
	}
	asked.Body, asked.Key = string(body), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.record(&asked)
	m, ok := s.find(asked.Model)
	if !ok {
		reply(w, http.StatusNotFound, marshal(map[string]any{"error": map[string]any{"message": fmt.Sprintf("The model `%s` does not exist", asked.Model), "code": "model_not_found"}}))
		return
	}
	script := m.Script
	if script == nil {
		script = Answer("ok")
	}
	c := &conversation{server: s, w: w, r: r, asked: asked}
	c.play(script(asked))
}

func (s *Server) record(r *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, earlier := range s.requests {
		if earlier.Model == r.Model {
			r.Turn++
		}
	}
	s.requests = append(s.requests, *r)
}

// conversation is one answer under way.
type conversation struct {
	server  *Server
	w       http.ResponseWriter
	r       *http.Request
	asked   Request
	pieces  int
	finish  string
	noUsage bool
}

func (c *conversation) play(steps []Step) {
	c.finish = "stop"
	for i, step := range steps {
		if step.Wait > 0 && !c.wait(step.Wait) {
			return
		}
		if i == 0 && step.Status != 0 {
			for key, value := range step.Header {
				c.w.Header().Set(key, value)
			}
			reply(c.w, step.Status, []byte(step.Body))
			return
		}
		if !c.step(step) {
			return
		}
	}
	c.choice(map[string]any{}, c.finish)
	if c.asked.StreamOptions != nil && c.asked.StreamOptions.IncludeUsage && !c.noUsage {
		c.event(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": max(1, len(c.asked.Body)/4), "completion_tokens": c.pieces}})
	}
	c.send("data: [DONE]\n\n")
}

// step does one step and reports whether to go on.
func (c *conversation) step(step Step) bool {
	delta := delta(step)
	for range max(1, step.Times) {
		if len(delta) == 0 {
			break
		}
		c.pieces++
		if !c.choice(delta, nil) {
			return false
		}
	}
	if step.Call != nil {
		c.finish = "tool_calls"
	}
	if step.Finish != "" {
		c.finish = step.Finish
	}
	c.noUsage = c.noUsage || step.NoUsage
	switch {
	case step.Raw != "":
		return c.send(step.Raw)
	case step.Error != "":
		c.event(map[string]any{"error": map[string]any{"message": step.Error, "type": "server_error"}})
		return false
	case step.Hang:
		c.flush()
		c.wait(time.Hour)
		return false
	case step.Cut:
		c.flush()
		if conn, _, err := http.NewResponseController(c.w).Hijack(); err == nil {
			_ = conn.Close() // the client sees the same either way
		}
		return false
	}
	return !step.End
}

// delta is what a step adds to the answer.
func delta(step Step) map[string]any {
	delta := map[string]any{}
	for key, text := range map[string]string{"content": step.Text, "reasoning_content": step.Reasoning, "refusal": step.Refusal} {
		if text != "" {
			delta[key] = text
		}
	}
	if step.Call != nil {
		piece := map[string]any{"index": step.Call.Index, "function": map[string]any{"name": step.Call.Name, "arguments": step.Call.Arguments}}
		if step.Call.ID != "" {
			piece["id"], piece["type"] = step.Call.ID, "function"
		}
		delta["tool_calls"] = []any{piece}
	}
	return delta
}

// wait returns false when the client or the server goes first.
func (c *conversation) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.r.Context().Done():
	case <-c.server.stopped:
	}
	return false
}

func (c *conversation) choice(delta map[string]any, finish any) bool {
	return c.event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (c *conversation) event(fields map[string]any) bool {
	fields["id"], fields["object"], fields["created"], fields["model"] = "c1", "chat.completion.chunk", 1767323045, c.asked.Model
	return c.send("data: " + string(marshal(fields)) + "\n\n")
}

// send writes and reports whether the client is still there.
func (c *conversation) send(text string) bool {
	c.w.Header().Set("Content-Type", "text/event-stream")
	if _, err := io.WriteString(c.w, text); err != nil {
		return false
	}
	c.flush()
	return c.r.Context().Err() == nil
}

func (c *conversation) flush() {
	if f, ok := c.w.(http.Flusher); ok {
		f.Flush()
	}
}
