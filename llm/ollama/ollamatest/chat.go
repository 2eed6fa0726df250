package ollamatest

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// chat serves /api/chat by the model's script.
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
		reply(w, http.StatusBadRequest, map[string]any{"error": err.Error()})
		return
	}
	asked.Body = string(body)
	s.record(&asked)
	m, ok := s.find(asked.Model)
	if !ok {
		reply(w, http.StatusNotFound, notFound(asked.Model))
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
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	asked  Request
	pieces int
}

func (c *conversation) play(steps []Step) {
	for i, step := range steps {
		if step.Wait > 0 && !c.wait(step.Wait) {
			return
		}
		if i == 0 && step.Status != 0 {
			if step.After != "" {
				c.w.Header().Set("Retry-After", step.After)
			}
			reply(c.w, step.Status, map[string]any{"error": step.Error})
			return
		}
		if !c.step(step) {
			return
		}
	}
	c.done(Done{})
}

// step does one step and reports whether to go on.
func (c *conversation) step(step Step) bool {
	for range max(1, step.Times) {
		if step.Text == "" && step.Thinking == "" && len(step.Calls) == 0 {
			break
		}
		message := map[string]any{"role": "assistant", "content": step.Text}
		if step.Thinking != "" {
			message["thinking"] = step.Thinking
		}
		if len(step.Calls) > 0 {
			message["tool_calls"] = toolCalls(step.Calls)
		}
		c.pieces++
		if !c.line(map[string]any{"message": message, "done": false}) {
			return false
		}
	}
	switch {
	case step.Raw != "":
		return c.send([]byte(step.Raw + "\n"))
	case step.Error != "":
		return c.send(marshal(map[string]any{"error": step.Error}))
	case step.Hang:
		c.flush()
		c.wait(time.Hour)
		return false
	case step.Cut:
		c.cut()
		return false
	case step.Done != nil:
		c.done(*step.Done)
		return false
	}
	return !step.End
}

func toolCalls(calls []Call) []any {
	var list []any
	for i, call := range calls {
		entry := map[string]any{"function": map[string]any{"index": i, "name": call.Name, "arguments": call.Arguments}}
		if call.ID != "" {
			entry["id"] = call.ID
		}
		list = append(list, entry)
	}
	return list
}

// cut closes the connection under the answer.
func (c *conversation) cut() {
	c.flush()
	if conn, _, err := http.NewResponseController(c.w).Hijack(); err == nil {
		_ = conn.Close() // the client sees the same either way
	}
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

func (c *conversation) done(d Done) {
	if d.Reason == "" {
		d.Reason = "stop"
	}
	line := map[string]any{
		"message": map[string]any{"role": "assistant", "content": ""}, "done": true, "done_reason": d.Reason,
		"total_duration": 1_000_000, "eval_count": d.Tokens,
	}
	if d.Tokens == 0 {
		line["eval_count"] = c.pieces
	}
	if d.PromptTokens == 0 {
		d.PromptTokens = max(1, len(c.asked.Prompt())/3)
	}
	if d.PromptTokens > 0 {
		line["prompt_eval_count"] = d.PromptTokens
	}
	c.line(line)
}

func (c *conversation) line(fields map[string]any) bool {
	fields["model"] = c.asked.Model
	fields["created_at"] = "2026-01-02T03:04:05Z"
	return c.send(marshal(fields))
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(data, '\n')
}

// send writes a line and reports whether the client is still there.
func (c *conversation) send(line []byte) bool {
	c.w.Header().Set("Content-Type", "application/x-ndjson")
	if _, err := c.w.Write(line); err != nil {
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
