package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// ServerError is an error in the server's own words.
type ServerError struct {
	Status  int    // HTTP; 0 for an error in the middle of a stream
	Message string // at most 500 bytes, without control characters
	Param   string // of the request that the server objects to; may be empty
}

// Error returns the server's words.
func (e *ServerError) Error() string {
	if e.Status == 0 {
		return "the server says: " + e.Message
	}
	return fmt.Sprintf("the server says: %s (HTTP %d)", e.Message, e.Status)
}

// Is reports whether the server has failed.
func (e *ServerError) Is(target error) bool {
	return target == llm.ErrServer && e.Status >= http.StatusInternalServerError
}

// explain turns an error of the client into one of package llm, with a hint
// where there is advice. ctx is the caller's: its end is the caller's doing.
func (p *Provider) explain(ctx context.Context, err error) error {
	var status *statusError
	var stream *streamError
	var malformed *json.SyntaxError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &status):
		return p.explainStatus(status)
	case errors.As(err, &stream):
		return p.explainWords(&ServerError{Message: p.clean(stream.Message)}, stream.Code+" "+stream.Type)
	case errors.Is(err, context.DeadlineExceeded):
		return p.unavailable("no answer in time")
	case errors.Is(err, wire.ErrBody):
		return fmt.Errorf("%w: %w", llm.ErrTooLong, wire.ErrBody)
	case errors.As(err, &malformed), errors.Is(err, errProtocol):
		return p.unavailable(errProtocol.Error())
	case wire.IsTransport(err):
		return p.unavailable(wire.Cause(err))
	}
	return &ServerError{Message: p.clean(err.Error())}
}

func (p *Provider) explainStatus(e *statusError) error {
	err := &ServerError{Status: e.status, Message: p.clean(e.Message), Param: wire.Clean(e.Param)}
	if err.Message == "" {
		err.Message = http.StatusText(e.status)
	}
	switch {
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return advice.Add(fmt.Errorf("%w: %w", llm.ErrUnauthorized, err), "set OPENAI_API_KEY, or the variable that the provider's settings name")
	case e.Code == "insufficient_quota":
		return advice.Add(err, "the account has no credit left")
	case e.status == http.StatusTooManyRequests, e.status == http.StatusServiceUnavailable:
		busy := &llm.BusyError{Err: err, After: wire.RetryAfter(e.header, time.Now())}
		return advice.Add(busy, "wait a while, or choose another model")
	}
	return p.explainWords(err, e.Code+" "+e.Type)
}

// explainWords looks at what the server says; code is its own short name for it.
func (p *Provider) explainWords(err *ServerError, code string) error {
	switch {
	case err.Status < http.StatusInternalServerError && (wire.AboutLength(err.Message) || wire.AboutLength(code)):
		return fmt.Errorf("%w: %w", llm.ErrPromptTooLong, err)
	case strings.Contains(code, "content_filter"), strings.Contains(code, "content_policy"):
		return fmt.Errorf("%w: %w", llm.ErrFiltered, err)
	case err.Status >= http.StatusInternalServerError:
		return advice.Add(err, "look at the server's own log: it has failed, not the model")
	}
	return err
}

// clean bounds the server's words, and takes the key out of them.
func (p *Provider) clean(s string) string {
	if p.options.Key != "" {
		s = strings.ReplaceAll(s, p.options.Key, "[key]")
	}
	return wire.Clean(s)
}

func (p *Provider) unavailable(why string) error {
	err := fmt.Errorf("%w at %s: %s", llm.ErrUnavailable, p.Host(), why)
	return advice.Add(err, "start the server, or give its address in OPENAI_BASE_URL or the provider's base_url")
}
