// Package replay replays recorded answers of models, for demonstrations, tests and
// repeated benchmarks. A model's name is the path of its recording.
//
// A request gets the answer that was recorded for the same messages; else the
// next one in order. Nothing is answered twice, unless for the same messages.
package replay

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
)

// Name is what the provider is called unless Options say otherwise.
const Name = "replay"

// ErrExhausted is returned when a recording has no more answers.
var ErrExhausted = errors.New("the recording has no more answers")

// Options configure a Provider; the zero value serves.
type Options struct {
	// Name is the provider's name in llm.Info; "replay" when empty.
	Name string
	// Dir is where recordings are looked for, or a file that is the only one; the
	// working directory when empty.
	Dir string
	// Strict answers only the messages that were recorded.
	Strict bool
	// Pace says how fast an answer comes: 1 as it was recorded, 2 in half the
	// time; at once when zero.
	Pace float64
}

// Provider finds recordings. It is safe for concurrent use; a recording is read
// once, and goes on where it was when it is opened again.
type Provider struct {
	options Options
	mu      sync.Mutex
	open    map[string]*recording
}

// New returns the provider, without reading anything.
func New(o Options) *Provider {
	if o.Name == "" {
		o.Name = Name
	}
	return &Provider{options: o, open: map[string]*recording{}}
}

// Models lists the recordings of the directory, if one is given.
func (p *Provider) Models(context.Context) ([]llm.Info, error) {
	if p.options.Dir == "" {
		return nil, nil
	}
	if info, err := os.Stat(p.options.Dir); err == nil && !info.IsDir() {
		return []llm.Info{{Provider: p.options.Name, Name: info.Name(), Size: info.Size()}}, nil
	}
	files, err := os.ReadDir(p.options.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrUnavailable, err)
	}
	var infos []llm.Info
	for _, f := range files {
		if info, err := f.Info(); err == nil && !f.IsDir() && recorded(f.Name()) {
			infos = append(infos, llm.Info{Provider: p.options.Name, Name: f.Name(), Size: info.Size()})
		}
	}
	return infos, nil
}

// Open reads a recording. It fails with llm.ErrUnknownModel for a path where
// there is none.
func (p *Provider) Open(_ context.Context, name string) (llm.Model, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.dir(), path)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.open[path]; ok {
		return r, nil
	}
	entries, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, advice.Add(fmt.Errorf("%w: there is no recording %q", llm.ErrUnknownModel, path), "name a file of recorded answers, a session's journal (.jsonl), a markdown file, or a directory of these")
	case err != nil:
		return nil, fmt.Errorf("read the recording: %w", err)
	case len(entries) == 0:
		return nil, advice.Add(fmt.Errorf("the recording %q holds no answer of a model", path), "a session in which only the built-in fixer was asked has none")
	}
	r := &recording{options: p.options, entries: entries, used: make([]bool, len(entries)), info: entries[0].Model}
	r.info.Provider, r.info.Name, r.info.Remote, r.info.Loaded = p.options.Name, name, false, true
	p.open[path] = r
	return r, nil
}

// dir is where relative names are looked for.
func (p *Provider) dir() string {
	if info, err := os.Stat(p.options.Dir); err == nil && !info.IsDir() {
		return filepath.Dir(p.options.Dir)
	}
	return p.options.Dir
}

// recording is a model that answers from its entries.
type recording struct {
	options Options
	info    llm.Info
	entries []Entry
	mu      sync.Mutex
	used    []bool
}

// Info describes the model as it was recorded, under the recording's name.
func (r *recording) Info() llm.Info { return r.info }

// Complete gives the recorded answer.
func (r *recording) Complete(ctx context.Context, q llm.Request, onText func(string)) (llm.Answer, error) {
	started := time.Now()
	e, err := r.take(Digest(q), q.Seed)
	if err != nil {
		return llm.Answer{}, fmt.Errorf("ask %s: %w", r.info.Name, err)
	}
	first, err := r.say(ctx, e.Answer, onText)
	if err != nil {
		return llm.Answer{}, err
	}
	if e.Err != "" {
		return llm.Answer{}, fmt.Errorf("ask %s: %w", r.info.Name, Failure(e.Err))
	}
	return llm.Answer{Text: e.Text, Calls: e.Calls, PromptTokens: e.PromptTokens, Tokens: e.Tokens, FirstToken: first, Took: time.Since(started)}, nil
}

// take finds the answer to a request and marks it as used: for the same
// messages and seed, for the same messages, the next in order.
func (r *recording) take(digest string, seed int) (Entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	best, rank := -1, 0
	for i, e := range r.entries {
		score := 0
		switch {
		case e.Digest == digest && e.Seed == seed && !r.used[i]:
			score = 5
		case e.Digest == digest && !r.used[i]:
			score = 4
		case e.Digest == digest && e.Seed == seed:
			score = 3 // the same question again: the same answer
		case e.Digest == digest:
			score = 2
		case !r.used[i] && !r.options.Strict:
			score = 1
		}
		if score > rank {
			best, rank = i, score
		}
	}
	if best < 0 {
		return Entry{}, fmt.Errorf("%w: %d given, and none for these messages", ErrExhausted, len(r.entries))
	}
	r.used[best] = true
	return r.entries[best], nil
}

// say gives the text word by word, at the pace that was asked for, and returns
// how long the first took.
func (r *recording) say(ctx context.Context, a Answer, onText func(string)) (time.Duration, error) {
	started := time.Now()
	words := strings.SplitAfter(a.Text, " ")
	if err := r.wait(ctx, a.FirstToken); err != nil {
		return 0, err
	}
	first := time.Since(started)
	each := max(a.Took-a.FirstToken, 0) / time.Duration(len(words))
	for i, word := range words {
		if i > 0 {
			if err := r.wait(ctx, each); err != nil {
				return 0, err
			}
		}
		if onText != nil && word != "" {
			onText(word)
		}
	}
	return first, ctx.Err()
}

// wait waits for as long as it took, at the pace that was asked for.
func (r *recording) wait(ctx context.Context, d time.Duration) error {
	if r.options.Pace <= 0 || d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(time.Duration(float64(d) / r.options.Pace))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// failures are the errors that mean the same when they are replayed.
var failures = []error{
	llm.ErrUnavailable, llm.ErrUnknownModel, llm.ErrUnauthorized, llm.ErrBusy, llm.ErrCut, llm.ErrEmpty,
	llm.ErrFiltered, llm.ErrTooLong, llm.ErrPromptTooLong, llm.ErrStalled,
}

// Failure makes an error of its words.
func Failure(words string) error {
	for _, known := range failures {
		if before, after, ok := strings.Cut(words, known.Error()); ok {
			return fmt.Errorf("%s%w%s", before, known, after)
		}
	}
	return errors.New(words)
}
