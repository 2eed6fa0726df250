package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// errNew is returned for a candidate that adds files: no overlay takes them back.
var errNew = errors.New("it adds files")

// Rerun makes the checks of a candidate that has been applied, as far as its rerun.
// For the go command, the source is as it was before. The error tells that they could
// not be made, or that ctx ended.
func (v *Verifier) Rerun(ctx context.Context, c patch.Candidate) ([]verdict.Check, error) {
	before, err := v.asBefore(c)
	if err != nil {
		return nil, fmt.Errorf("verify %q: %w", c.ID, err)
	}
	defer func() { _ = before.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &attempt{patched: &patched{v: before, candidate: c, overlay: map[string]string{}}, early: func(func()) {}}
	a.dir = filepath.Join(before.Dir, "applied")
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return nil, fmt.Errorf("verify %q: %w", c.ID, err)
	}
	for _, s := range []step{{verdict.Scope, a.scope}, {verdict.Parse, a.parse}, {verdict.Build, a.build}, {verdict.Rerun, a.rerun}} {
		check, err := a.do(ctx, s, "")
		if err != nil {
			return nil, fmt.Errorf("verify %q: %s: %w", c.ID, s.name, err)
		}
		if check.Status == verdict.Fail || check.Status == verdict.Inconclusive {
			break
		}
	}
	return a.verdict.Checks, nil
}

// asBefore is a verifier of the same stop for which an applied candidate's files are as
// they were. What is known of the unpatched program already it need not find out again.
func (v *Verifier) asBefore(c patch.Candidate) (*Verifier, error) {
	s := v.Subject
	s.Tests, s.Code = nil, nil // they end with the review
	overlay := maps.Clone(s.Build.Overlay)
	if overlay == nil {
		overlay = map[string]string{}
	}
	for _, e := range c.Edits {
		if e.Create {
			return nil, errNew
		}
		overlay[filepath.Clean(s.Workspace.Abs(e.File))] = e.Before
	}
	s.Build.Overlay = overlay
	opts := v.Opts
	opts.OnStart, opts.OnProgress = nil, nil
	before, err := New(s, opts)
	if err != nil {
		return nil, err
	}
	hasControl := before.control.Inherit(&v.control)
	before.probed.Inherit(&v.probed)
	before.raced.Inherit(&v.raced)
	before.Measured.Store(v.Measured.Load())
	if s.Control != nil && !hasControl { // it would be built from the source as it is now
		_ = before.Close()
		return nil, errors.New("the unpatched program had not been run")
	}
	return before, nil
}
