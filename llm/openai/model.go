package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// model is one model of a server.
type model struct {
	provider *Provider
	info     llm.Info
}

// Info describes the model.
func (m *model) Info() llm.Info { return m.info }

// habits are what a server does not accept in a request, as it has said so far.
type habits struct {
	mu            sync.Mutex
	newTokens     bool // wants max_completion_tokens, not max_tokens
	noTemperature bool
	noSeed        bool
	noUsage       bool // knows no stream_options
}

// Complete asks for one answer over /chat/completions.
func (m *model) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	answer, err := m.complete(ctx, r, onText)
	if err != nil {
		return llm.Answer{}, fmt.Errorf("ask %s: %w", m.info.Name, err)
	}
	return answer, nil
}

// complete asks again without the fields that the server refuses.
func (m *model) complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	for {
		answer, err := m.ask(ctx, r, onText)
		var server *ServerError
		if err == nil || !errors.As(err, &server) || !m.provider.habits.learn(server) {
			return answer, err
		}
	}
}

// learn notes which parameter the server has refused, and reports whether that is new.
func (h *habits) learn(e *ServerError) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	about := func(param string) bool { return e.Param == param || strings.Contains(e.Message, param) }
	flag := (*bool)(nil)
	switch {
	case about("max_tokens"):
		flag = &h.newTokens
	case about("temperature"):
		flag = &h.noTemperature
	case about("seed"):
		flag = &h.noSeed
	case about("stream_options"):
		flag = &h.noUsage
	}
	if flag == nil || *flag {
		return false
	}
	*flag = true
	return true
}

// ask sends one request and reads the stream of its answer.
func (m *model) ask(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	q, err := m.request(r)
	if err != nil {
		return llm.Answer{}, err
	}
	o := m.provider.options
	watched, watch, stop := wire.NewWatch(ctx, wire.OrDefault(r.FirstToken, o.FirstToken), wire.OrDefault(r.Total, o.Total))
	defer stop()

	in := &stream{started: time.Now(), onText: onText}
	events, err := m.provider.stream(watched, q)
	if err == nil {
		err = in.read(events, func() { watch.Fed(o.Stall) })
		events.Close()
	}
	switch {
	case ctx.Err() != nil:
		return llm.Answer{}, context.Cause(ctx)
	case in.reason != "" && (err == nil || wire.IsTransport(err) || watched.Err() != nil):
		return in.answer() // complete; at most the figures are missing
	case watched.Err() != nil:
		return llm.Answer{}, advice.Add(context.Cause(watched), "is the server overloaded? Try a smaller model, or later")
	case err != nil:
		return llm.Answer{}, m.failed(ctx, err, in)
	case in.pieces == 0:
		return llm.Answer{}, m.provider.unavailable(errProtocol.Error())
	}
	return llm.Answer{}, fmt.Errorf("%w: the stream ended before the server said that it was done", llm.ErrCut)
}

// failed explains an error of the stream.
func (m *model) failed(ctx context.Context, err error, in *stream) error {
	if errors.Is(err, llm.ErrTooLong) {
		return err
	}
	var malformed *json.SyntaxError
	if in.shown() && (wire.IsTransport(err) || errors.As(err, &malformed)) {
		return fmt.Errorf("%w: the connection was closed in the middle", llm.ErrCut)
	}
	err = m.provider.explain(ctx, err)
	var server *ServerError
	if !errors.As(err, &server) || server.Status != http.StatusNotFound {
		return err
	}
	list, listErr := m.provider.list(ctx)
	if listErr != nil {
		return fmt.Errorf("%w: %w", llm.ErrUnknownModel, err)
	}
	return fmt.Errorf("%w: %w", unknown(m.info.Name, list), err)
}
