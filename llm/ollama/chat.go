package ollama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

const (
	// maxAnswer bounds an answer, and separately the thinking before it, in bytes.
	maxAnswer = 1 << 20
	// maxThinking is larger: some models think long and answer shortly.
	maxThinking = 4 << 20
	// defaultTokens is what an answer may take when the request does not say;
	// a model that cannot help thinking gets twice as much.
	defaultTokens = 4096
)

// model is one model of a server.
type model struct {
	provider *Provider
	info     llm.Info
}

// Info describes the model.
func (m *model) Info() llm.Info { return m.info }

// Complete asks for one answer over /api/chat.
func (m *model) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	answer, err := m.complete(ctx, r, onText)
	if err != nil {
		return llm.Answer{}, fmt.Errorf("ask %s: %w", m.info.Name, err)
	}
	return answer, nil
}

// complete asks again where the server refuses what it can be asked
// differently: with a larger context, or without a word about thinking.
func (m *model) complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	size, err := m.size(r)
	if err != nil {
		return llm.Answer{}, err
	}
	think := m.think()
	for {
		answer, err := m.ask(ctx, r, size, think, onText)
		var server *ServerError
		switch {
		case errors.Is(err, llm.ErrPromptTooLong) && size.context < m.limit():
			size.context = m.keep(nextBucket(size.context, m.limit()))
		case think != nil && errors.As(err, &server) && server.Status == 400 && strings.Contains(server.Message, "think"):
			think = nil
		default:
			return answer, err
		}
	}
}

// sizes are in tokens.
type sizes struct {
	prompt  int // estimated
	context int // num_ctx
	answer  int // num_predict
}

// buckets are the contexts asked for.
var buckets = []int{4096, 8192, 16384, 32768, 65536, 131072}

// limit is the largest context to ask for.
func (m *model) limit() int {
	if m.info.Context > 0 {
		return min(m.info.Context, m.provider.options.MaxContext)
	}
	return m.provider.options.MaxContext
}

func nextBucket(need, limit int) int {
	for _, b := range buckets {
		if b > need {
			return min(b, limit)
		}
	}
	return limit
}

// size chooses the context by the prompt and the answer to come.
func (m *model) size(r llm.Request) (sizes, error) {
	s := sizes{answer: r.MaxTokens}
	if s.answer <= 0 {
		s.answer = defaultTokens
		if m.alwaysThinks() {
			s.answer *= 2
		}
	}
	s.prompt = (messageBytes(r.Messages)+toolBytes(r.Tools))/3 + 8*(len(r.Messages)+len(r.Tools))
	limit := m.limit()
	s.context = m.keep(nextBucket(s.prompt+s.answer+headroom(r, s.answer)-1, limit))
	if s.prompt+s.answer > limit {
		s.context = m.keep(limit)
		// A third of the estimate is caution; the server has the last word.
		if s.prompt*2/3 >= limit {
			return s, fmt.Errorf("%w: about %d tokens for %d", llm.ErrPromptTooLong, s.prompt, limit)
		}
		s.answer = max(limit-s.prompt, limit/4)
	}
	return s, nil
}

// lookedUp is what the results of a model's questions may take, in tokens.
const lookedUp = 8192

// headroom is what the rest of a conversation may add to its first request, in
// tokens: with tools their results, otherwise an answer, which mostly takes
// less than half of its room, and a complaint.
func headroom(r llm.Request, answer int) int {
	if len(r.Tools) > 0 {
		return lookedUp
	}
	return answer / 2
}

// keep returns the context to ask for: never less than before, because a
// changed num_ctx makes the server load the model again.
func (m *model) keep(context int) int {
	p := m.provider
	p.mu.Lock()
	defer p.mu.Unlock()
	context = max(context, p.contexts[m.info.Name])
	p.contexts[m.info.Name] = context
	return context
}

// alwaysThinks names the family that cannot be kept from thinking.
func (m *model) alwaysThinks() bool {
	return strings.Contains(m.info.Family, "gptoss") || strings.Contains(m.info.Name, "gpt-oss")
}

// think returns what to say about thinking: nothing to models that cannot.
func (m *model) think() *api.ThinkValue {
	switch {
	case !slices.Contains(m.info.Capabilities, llm.Thinking):
		return nil
	case m.alwaysThinks():
		return &api.ThinkValue{Value: "low"}
	}
	return &api.ThinkValue{Value: false}
}

func (m *model) request(r llm.Request, s sizes, think *api.ThinkValue) (*api.ChatRequest, error) {
	no, yes := false, true
	req := &api.ChatRequest{
		Model: m.info.Name, Stream: &yes, Truncate: &no, Shift: &no, Think: think,
		Options: map[string]any{"num_ctx": s.context, "num_predict": s.answer, "temperature": r.Temperature, "seed": r.Seed},
	}
	if d := m.provider.options.KeepAlive; d > 0 {
		req.KeepAlive = &api.Duration{Duration: d}
	}
	for _, msg := range r.Messages {
		req.Messages = append(req.Messages, message(msg))
	}
	var err error
	req.Tools, err = tools(r.Tools)
	return req, err
}

// ask sends one request and reads the stream of its answer.
func (m *model) ask(ctx context.Context, r llm.Request, s sizes, think *api.ThinkValue, onText func(string)) (llm.Answer, error) {
	req, err := m.request(r, s, think)
	if err != nil {
		return llm.Answer{}, err
	}
	o := m.provider.options
	watched, watch, stop := wire.NewWatch(ctx, wire.OrDefault(r.FirstToken, o.FirstToken), wire.OrDefault(r.Total, o.Total))
	defer stop()

	var after time.Duration
	in := &stream{started: time.Now(), onText: onText}
	err = m.provider.client.Chat(context.WithValue(watched, afterKey{}, &after), req, func(c api.ChatResponse) error {
		watch.Fed(o.Stall)
		return in.take(c)
	})
	if ctx.Err() == nil && watched.Err() != nil && !in.done && !errors.Is(err, llm.ErrTooLong) {
		return llm.Answer{}, advice.Add(context.Cause(watched), "is the machine large enough for the model? Try a smaller one")
	}
	if err != nil {
		return llm.Answer{}, m.failed(ctx, err, in, after)
	}
	return in.answer(r, s)
}

// isHalfLine reports whether the client read a line of the stream that is not
// whole. It has no error of its own for that: the line is the error's text.
func isHalfLine(err error) bool { return strings.HasPrefix(strings.TrimSpace(err.Error()), "{") }

// failed explains an error of the stream.
func (m *model) failed(ctx context.Context, err error, in *stream, after time.Duration) error {
	begun := in.text.Len() > 0 || len(in.calls.list) > 0 // else the same may be asked again
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, llm.ErrTooLong):
		return err
	case begun && wire.IsTransport(err), isHalfLine(err):
		return fmt.Errorf("%w: the connection was closed in the middle", llm.ErrCut)
	}
	err = m.provider.explain(ctx, err)
	if busy := (*llm.BusyError)(nil); errors.As(err, &busy) {
		busy.After = after
	}
	if errors.Is(err, llm.ErrUnknownModel) {
		return m.provider.unknown(ctx, m.info.Name, err)
	}
	return err
}
