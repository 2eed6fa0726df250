package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

const (
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 1 << 20
	// maxThinking is larger: some models think long and answer shortly.
	maxThinking = 4 << 20
	// maxCalls bounds the tools that one answer may ask for.
	maxCalls = 32
	// maxArguments bounds all their arguments together, in bytes.
	maxArguments = 256 << 10
)

// stream collects the pieces of an answer.
type stream struct {
	started  time.Time
	first    time.Duration
	onText   func(string)
	text     strings.Builder
	refusal  strings.Builder
	tags     wire.ThinkFilter
	thinking int // bytes
	pieces   int
	calls    []*call
	size     int // bytes of the calls' arguments
	reason   string
	prompt   int // tokens, as the server counted
	tokens   int // of the answer and the thinking before it
}

// call is a call under way: its arguments come in pieces.
type call struct {
	index     int64
	id, name  string
	arguments strings.Builder
}

// read takes the pieces to the end of the stream; fed is told of each.
func (s *stream) read(e *events, fed func()) error {
	for {
		c, err := e.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		fed()
		if err := s.take(c); err != nil {
			return err
		}
	}
}

// take adds one piece. Its error ends the stream.
func (s *stream) take(c chunk) error {
	s.pieces++
	if s.pieces == 1 {
		s.first = time.Since(s.started)
	}
	if c.Usage != nil {
		s.prompt, s.tokens = max(c.Usage.PromptTokens, 0), max(c.Usage.CompletionTokens, 0)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // one answer was asked for
		}
		if err := s.delta(choice.Delta); err != nil {
			return err
		}
		if choice.FinishReason != "" {
			s.reason = choice.FinishReason
			s.add(s.tags.Rest())
		}
	}
	return nil
}

func (s *stream) delta(d delta) error {
	s.thinking += len(d.ReasoningContent) + len(d.Reasoning)
	text, thought := s.tags.Split(d.Content)
	s.thinking += thought
	if s.thinking > maxThinking {
		return fmt.Errorf("%w: over %d MiB of thinking", llm.ErrTooLong, maxThinking>>20)
	}
	if s.text.Len()+len(text) > maxAnswer || s.refusal.Len()+len(d.Refusal) > maxAnswer {
		return fmt.Errorf("%w: over %d MiB", llm.ErrTooLong, maxAnswer>>20)
	}
	s.refusal.WriteString(d.Refusal)
	s.add(text)
	for _, piece := range d.ToolCalls {
		if err := s.call(piece); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) add(text string) {
	if text == "" {
		return
	}
	s.text.WriteString(text)
	if s.onText != nil {
		s.onText(text)
	}
}

// call adds a piece of a call. A new id begins a new call, also under the index
// of another: not every server counts them.
func (s *stream) call(piece toolCall) error {
	s.size += len(piece.ID) + len(piece.Function.Name) + len(piece.Function.Arguments)
	at := -1
	for i, c := range s.calls {
		if c.index == piece.Index && (piece.ID == "" || piece.ID == c.id) {
			at = i
		}
	}
	if at < 0 {
		s.calls, at = append(s.calls, &call{index: piece.Index, id: piece.ID}), len(s.calls)
	}
	if len(s.calls) > maxCalls || s.size > maxArguments {
		return fmt.Errorf("%w: over %d calls of tools or %d KiB of arguments", llm.ErrTooLong, maxCalls, maxArguments>>10)
	}
	c := s.calls[at]
	if c.name == "" {
		c.name = piece.Function.Name
	}
	c.arguments.WriteString(piece.Function.Arguments)
	return nil
}

// shown reports whether anything of the answer has come.
func (s *stream) shown() bool { return s.text.Len() > 0 || len(s.calls) > 0 }

// answer returns the complete answer, or why it is none.
func (s *stream) answer() (llm.Answer, error) {
	empty := strings.TrimSpace(s.text.String()) == "" && len(s.calls) == 0
	switch {
	case s.reason == "length" && empty:
		err := fmt.Errorf("%w: all tokens went into thinking", llm.ErrCut)
		return llm.Answer{}, advice.Add(err, "allow more tokens, or choose a model that does not think")
	case s.reason == "length":
		return llm.Answer{}, advice.Add(fmt.Errorf("%w: after %d tokens", llm.ErrCut, s.tokens), "allow more tokens")
	case s.reason == "content_filter":
		return llm.Answer{}, fmt.Errorf("%w: its filter has stopped the answer", llm.ErrFiltered)
	case empty && s.refusal.Len() > 0:
		return llm.Answer{}, fmt.Errorf("%w: %s", llm.ErrFiltered, wire.Clean(s.refusal.String()))
	case empty:
		return llm.Answer{}, llm.ErrEmpty
	}
	answer := llm.Answer{Text: s.text.String(), PromptTokens: s.prompt, Tokens: s.tokens, Took: time.Since(s.started), FirstToken: s.first}
	for _, c := range s.calls {
		answer.Calls = append(answer.Calls, c.done())
	}
	return answer, nil
}

// done reads the arguments. What is no JSON object is left out: the tool then
// says what it misses, and the model can ask again.
func (c *call) done() llm.Call {
	out := llm.Call{ID: c.id, Name: c.name}
	var arguments map[string]any
	if json.Unmarshal([]byte(c.arguments.String()), &arguments) == nil {
		out.Arguments = arguments
	}
	return out
}
