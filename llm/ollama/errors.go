package ollama

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/llm"
)

// ServerError is an error in the server's own words.
type ServerError struct {
	Status  int    // HTTP; 0 for an error in the middle of a stream
	Message string // at most 500 bytes, without control characters
}

// Error returns the server's words.
func (e *ServerError) Error() string {
	if e.Status == 0 {
		return "ollama: " + e.Message
	}
	return fmt.Sprintf("ollama: %s (HTTP %d)", e.Message, e.Status)
}

// explain turns an error of the client into one of package llm, with a hint
// where there is advice. ctx is the caller's: its end is the caller's doing.
func (p *Provider) explain(ctx context.Context, err error) error {
	var status api.StatusError
	var auth api.AuthorizationError
	var malformed *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &status):
		return explainStatus(status)
	case errors.As(err, &auth):
		return debugger.WithHint(&ServerError{http.StatusUnauthorized, "not signed in"}, "run: ollama signin")
	case errors.Is(err, context.DeadlineExceeded):
		return p.unavailable("no answer in time")
	case errors.Is(err, errBody), errors.As(err, &malformed):
		return p.unavailable("what answers there is not Ollama")
	case errors.Is(err, bufio.ErrTooLong):
		return llm.ErrTooLong
	case isTransport(err):
		return p.unavailable(cause(err))
	}
	return &ServerError{Message: clean(err.Error())}
}

func explainStatus(s api.StatusError) error {
	err := &ServerError{s.StatusCode, clean(s.ErrorMessage)}
	if err.Message == "" {
		err.Message = http.StatusText(s.StatusCode)
	}
	switch {
	case s.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %s", llm.ErrUnknownModel, err.Message)
	case s.StatusCode == http.StatusBadRequest && aboutLength(err.Message):
		return fmt.Errorf("%w: %s", llm.ErrPromptTooLong, err.Message)
	case s.StatusCode == http.StatusServiceUnavailable:
		return debugger.WithHint(err, "the server is busy: try again, or raise OLLAMA_MAX_QUEUE")
	case s.StatusCode >= http.StatusInternalServerError:
		return debugger.WithHint(err, "look at the server's own log: it has failed, not the model")
	}
	return err
}

// aboutLength recognises the server's complaints about a prompt that does not
// fit (v0.24.0: "the input length exceeds the context length"; v0.34.2: "the
// prompt is longer than the context length currently available …").
func aboutLength(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "context length") || strings.Contains(message, "context window") ||
		strings.Contains(message, "context size") || strings.Contains(message, "prompt is too long")
}

func (p *Provider) unavailable(why string) error {
	err := fmt.Errorf("%w at %s: %s", llm.ErrUnavailable, p.Host(), why)
	return debugger.WithHint(err, "start it with: ollama serve; or set OLLAMA_HOST")
}

// isTransport tells whether the connection failed, rather than the request.
func isTransport(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var u *url.Error
	return errors.As(err, &op) || errors.As(err, &dns) || errors.As(err, &u) || isCut(err)
}

// isCut tells whether a connection ended in the middle of an answer.
func isCut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// cause returns the innermost words of a transport error.
func cause(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case isCut(err):
		return "the connection was closed"
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return clean(err.Error())
}

// clean strips control characters and bounds the server's words.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.TrimSpace(s)
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:497], "") + "…"
	}
	return s
}

// unknown adds near names to an unknown model's error.
func (p *Provider) unknown(ctx context.Context, name string, err error) error {
	if !errors.Is(err, llm.ErrUnknownModel) {
		return fmt.Errorf("open model %q: %w", name, err)
	}
	err = fmt.Errorf("%w %q", llm.ErrUnknownModel, name)
	list, listErr := p.Models(ctx)
	if listErr != nil || len(list) == 0 {
		return debugger.WithHint(err, "get it with: ollama pull "+clean(name))
	}
	names := near(name, list)
	if len(names) == 0 {
		return debugger.WithHint(err, fmt.Sprintf("get it with: ollama pull %s; there are %s", clean(name), some(list)))
	}
	return debugger.WithHint(err, "did you mean "+strings.Join(names, ", ")+"?")
}

// some names up to five models.
func some(list []llm.Info) string {
	var names []string
	for i, m := range list {
		if i == 5 {
			return strings.Join(names, ", ") + ", …"
		}
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// near returns up to three models whose names are like name, the nearest first.
func near(name string, list []llm.Info) []string {
	type scored struct {
		name string
		d    int
	}
	var hits []scored
	base, _, _ := strings.Cut(strings.ToLower(name), ":")
	for _, m := range list {
		full := strings.ToLower(m.Name)
		other, _, _ := strings.Cut(full, ":")
		d := min(distance(strings.ToLower(name), full), distance(base, other))
		if d <= max(2, len(base)/3) || base != "" && (strings.Contains(other, base) || strings.Contains(base, other)) {
			hits = append(hits, scored{m.Name, d})
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int { return a.d - b.d })
	var names []string
	for _, h := range hits[:min(3, len(hits))] {
		names = append(names, h.name)
	}
	return names
}

// distance counts the bytes to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
