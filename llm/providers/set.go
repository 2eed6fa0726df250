package providers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
)

// Set is the providers that can be used: one of each kind by its own name, and
// those that the user has configured. It makes each once, when it is first
// asked for. It is safe for concurrent use.
type Set struct {
	settings map[string]Settings
	mu       sync.Mutex
	made     map[string]llm.Provider
}

// NewSet returns the providers of the settings; those that are not named have
// their defaults.
func NewSet(settings ...Settings) *Set {
	s := &Set{settings: map[string]Settings{}, made: map[string]llm.Provider{}}
	for _, kind := range Kinds() {
		s.settings[kind] = Settings{Name: kind, Kind: kind}
	}
	for _, one := range settings {
		s.settings[one.Name] = one
	}
	return s
}

// Names are the providers' names, sorted.
func (s *Set) Names() []string {
	var names []string
	for name := range s.settings {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Provider returns the provider of that name, without asking it anything.
func (s *Set) Provider(name string) (llm.Provider, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.made[name]; ok {
		return p, nil
	}
	settings, ok := s.settings[name]
	if !ok {
		return nil, advice.Add(fmt.Errorf("there is no model provider %q", name), "there are "+strings.Join(s.Names(), ", "))
	}
	p, err := New(settings)
	if err != nil {
		return nil, err
	}
	s.made[name] = p
	return p, nil
}

// Open returns the model of that full name, PROVIDER/NAME.
func (s *Set) Open(ctx context.Context, id string) (llm.Model, error) {
	provider, name, err := Split(id)
	if err != nil {
		return nil, err
	}
	p, err := s.Provider(provider)
	if err != nil {
		return nil, err
	}
	return p.Open(ctx, name)
}
