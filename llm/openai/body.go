package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/pausetui/pausetui/llm/wire"
)

const (
	// maxBody bounds what is read of an answer that comes at once, in bytes.
	maxBody = 32 << 20
	// maxEvent bounds one event of a stream: an answer of maxAnswer, escaped.
	maxEvent = 8 << 20
	// maxComplaint bounds what is read of an error.
	maxComplaint = 64 << 10
)

// errProtocol is returned for an answer that is none of OpenAI's protocol.
var errProtocol = errors.New("the server there does not speak OpenAI's protocol")

// bounded is a transport that bounds what is read, and gives every error the
// one form that the client understands.
func bounded(next http.RoundTripper) http.RoundTripper {
	return wire.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return resp, err
		}
		switch {
		case resp.StatusCode >= http.StatusBadRequest:
			data, err := io.ReadAll(io.LimitReader(resp.Body, maxComplaint))
			_ = resp.Body.Close() // only read
			if err != nil && len(data) == 0 {
				return nil, err
			}
			resp.Body = io.NopCloser(bytes.NewReader(complaint(data)))
		case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"):
			resp.Body = &events{ReadCloser: resp.Body}
		case r.Method == http.MethodGet && !strings.Contains(resp.Header.Get("Content-Type"), "json"):
			_ = resp.Body.Close() // nothing of it is wanted
			return nil, errProtocol
		default:
			resp.Body = wire.Bounded(resp.Body, maxBody)
		}
		return resp, nil
	})
}

// said is an error in the words of a server.
type said struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    string `json:"code"`
	Param   string `json:"param"`
}

// complaint makes {"error":{…}} with texts of what servers send: that, an
// error that is a text, the fields without "error" around them (vLLM), a
// "detail" (FastAPI), or a page.
func complaint(data []byte) []byte {
	found := words(data)
	if found.Message == "" && !json.Valid(data) {
		found.Message = string(data)
	}
	out, err := json.Marshal(map[string]said{"error": found})
	if err != nil {
		return []byte(`{"error":{"message":""}}`)
	}
	return out
}

func words(data []byte) said {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return said{Message: text(data)}
	}
	for _, inner := range []string{"error", "detail"} {
		if found := words(fields[inner]); found.Message != "" {
			return found
		}
	}
	return said{text(fields["message"]), text(fields["type"]), text(fields["code"]), text(fields["param"])}
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

// events is the body of a stream; it fails once a single event is too large,
// before the client gathers it.
type events struct {
	io.ReadCloser
	size    int
	newline bool
}

// Read reads until an event passes the bound.
func (e *events) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	for _, c := range p[:n] {
		switch {
		case c == '\n' && e.newline:
			e.size = 0
		case c == '\n':
			e.newline = true
		case c != '\r':
			e.newline = false
			e.size++
		}
	}
	if e.size > maxEvent {
		return 0, wire.ErrBody
	}
	return n, err
}
