package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/pausetui/pausetui/llm/wire"
)

// events reads a stream of server-sent events: lines "data: …", with an empty
// line after each event (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type events struct {
	body  io.ReadCloser
	lines *bufio.Scanner
}

func newEvents(body io.ReadCloser) *events {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxEvent)
	return &events{body, lines}
}

// Close ends the stream.
func (e *events) Close() { _ = e.body.Close() } // only read

// next returns the next piece of the answer. At the end of the stream it fails
// with io.EOF.
func (e *events) next() (chunk, error) {
	data, err := e.data()
	if err == nil && (data == nil || bytes.HasPrefix(data, []byte("[DONE]"))) {
		err = io.EOF
	}
	if err != nil {
		return chunk{}, err
	}
	var c chunk
	if err := decode(data, &c); err != nil {
		return chunk{}, err
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return chunk{}, &streamError{complaintOf(data)}
	}
	return c, nil
}

// maxIdle bounds the lines before an event that say nothing: a server sends one every few
// seconds at most.
const maxIdle = 1 << 16

// data returns the data of the next event that has any, nil at the end.
func (e *events) data() ([]byte, error) {
	var data []byte
	for idle := 0; e.lines.Scan(); idle++ {
		line := e.lines.Bytes()
		if len(line) == 0 && len(data) > 0 {
			return data, nil
		}
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
		if len(data) > maxEvent || idle > maxIdle && len(data) == 0 {
			return nil, wire.ErrBody
		}
	}
	if errors.Is(e.lines.Err(), bufio.ErrTooLong) {
		return nil, wire.ErrBody
	}
	if e.lines.Err() == nil && len(data) > 0 {
		return data, nil // the empty line after the last event is missing
	}
	return nil, e.lines.Err()
}

// chunk is one piece of an answer.
type chunk struct {
	Choices []struct {
		Index        int    `json:"index"`
		Delta        delta  `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// delta is what a piece adds. Servers name what a model thinks in two ways.
type delta struct {
	Content          string          `json:"content"`
	Refusal          string          `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        []toolCall      `json:"tool_calls"`
}
