package choose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
)

// Options are what a Matcher works with. The paths may be empty: then nothing is
// read or kept.
type Options struct {
	Sources []catalog.Source
	// Prompts names the prompt profiles that suit a class and a model, the best first.
	Prompts func(class string, m llm.Info) []string
	Memory  uint64 // of this machine, in bytes; 0 when it is not known
	Remote  bool   // models that run elsewhere may be chosen
	// Prefer are ids, with * and ?: the first one that is there is chosen. Avoid
	// are never chosen. Only: none is chosen but those of Prefer.
	Prefer, Avoid []string
	Only          bool
	// Catalog, Records and Bench are files of this user; Logs is the directory
	// of the module's sessions.
	Catalog, Records, Bench, Logs string
	Now                           func() time.Time // time.Now when nil
}

// Matcher holds what is known of the models, and finds out more. It is safe for
// concurrent use.
type Matcher struct {
	o Options

	looking chan struct{} // closed once the first Look has ended

	mu      sync.Mutex
	looked  bool
	catalog catalog.Catalog
	results Results
	trouble []error            // what could not be read or kept
	quiet   context.CancelFunc // ends the background probe of a loaded model
}

// New returns a matcher that knows nothing yet.
func New(o Options) *Matcher {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Prompts == nil {
		o.Prompts = func(string, llm.Info) []string { return []string{""} }
	}
	return &Matcher{o: o, looking: make(chan struct{})}
}

// Recall reads what was found out before: enough for a list to choose from
// while Look asks the providers again.
func (m *Matcher) Recall() {
	c, err := load(m.o.Catalog, catalog.Load)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.note(err)
	if !m.looked {
		m.catalog = c.Of(m.o.Sources)
	}
}

func load[T any](path string, read func(string) (T, error)) (T, error) {
	if path == "" {
		var none T
		return none, nil
	}
	return read(path)
}

// Look asks the providers what they have and reads what past sessions and
// benchmarks showed. It ends with ctx at the latest; what was not found out
// stays as it was.
func (m *Matcher) Look(ctx context.Context) {
	m.Recall()
	results, scanErr := m.measured(ctx)
	m.mu.Lock()
	before := m.catalog
	m.mu.Unlock()
	after := catalog.Examine(ctx, m.o.Sources, before, m.o.Now)
	kept, saveErr := m.keep(after)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.catalog, m.results = kept, results
	m.note(scanErr, saveErr)
	if !m.looked {
		m.looked = true
		close(m.looking)
	}
}

// Measure reads what past sessions and benchmarks showed, and asks no provider.
func (m *Matcher) Measure(ctx context.Context) {
	results, err := m.measured(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results = results
	m.note(err)
}

func (m *Matcher) keep(c catalog.Catalog) (catalog.Catalog, error) {
	if m.o.Catalog == "" {
		return c, nil
	}
	return catalog.Save(m.o.Catalog, c)
}

// measured reads records and benchmarks.
func (m *Matcher) measured(ctx context.Context) (Results, error) {
	records, err := load(m.o.Records, LoadRecords)
	if records.Journals == nil {
		records = Records{Version: recordsVersion, Journals: map[string]Record{}}
	}
	if m.o.Logs != "" {
		changed, scanErr := records.Scan(ctx, m.o.Logs)
		if changed && m.o.Records != "" {
			scanErr = errors.Join(scanErr, records.Save(m.o.Records))
		}
		if ctx.Err() == nil {
			err = errors.Join(err, scanErr)
		}
	}
	results := records.Results()
	bench, benchErr := load(m.o.Bench, ReadBench)
	results.AddBench(bench)
	return results, errors.Join(err, benchErr)
}

// note remembers what went wrong, each trouble once: errors of two attempts are
// different values, and the person reads their texts. m.mu is held.
func (m *Matcher) note(errs ...error) {
	for _, err := range errs {
		if err != nil && !slices.ContainsFunc(m.trouble, func(t error) bool { return t.Error() == err.Error() }) {
			m.trouble = append(m.trouble, err)
		}
	}
}

// Trouble returns what could not be read or kept; nothing of it keeps a model
// from being asked.
func (m *Matcher) Trouble() []error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.trouble)
}

// Catalog returns the models known now.
func (m *Matcher) Catalog() catalog.Catalog {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.catalog
}

// Results returns what is measured by now.
func (m *Matcher) Results() Results {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.results
}

// Choose chooses for a class of stop, once the first Look has ended. model, an
// id, and prompt are what the person has chosen; empty or Auto leaves it to the
// facts. A model that is not in the catalog is left to its provider: it may be
// there all the same. Whatever probe runs unasked ends.
func (m *Matcher) Choose(ctx context.Context, class, model, prompt string) (Choice, error) {
	select {
	case <-m.looking:
	case <-ctx.Done():
		return Choice{}, ctx.Err()
	}
	m.mu.Lock()
	q := m.query(class)
	q.Prompt = prompt
	found, ok := m.catalog.Find(model)
	silent := m.catalog.Silent()
	m.hush()
	m.mu.Unlock()
	if model != "" && model != Auto {
		if !ok {
			found = catalog.Entry{Info: named(model)}
		}
		q.Model, q.Models = found.ID(), []catalog.Entry{found}
	}
	choice, err := Choose(q)
	if errors.Is(err, ErrNone) && len(q.Models) == 0 && len(silent) > 0 {
		err = fmt.Errorf("%w; %s", err, silent[0].Err)
		if first := silent[0].Hint; first != "" {
			err = advice.Add(err, first+"; then "+Hint(m.o.Memory))
		}
	}
	return choice, err
}

// query is what a choice depends on now; m.mu is held.
func (m *Matcher) query(class string) Query {
	return Query{Class: class, Models: m.catalog.Models(), Prompts: m.o.Prompts, Results: m.results, Memory: m.o.Memory, Remote: m.o.Remote,
		Prefer: m.o.Prefer, Avoid: m.o.Avoid, Only: m.o.Only}
}

// Able are the models that may be chosen.
func (m *Matcher) Able() []catalog.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.query("").able()
}

// named is a model of which only the name is known.
func named(id string) llm.Info {
	provider, name, _ := strings.Cut(id, "/")
	return llm.Info{Provider: provider, Name: name}
}

// hush ends the background probe, because a person waits. m.mu is held.
func (m *Matcher) hush() {
	if m.quiet != nil {
		m.quiet()
		m.quiet = nil
	}
}

// Probe tries a model, by its id, and keeps what it showed.
func (m *Matcher) Probe(ctx context.Context, id string) (llm.Info, catalog.Probe, error) {
	info, p, err := catalog.TryNamed(ctx, m.o.Sources, id, m.o.Now)
	if err != nil {
		return info, p, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.catalog = m.catalog.WithProbe(info, p)
	kept, err := m.keep(m.catalog)
	if err == nil {
		m.catalog = kept
	}
	return info, p, err
}

// ProbeLoaded tries the local models that are in memory already and were not
// tried yet, until a person asks one for a fix. It loads none.
func (m *Matcher) ProbeLoaded(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.mu.Lock()
	m.quiet = cancel
	models := m.catalog.Models()
	m.mu.Unlock()
	for _, e := range models {
		if !e.Loaded || e.Remote || e.Probe != nil || !catalog.CanAnswer(e.Info) {
			continue
		}
		if _, _, err := m.Probe(ctx, e.ID()); err != nil {
			return // it can be tried another time
		}
	}
}
