// Package catalog knows which models exist: what the providers list, what probes
// have measured of each, and what a machine without a model could use.
//
// It asks providers and models only when it is called to, never while a frontend
// waits. It must not know prompt profiles or sessions: package choose decides
// which model suits a stop.
package catalog

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/llm"
)

// Catalog is what was there at a time. It is a value: nothing of it changes
// once it was handed out.
type Catalog struct {
	At       time.Time `json:"at"` // when the providers were asked last
	Listings []Listing `json:"listings"`
	// Probes are what models showed when they were tried, by Key: a model that
	// changed under its name has none.
	Probes map[string]Probe `json:"probes,omitempty"`
}

// Listing is what one provider has.
type Listing struct {
	Provider string     `json:"provider"`
	Where    string     `json:"where,omitempty"` // the address that was asked
	At       time.Time  `json:"at"`              // when it last answered
	Models   []llm.Info `json:"models"`
	// Err says why the provider did not answer when it was asked last, and Hint
	// what to do about it. Models are then those it had when it did.
	Err  string `json:"err,omitempty"`
	Hint string `json:"hint,omitempty"`
}

// Entry is a model with what is known of it.
type Entry struct {
	llm.Info
	Probe *Probe `json:"probe,omitempty"` // nil when it was not tried, or has changed since
}

// Key is what a probe's result is kept under.
func Key(i llm.Info) string { return i.ID() + "@" + i.Digest }

// Models lists the models of the providers that answered, by name.
func (c Catalog) Models() []Entry {
	var all []Entry
	for _, l := range c.Listings {
		if l.Err != "" {
			continue
		}
		for _, m := range l.Models {
			all = append(all, c.entry(m))
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}

func (c Catalog) entry(m llm.Info) Entry {
	e := Entry{Info: m}
	if p, ok := c.Probes[Key(m)]; ok {
		e.Probe = &p
	}
	return e
}

// Find returns the model of an id, "ollama/qwen3-coder:30b". The tag latest may
// be left out.
func (c Catalog) Find(id string) (Entry, bool) {
	for _, l := range c.Listings {
		if l.Err != "" || !strings.HasPrefix(id, l.Provider+"/") {
			continue
		}
		for _, m := range l.Models {
			if sameName(m.ID(), id) {
				return c.entry(m), true
			}
		}
	}
	return Entry{}, false
}

func sameName(a, b string) bool {
	return strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// Answered reports whether a provider answered when it was asked last; false too
// for one that never was.
func (c Catalog) Answered(provider string) bool {
	l, ok := c.listing(provider)
	return ok && l.Err == ""
}

func (c Catalog) listing(provider string) (Listing, bool) {
	i := slices.IndexFunc(c.Listings, func(l Listing) bool { return l.Provider == provider })
	if i < 0 {
		return Listing{}, false
	}
	return c.Listings[i], true
}

// Silent are the listings of providers that did not answer.
func (c Catalog) Silent() []Listing {
	var list []Listing
	for _, l := range c.Listings {
		if l.Err != "" {
			list = append(list, l)
		}
	}
	return list
}

// WithProbe returns the catalog with what a model showed.
func (c Catalog) WithProbe(i llm.Info, p Probe) Catalog {
	probes := make(map[string]Probe, len(c.Probes)+1)
	for k, v := range c.Probes {
		probes[k] = v
	}
	probes[Key(i)] = p
	c.Probes = probes
	return c
}

// CanAnswer reports whether a model answers questions at all: one for embeddings
// does not. Where the provider says nothing of it, it may.
func CanAnswer(i llm.Info) bool {
	return len(i.Capabilities) == 0 || slices.Contains(i.Capabilities, llm.Completion)
}

// Of returns the catalog with the listings of these sources alone: what another
// address had under the same name is not theirs.
func (c Catalog) Of(sources []Source) Catalog {
	c.Listings = slices.DeleteFunc(slices.Clone(c.Listings), func(l Listing) bool {
		return !slices.ContainsFunc(sources, func(s Source) bool { return s.Name == l.Provider && s.Where == l.Where })
	})
	return c
}
