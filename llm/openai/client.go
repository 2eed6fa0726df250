package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/pausetui/pausetui/llm/wire"
)

const (
	// maxBody bounds the list of models, in bytes.
	maxBody = 32 << 20
	// maxEvent bounds one event of a stream: an answer of maxAnswer, escaped.
	maxEvent = 8 << 20
	// maxComplaint bounds what is read of an error.
	maxComplaint = 64 << 10
)

// errProtocol is returned for an answer that is none of OpenAI's protocol.
var errProtocol = errors.New("the server there does not speak OpenAI's protocol")

// send sends a request and returns the answer, unless its status is an error.
func (p *Provider) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.base.JoinPath(path).String(), body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.options.Key != "" {
		r.Header.Set("Authorization", "Bearer "+p.options.Key)
	}
	resp, err := p.client.Do(r)
	if err != nil || resp.StatusCode < http.StatusMultipleChoices {
		return resp, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxComplaint))
	if err != nil && len(data) == 0 {
		return nil, err
	}
	return nil, &statusError{complaintOf(data), resp.StatusCode, resp.Header}
}

// get reads a JSON document of the server into v.
func (p *Provider) get(ctx context.Context, path string, v any) error {
	resp, err := p.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if !strings.Contains(resp.Header.Get("Content-Type"), "json") {
		return errProtocol
	}
	data, err := io.ReadAll(wire.Bounded(resp.Body, maxBody))
	if err != nil {
		return err
	}
	return decode(data, v)
}

// stream asks for an answer in pieces.
func (p *Provider) stream(ctx context.Context, q request) (*events, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	resp, err := p.send(ctx, http.MethodPost, "chat/completions", bytes.NewReader(body)) //nolint:bodyclose // events.Close does
	if err != nil {
		return nil, err
	}
	return newEvents(resp.Body), nil
}

// decode reads JSON. Fields of another kind than the protocol's stay empty.
func decode(data []byte, v any) error {
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(data, v); err != nil && !errors.As(err, &kind) {
		return err
	}
	return nil
}

// statusError is an answer with the status of an error.
type statusError struct {
	complaint
	status int
	header http.Header
}

// Error returns the server's words.
func (e *statusError) Error() string { return e.Message }

// streamError is an error in the middle of a stream.
type streamError struct{ complaint }

// Error returns the server's words.
func (e *streamError) Error() string { return e.Message }

// complaint is an error in the words of a server.
type complaint struct{ Message, Type, Code, Param string }

// complaintOf finds the words in what servers send: {"error":{…}}, an error
// that is a text, the fields without "error" around them (vLLM), a "detail"
// (FastAPI), or a page.
func complaintOf(data []byte) complaint {
	found := words(data)
	if found.Message == "" && !json.Valid(data) {
		found.Message = string(data)
	}
	return found
}

func words(data []byte) complaint {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return complaint{Message: text(data)}
	}
	for _, inner := range []string{"error", "detail"} {
		if found := words(fields[inner]); found.Message != "" {
			return found
		}
	}
	return complaint{text(fields["message"]), text(fields["type"]), text(fields["code"]), text(fields["param"])}
}

// text is a JSON string, or a number as it is written.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}
