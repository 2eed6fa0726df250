package ollama

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
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

// Is reports whether the server has failed. That it could not read a call that the model
// has written is the model's doing.
func (e *ServerError) Is(target error) bool {
	return target == llm.ErrServer && (e.Status == 0 || e.Status >= http.StatusInternalServerError) && !strings.Contains(e.Message, "tool call")
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
		return advice.Add(fmt.Errorf("%w: not signed in", llm.ErrUnauthorized), "run: ollama signin")
	case errors.Is(err, context.DeadlineExceeded):
		return p.unavailable("no answer in time")
	case errors.Is(err, wire.ErrBody), errors.As(err, &malformed):
		return p.unavailable("the server there is not Ollama")
	case errors.Is(err, bufio.ErrTooLong):
		return llm.ErrTooLong
	case wire.IsTransport(err):
		return p.unavailable(wire.Cause(err))
	}
	return &ServerError{Message: wire.Clean(err.Error())}
}

func explainStatus(s api.StatusError) error {
	err := &ServerError{s.StatusCode, wire.Clean(s.ErrorMessage)}
	if err.Message == "" {
		err.Message = http.StatusText(s.StatusCode)
	}
	switch {
	case s.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %s", llm.ErrUnknownModel, err.Message)
	case s.StatusCode == http.StatusBadRequest && wire.AboutLength(err.Message):
		return fmt.Errorf("%w: %s", llm.ErrPromptTooLong, err.Message)
	case s.StatusCode == http.StatusBadRequest && strings.Contains(err.Message, "does not support tools"):
		return advice.Add(err, "choose a model with the capability tools")
	case s.StatusCode == http.StatusServiceUnavailable:
		return advice.Add(&llm.BusyError{Err: err}, "the server is busy: try again, or raise OLLAMA_MAX_QUEUE")
	case s.StatusCode == http.StatusTooManyRequests:
		return advice.Add(&llm.BusyError{Err: err}, "the limit of the service is reached: wait, or choose a local model")
	case s.StatusCode >= http.StatusInternalServerError:
		return advice.Add(err, "look at the server's own log: it has failed, not the model")
	}
	return err
}

func (p *Provider) unavailable(why string) error {
	err := fmt.Errorf("%w at %s: %s", llm.ErrUnavailable, p.Host(), why)
	return advice.Add(err, "start it with: ollama serve; or set OLLAMA_HOST")
}

// unknown adds near names to an unknown model's error.
func (p *Provider) unknown(ctx context.Context, name string, err error) error {
	if !errors.Is(err, llm.ErrUnknownModel) {
		return fmt.Errorf("open model %q: %w", name, err)
	}
	err = fmt.Errorf("%w %q", llm.ErrUnknownModel, name)
	list, listErr := p.Models(ctx)
	if listErr != nil || len(list) == 0 {
		return advice.Add(err, "get it with: ollama pull "+wire.Clean(name))
	}
	names := wire.Near(name, list)
	if len(names) == 0 {
		return advice.Add(err, fmt.Sprintf("get it with: ollama pull %s; there are %s", wire.Clean(name), wire.Some(list)))
	}
	return advice.Add(err, "did you mean "+strings.Join(names, ", ")+"?")
}
