package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
)

// Probe is what a model showed when it was tried.
type Probe struct {
	At time.Time `json:"at"`
	// Edits: its reply to a tiny case could be used as an edit. Fixes: the edit
	// was right. Trouble says what was wrong, where something was.
	Edits   bool   `json:"edits"`
	Fixes   bool   `json:"mends"`
	Trouble string `json:"trouble,omitempty"`
	// Calls: it called the tool it was asked to call. CallTrouble says why not.
	Calls       bool   `json:"calls"`
	CallTrouble string `json:"call_trouble,omitempty"`
	// Speed is in tokens per second, without the wait for the first; 0 when the
	// server did not count.
	Speed      float64       `json:"speed,omitempty"`
	FirstToken time.Duration `json:"first_token,omitempty"`
}

const (
	probeTokens = 1024            // of each answer
	probeWait   = 3 * time.Minute // for each answer
	probeFirst  = 2 * time.Minute // for its first token, which may have to load the model
)

// Try tries a model on a case so small that every model that is of use gets it
// right: it is asked for one edit, and then to call one tool. It takes as long
// as the model does, two answers. What the model does wrong is in the Probe; an
// error means that it could not be asked.
func Try(ctx context.Context, m llm.Model, now func() time.Time) (Probe, error) {
	p := Probe{At: now()}
	answer, err := m.Complete(ctx, probeRequest(editTask()), nil)
	switch {
	case notAsked(ctx, err):
		return Probe{}, fmt.Errorf("probe %s: %w", m.Info().ID(), err)
	case err != nil:
		p.Trouble = err.Error()
	default:
		p.Edits, p.Fixes, p.Trouble = judge(answer.Text)
		p.Speed, p.FirstToken = speed(answer), answer.FirstToken
	}
	if caps := m.Info().Capabilities; len(caps) > 0 && !slices.Contains(caps, llm.Tools) {
		p.CallTrouble = "the provider says that it cannot"
		return p, nil
	}
	request := probeRequest(toolTask())
	request.Tools = []llm.Tool{evalTool()}
	answer, err = m.Complete(ctx, request, nil)
	switch {
	case notAsked(ctx, err):
		return Probe{}, fmt.Errorf("probe %s: %w", m.Info().ID(), err)
	case err != nil:
		p.CallTrouble = err.Error()
	default:
		p.Calls, p.CallTrouble = judgeCall(answer)
	}
	return p, nil
}

func probeRequest(messages []llm.Message) llm.Request {
	return llm.Request{Messages: messages, Seed: 1, MaxTokens: probeTokens, FirstToken: probeFirst, Total: probeWait}
}

// notAsked tells failures that say nothing of the model.
func notAsked(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	return ctx.Err() != nil || errors.Is(err, llm.ErrUnavailable) || errors.Is(err, llm.ErrServer) || errors.Is(err, llm.ErrUnauthorized) ||
		errors.Is(err, llm.ErrBusy) || errors.Is(err, llm.ErrUnknownModel)
}

func speed(a llm.Answer) float64 {
	took := a.Took - a.FirstToken
	if took < time.Millisecond || a.Tokens < 2 {
		return 0
	}
	return float64(a.Tokens-1) / took.Seconds()
}

// Words is the result in a few words: "fixes the case · calls tools · 42 tok/s".
func (p Probe) Words() string {
	words := "does not follow the edit format"
	switch {
	case p.Fixes:
		words = "fixes the case"
	case p.Edits:
		words = "edits, but not rightly"
	}
	calls := "calls no tools"
	if p.Calls {
		calls = "calls tools"
	}
	return strings.Join(slices.DeleteFunc([]string{words, calls, p.Rate()}, func(s string) bool { return s == "" }), " · ")
}

// Rate is the speed in words; empty when it is not known.
func (p Probe) Rate() string {
	switch {
	case p.Speed <= 0:
		return ""
	case p.Speed < 10:
		return fmt.Sprintf("%.1f tok/s", p.Speed)
	}
	return fmt.Sprintf("%.0f tok/s", p.Speed)
}

// TryNamed opens a model of one of the sources and tries it.
func TryNamed(ctx context.Context, sources []Source, id string, now func() time.Time) (llm.Info, Probe, error) {
	kind, name, _ := strings.Cut(id, "/")
	i := slices.IndexFunc(sources, func(s Source) bool { return s.Name == kind })
	if i < 0 || name == "" {
		err := fmt.Errorf("%w %q: want PROVIDER/NAME", llm.ErrUnknownModel, id)
		return llm.Info{}, Probe{}, advice.Add(err, "pausetui models list names them")
	}
	m, err := sources[i].Provider.Open(ctx, name)
	if err != nil {
		return llm.Info{}, Probe{}, err
	}
	p, err := Try(ctx, m, now)
	return m.Info(), p, err
}
