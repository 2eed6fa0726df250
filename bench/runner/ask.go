package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/replay"
)

// ErrNotStored is returned when stored answers are scored again, and one is
// missing.
var ErrNotStored = errors.New("no answer is stored for this cell")

// asker is the model of one cell, as a provider for the pipeline. It stores what
// is answered, and gives what is stored.
type asker struct {
	info    llm.Info
	model   llm.Model // nil where only stored answers are given
	column  matrix.Column
	of      matrix.Case
	cell    matrix.Cell
	answers matrix.Answers
	earlier []string // keys of the cell's stored answers, in order
	asked   func(key string) error
	fixed   bool // only stored answers are given

	mu       sync.Mutex
	sent     map[string]int // how often a request was sent
	keys     []string
	sum      llm.Answer
	first    time.Duration // of the first request, to its first token
	requests int
	lookups  int
	drifted  int
	trouble  error // of the provider
}

// Models implements llm.Provider.
func (a *asker) Models(context.Context) ([]llm.Info, error) { return []llm.Info{a.info}, nil }

// Open implements llm.Provider.
func (a *asker) Open(context.Context, string) (llm.Model, error) { return a, nil }

// Info implements llm.Model.
func (a *asker) Info() llm.Info { return a.info }

// Complete implements llm.Model.
func (a *asker) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	// Each trial asks with seeds of its own: the same seed may give the same answer.
	r.Seed += seedsPerTrial * a.cell.Trial
	a.mu.Lock()
	request := fmt.Sprintf("%s %d", replay.Digest(r), r.Seed)
	key := matrix.NewKey(a.column, a.of, a.cell.Trial, r, a.sent[request])
	a.sent[request]++
	number := a.requests
	a.requests++
	a.mu.Unlock()

	s, err := a.stored(ctx, key, number, r, onText)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			a.trouble = errors.Join(a.trouble, err)
		}
		return llm.Answer{}, err
	}
	a.keys = append(a.keys, s.Key.String())
	a.count(s, number)
	if s.Err != "" {
		return llm.Answer{}, replay.Failure(s.Err)
	}
	return s.Answer, nil
}

// seedsPerTrial is more than the seeds that one trial uses.
const seedsPerTrial = 1000

func (a *asker) count(s matrix.Stored, number int) {
	a.sum.PromptTokens += s.Answer.PromptTokens
	a.sum.Tokens += s.Answer.Tokens
	a.sum.Cost += s.Answer.Cost
	a.sum.Took += s.Answer.Took
	if number == 0 {
		a.first = s.Answer.FirstToken
	}
	a.lookups += len(s.Answer.Calls)
}

// stored returns the stored answer to a request, or asks and stores it.
func (a *asker) stored(ctx context.Context, key matrix.Key, number int, r llm.Request, onText func(string)) (matrix.Stored, error) {
	s, ok, err := a.answers.Get(key.String())
	if err == nil && !ok && a.fixed {
		s, ok, err = a.inOrder(number)
	}
	if err != nil {
		return s, err
	}
	if ok {
		if onText != nil {
			onText(s.Answer.Text)
		}
		return s, nil
	}
	if a.model == nil || a.fixed {
		return s, ErrNotStored
	}
	return a.ask(ctx, key, r, onText)
}

// inOrder returns the answer that the cell was given to its request of that
// number: the prompt may have changed since.
func (a *asker) inOrder(number int) (matrix.Stored, bool, error) {
	if number >= len(a.earlier) {
		return matrix.Stored{}, false, nil
	}
	s, ok, err := a.answers.Get(a.earlier[number])
	if ok {
		a.mu.Lock()
		a.drifted++
		a.mu.Unlock()
	}
	return s, ok, err
}

func (a *asker) ask(ctx context.Context, key matrix.Key, r llm.Request, onText func(string)) (matrix.Stored, error) {
	s := matrix.Stored{Key: key, Messages: r.Messages}
	answer, err := a.model.Complete(ctx, r, onText)
	switch {
	case err == nil:
		s.Answer = answer
	case ctx.Err() == nil && ofModel(err):
		s.Err = err.Error()
	default:
		return s, err
	}
	name, err := a.answers.Put(s)
	if err != nil {
		return s, err
	}
	return s, a.asked(name)
}

// ofModel reports whether an error is what the model did, not what happened on
// the way to it.
func ofModel(err error) bool {
	return slices.ContainsFunc([]error{llm.ErrEmpty, llm.ErrTooLong, llm.ErrFiltered, llm.ErrPromptTooLong}, func(of error) bool { return errors.Is(err, of) })
}
