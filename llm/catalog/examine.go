package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
)

// Source is a provider under its name.
type Source struct {
	Name     string
	Where    string // its address, to tell it from another of that name; may be empty
	Provider llm.Provider
}

// Describer is a provider that knows more of a model than its list says.
type Describer interface {
	// Describe says what is known of a model. It fails with llm.ErrUnknownModel.
	Describe(ctx context.Context, name string) (llm.Info, error)
}

const (
	maxModels    = 2000 // of one provider
	maxName      = 256  // bytes of a model's name
	maxDescribed = 4    // descriptions asked for at once
)

// Examine asks the providers, all at once, what they have. What was known of a
// model that has not changed stays known; the listing of a provider that does
// not answer stays as it was, with the reason. It ends with ctx at the latest.
func Examine(ctx context.Context, sources []Source, before Catalog, now func() time.Time) Catalog {
	after := Catalog{At: now(), Listings: make([]Listing, len(sources)), Probes: before.Probes}
	var asking sync.WaitGroup
	for i, s := range sources {
		known, _ := before.Of([]Source{s}).listing(s.Name)
		asking.Go(func() { after.Listings[i] = list(ctx, s, known, now) })
	}
	asking.Wait()
	return after
}

func list(ctx context.Context, s Source, known Listing, now func() time.Time) Listing {
	l := Listing{Provider: s.Name, Where: s.Where, At: now()}
	models, err := s.Provider.Models(ctx)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %s took too long", llm.ErrUnavailable, s.Name)
		}
		l.At, l.Models, l.Err, l.Hint = known.At, known.Models, err.Error(), advice.Of(err)
		return l
	}
	models = slices.DeleteFunc(models, func(m llm.Info) bool { return !nameable(m.Name) })
	l.Models = models[:min(len(models), maxModels)]
	describe(ctx, s.Provider, l.Models, known.Models)
	return l
}

// nameable keeps out what could not be named on a command line.
func nameable(name string) bool {
	return name != "" && len(name) <= maxName && !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) })
}

// describe fills in what a list leaves out: from what was known of the same
// model, else by asking.
func describe(ctx context.Context, p llm.Provider, models, known []llm.Info) {
	describer, able := llm.Find[Describer](p)
	var asking errgroup.Group
	asking.SetLimit(maxDescribed)
	for i := range models {
		m := &models[i]
		if complete(*m) {
			continue
		}
		at := slices.IndexFunc(known, func(k llm.Info) bool { return k.Name == m.Name && k.Digest == m.Digest && k.Digest != "" })
		if at >= 0 {
			fill(m, known[at])
		}
		if complete(*m) || !able {
			continue
		}
		asking.Go(func() error {
			if more, err := describer.Describe(ctx, m.Name); err == nil {
				fill(m, more)
			}
			return nil // the model is there all the same
		})
	}
	_ = asking.Wait() // nothing fails
}

func complete(i llm.Info) bool { return i.Context > 0 && len(i.Capabilities) > 0 }

// fill adds what is not known yet.
func fill(m *llm.Info, more llm.Info) {
	m.Family = orElse(m.Family, more.Family)
	m.Parameters = orElse(m.Parameters, more.Parameters)
	m.Quantisation = orElse(m.Quantisation, more.Quantisation)
	if m.Context == 0 {
		m.Context = more.Context
	}
	if len(m.Capabilities) == 0 {
		m.Capabilities = more.Capabilities
	}
	m.Remote = m.Remote || more.Remote
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
