package ollama

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// stream collects the pieces of an answer.
type stream struct {
	started  time.Time
	first    time.Duration
	onText   func(string)
	text     strings.Builder
	tags     wire.ThinkFilter
	thinking int // bytes
	pieces   int
	calls    calls
	done     bool
	reason   string
	prompt   int // tokens, as the server counted
	tokens   int // of the answer and the thinking before it
}

// take adds one piece. Its error ends the stream.
func (s *stream) take(c api.ChatResponse) error {
	s.pieces++
	if s.pieces == 1 {
		s.first = time.Since(s.started)
	}
	text, thought := s.tags.Split(c.Message.Content)
	s.thinking += len(c.Message.Thinking) + thought
	if s.thinking > maxThinking {
		return fmt.Errorf("%w: over %d MiB of thinking", llm.ErrTooLong, maxThinking>>20)
	}
	if s.text.Len()+len(text) > maxAnswer {
		return fmt.Errorf("%w: over %d MiB", llm.ErrTooLong, maxAnswer>>20)
	}
	s.add(text)
	if err := s.calls.add(c.Message.ToolCalls); err != nil {
		return err
	}
	if c.Done {
		s.add(s.tags.Rest())
		s.done, s.reason = true, c.DoneReason
		s.prompt, s.tokens = c.PromptEvalCount, c.EvalCount
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

// answer returns the complete answer, or why it is none.
func (s *stream) answer(r llm.Request, asked sizes) (llm.Answer, error) {
	empty := strings.TrimSpace(s.text.String()) == "" && len(s.calls.list) == 0
	switch {
	case !s.done:
		return llm.Answer{}, fmt.Errorf("%w: the stream ended before the server said that it was done", llm.ErrCut)
	case s.reason == "length" && empty:
		err := fmt.Errorf("%w: all %d tokens went into thinking", llm.ErrCut, asked.answer)
		return llm.Answer{}, advice.Add(err, "allow more tokens, or choose a model that does not think")
	case s.reason == "length":
		err := fmt.Errorf("%w: after %d tokens", llm.ErrCut, s.tokens)
		return llm.Answer{}, advice.Add(err, "allow more tokens")
	case empty:
		return llm.Answer{}, llm.ErrEmpty
	}
	if err := truncated(r, s.prompt); err != nil {
		return llm.Answer{}, err
	}
	return llm.Answer{
		Text: s.text.String(), Calls: s.calls.list, PromptTokens: s.prompt, Tokens: s.tokens,
		Took: time.Since(s.started), FirstToken: s.first,
	}, nil
}

// truncated notices a server that has dropped a part of the prompt without a
// word (one that does not know truncate:false): no tokeniser makes so few
// tokens of so much text. White space is left out, because it folds well.
func truncated(r llm.Request, counted int) error {
	const perToken = 8 // bytes; source code and English have three to four
	size := 0
	for _, m := range r.Messages {
		for _, r := range m.Text {
			if !unicode.IsSpace(r) {
				size += utf8.RuneLen(r)
			}
		}
	}
	if counted == 0 || size <= perToken*counted {
		return nil
	}
	return fmt.Errorf("%w: the server has read only %d tokens of it", llm.ErrPromptTooLong, counted)
}
