package openai

import (
	"encoding/json"
	"fmt"

	"github.com/pausetui/pausetui/llm"
)

// request is what is asked over /chat/completions, in the fields that all
// servers know.
type request struct {
	Model               string         `json:"model"`
	Messages            []turn         `json:"messages"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
	Seed                *int           `json:"seed,omitempty"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
	Tools               []tool         `json:"tools,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// turn is a message.
type turn struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content,omitempty"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	CallID    string     `json:"tool_call_id,omitempty"`
}

// toolCall is a call of a tool, or a piece of one in a stream.
type toolCall struct {
	Index    int64  `json:"index,omitempty"` // of a piece; some servers refuse it in a request
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

// request says a request in the protocol's words, without what the server has
// refused.
func (m *model) request(r llm.Request) (request, error) {
	h := &m.provider.habits
	h.mu.Lock()
	defer h.mu.Unlock()
	q := request{Model: m.info.Name, Stream: true}
	if h.newTokens {
		q.MaxCompletionTokens = max(r.MaxTokens, 0)
	} else {
		q.MaxTokens = max(r.MaxTokens, 0)
	}
	if !h.noTemperature {
		q.Temperature = &r.Temperature
	}
	if !h.noSeed {
		q.Seed = &r.Seed
	}
	if !h.noUsage {
		q.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	for _, t := range r.Tools {
		q.Tools = append(q.Tools, tool{"function", function{t.Name, t.Description, t.Parameters}})
	}
	for _, said := range r.Messages {
		t, err := turnOf(said)
		if err != nil {
			return q, err
		}
		q.Messages = append(q.Messages, t)
	}
	return q, nil
}

func turnOf(m llm.Message) (turn, error) {
	t := turn{Role: m.Role}
	switch m.Role {
	case "tool":
		t.CallID = m.CallID
	case "system", "user", "assistant":
	default:
		return turn{}, fmt.Errorf("a message with the role %q", m.Role)
	}
	if m.Text != "" || len(m.Calls) == 0 {
		t.Content = &m.Text
	}
	for _, c := range m.Calls {
		arguments := []byte("{}")
		if c.Arguments != nil {
			var err error
			if arguments, err = json.Marshal(c.Arguments); err != nil {
				return turn{}, fmt.Errorf("the arguments of the tool %q: %w", c.Name, err)
			}
		}
		call := toolCall{ID: c.ID, Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Name, string(arguments)
		t.ToolCalls = append(t.ToolCalls, call)
	}
	return t, nil
}
