package userstate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Consent is what a person agrees to: prompts about a project may go to a model
// on a host.
type Consent struct {
	Module string `json:"module"` // the module's path
	Root   string `json:"root"`   // the module's directory: anyone can claim a path
	Host   string `json:"host"`   // "api.openai.com", "ollama.com"
	Model  string `json:"model"`  // "openai/gpt-5"
}

// same compares consents; host names are case-insensitive.
func (c Consent) same(d Consent) bool {
	return c.Module == d.Module && c.Root == d.Root && c.Model == d.Model && strings.EqualFold(c.Host, d.Host)
}

// GivenConsent is a consent and when it was given.
type GivenConsent struct {
	Consent
	At time.Time `json:"at"`
}

// Consents are the models on other machines that a person has agreed to, in
// consent.json. Every call reads the file, because another process may have
// changed it.
type Consents struct{ store Store }

// Consents returns the consents of the store.
func (s Store) Consents() Consents { return Consents{s} }

// ErrUnreadableConsents is returned if the file cannot be understood. Nothing
// counts as agreed to then, and the file is not overwritten.
var ErrUnreadableConsents = errors.New("the file of consents to remote models cannot be read")

type consentsFile struct {
	header
	Given []GivenConsent `json:"given"`
}

var consentsHeader = header{Version: 1}

func (c Consents) path() string { return filepath.Join(c.store.dir, "consent.json") }

// List returns all consents, the oldest first.
func (c Consents) List() ([]GivenConsent, error) {
	var f consentsFile
	if err := read(c.path(), consentsHeader, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadableConsents, err)
	}
	return f.Given, nil
}

// Given reports whether a consent was given.
func (c Consents) Given(want Consent) (bool, error) {
	list, err := c.List()
	return slices.ContainsFunc(list, func(g GivenConsent) bool { return g.same(want) }), err
}

// Give adds a consent.
func (c Consents) Give(given Consent, at time.Time) error {
	return c.change(func(list []GivenConsent) []GivenConsent {
		if slices.ContainsFunc(list, func(g GivenConsent) bool { return g.same(given) }) {
			return list
		}
		return append(list, GivenConsent{given, at.UTC().Truncate(time.Second)})
	})
}

// Revoke removes a consent.
func (c Consents) Revoke(given Consent) error {
	return c.change(func(list []GivenConsent) []GivenConsent {
		return slices.DeleteFunc(list, func(g GivenConsent) bool { return g.same(given) })
	})
}

func (c Consents) change(how func([]GivenConsent) []GivenConsent) error {
	err := c.store.Locked(func() error {
		list, err := c.List()
		if err != nil {
			return err
		}
		return replace(c.path(), consentsFile{consentsHeader, how(list)})
	})
	if err != nil {
		return fmt.Errorf("save the consent: %w", err)
	}
	return nil
}
