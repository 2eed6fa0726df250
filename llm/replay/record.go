package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/pausetui/pausetui/llm"
)

// Recorder wraps a provider and writes down what its models answer.
type Recorder struct {
	llm.Provider
	mu sync.Mutex
	w  io.Writer
}

// Record returns the provider with a recorder that writes an Entry a line. It
// holds answers, which may quote the program, but no prompts.
func Record(p llm.Provider, w io.Writer) *Recorder { return &Recorder{Provider: p, w: w} }

// Unwrap returns the provider that is recorded.
func (r *Recorder) Unwrap() llm.Provider { return r.Provider }

// Open implements llm.Provider.
func (r *Recorder) Open(ctx context.Context, name string) (llm.Model, error) {
	m, err := r.Provider.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &recordedModel{m, r}, nil
}

// File is a writer that opens a file for each entry, so that none is lost and
// nothing is left open. Only the user may read what it creates.
type File string

// Write appends to the file.
func (f File) Write(p []byte) (n int, err error) {
	file, err := os.OpenFile(string(f), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return file.Write(p)
}

type recordedModel struct {
	llm.Model
	recorder *Recorder
}

// Complete implements llm.Model. A canceled request is not recorded; an answer
// that cannot be written down fails.
func (m *recordedModel) Complete(ctx context.Context, q llm.Request, onText func(string)) (llm.Answer, error) {
	a, err := m.Model.Complete(ctx, q, onText)
	if ctx.Err() != nil {
		return a, err
	}
	e := Entry{Kind: "answer", Digest: Digest(q), Seed: q.Seed, Model: m.Info(), Answer: Answer{
		Text: a.Text, Calls: a.Calls, PromptTokens: a.PromptTokens, Tokens: a.Tokens, Took: a.Took, FirstToken: a.FirstToken,
	}}
	if err != nil {
		e.Err = err.Error()
	}
	if writeErr := m.recorder.write(e); writeErr != nil && err == nil {
		return llm.Answer{}, writeErr
	}
	return a, err
}

func (r *Recorder) write(e Entry) error {
	data, err := json.Marshal(e)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		_, err = r.w.Write(append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("record the answer: %w", err)
	}
	return nil
}
