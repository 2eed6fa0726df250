package main

import (
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/session"
)

// choice is what the flags say of the fixes, for the session's first event.
func (f *targetFlags) choice(s *pflag.FlagSet) session.Choice {
	c := session.Choice{Offline: f.offline, Models: f.models, Profiles: f.profiles, Prompt: f.prompt, MaxCandidates: f.maxCandidates, Commit: f.commit}
	if s.Changed("max-rounds") {
		c.MaxRounds = &f.maxRounds
	}
	return c
}

// take goes on with a choice of before, but for what is said now. Who names a
// model, or none, has chosen anew among all of them.
func (f *targetFlags) take(c session.Choice, said *pflag.FlagSet) {
	if !said.Changed("offline") && !said.Changed("model") && !said.Changed("profile") {
		f.offline, f.models, f.profiles = c.Offline, c.Models, c.Profiles
	}
	if !said.Changed("prompt") {
		f.prompt = c.Prompt
	}
	if !said.Changed("max-candidates") && c.MaxCandidates > 0 {
		f.maxCandidates = c.MaxCandidates
	}
	if !said.Changed("max-rounds") && c.MaxRounds != nil && *c.MaxRounds >= 0 {
		f.maxRounds = *c.MaxRounds
	}
	if !said.Changed("commit") {
		f.commit = c.Commit
	}
}
