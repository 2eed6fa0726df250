package ask

import (
	"context"
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/engine/options"
)

// pick takes the profiles of these names for this question and for those that
// come after it. It refuses all of them when one is not known.
func (as *Asking) pick(names []string) bool {
	var picked []options.Profile
	for _, name := range names {
		p, err := as.lookup(name)
		if err != nil {
			as.Refuse(err)
			return false
		}
		picked = append(picked, p)
	}
	as.Opts.Fixes.Profiles = picked
	return true
}

// lookup finds a profile by name: one of those selected, now or at the start, or one that can be made.
func (as *Asking) lookup(name string) (options.Profile, error) {
	all := slices.Concat(as.Opts.Fixes.Profiles, as.given)
	if i := slices.IndexFunc(all, func(p options.Profile) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	if as.Opts.Fixes.Models.Lookup == nil {
		return options.Profile{}, fmt.Errorf("there is no profile %q", name)
	}
	return as.Opts.Fixes.Models.Lookup(name)
}

// resolve fills in what the question's profile leaves open.
func (q *question) resolve(ctx context.Context) error {
	if q.choose == nil || q.resolved {
		return nil
	}
	class := ""
	if p := q.evidence.Stop.Panic; p != nil {
		class = string(p.Class)
	}
	p, why, err := q.choose(ctx, class, q.profile)
	if err != nil {
		return err
	}
	p.Name = q.profile.Name
	q.profile, q.why, q.resolved = p, why, true
	q.source.Provider, q.source.Model = p.Source, p.Model
	return nil
}

// settled has the chain stay with what was chosen for its first try.
func (q *question) settled() {
	if q.resolved {
		q.chain.profile, q.chain.why = q.profile, q.why
	}
}

// profileNamed finds one of the selected profiles; the empty name is the first.
func (as *Asking) profileNamed(name string) (options.Profile, bool) {
	i := slices.IndexFunc(as.Opts.Fixes.Profiles, func(p options.Profile) bool { return name == "" || p.Name == name })
	if i < 0 {
		return options.Profile{}, false
	}
	return as.Opts.Fixes.Profiles[i], true
}
