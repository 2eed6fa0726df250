package userstate

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// GivenHooks is a person's agreement that a module's hooks run: exactly these,
// in this directory.
type GivenHooks struct {
	Root   string    `json:"root"`
	Digest string    `json:"digest"` // of the commands
	At     time.Time `json:"at"`
}

// HookConsents are the modules whose hooks a person lets run, in hooks.json.
type HookConsents struct{ store Store }

// HookConsents returns the consents of the store.
func (s Store) HookConsents() HookConsents { return HookConsents{s} }

type hooksFile struct {
	header
	Given []GivenHooks `json:"given"`
}

var hooksHeader = header{Version: 1}

func (h HookConsents) path() string { return filepath.Join(h.store.dir, "hooks.json") }

// Given reports whether the hooks of a digest may run in a module.
func (h HookConsents) Given(root, digest string) (bool, error) {
	var f hooksFile
	if err := read(h.path(), hooksHeader, &f); err != nil {
		return false, fmt.Errorf("read the consents to hooks: %w", err)
	}
	return slices.ContainsFunc(f.Given, func(g GivenHooks) bool { return g.Root == root && g.Digest == digest }), nil
}

// Give lets the hooks of a digest run in a module, in place of earlier ones; an empty digest
// lets none run.
func (h HookConsents) Give(root, digest string, at time.Time) error {
	err := h.store.Locked(func() error {
		var f hooksFile
		if err := read(h.path(), hooksHeader, &f); err != nil {
			return err
		}
		f.header = hooksHeader
		f.Given = slices.DeleteFunc(f.Given, func(g GivenHooks) bool { return g.Root == root })
		if digest != "" {
			f.Given = append(f.Given, GivenHooks{root, digest, at.UTC().Truncate(time.Second)})
		}
		return replace(h.path(), f)
	})
	if err != nil {
		return fmt.Errorf("save the consent to hooks: %w", err)
	}
	return nil
}
