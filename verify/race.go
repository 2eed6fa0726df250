package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The race detector sees a race in a run that does not stop of it. It is asked
// where the program can be built with it, in time: the standard library is
// compiled for it once on each machine.

// racePatience is how long a candidate waits for the detector's first word.
const racePatience = 20 * time.Second

// raced is what the detector says of the unpatched program.
type raced struct {
	races []execute.DataRace
	why   string // why it cannot be asked
}

// racesBefore asks the detector of the unpatched program, once.
func (v *Verifier) racesBefore(ctx context.Context) (raced, error) {
	return v.raced.Get(ctx, func(ctx context.Context) (raced, error) {
		races, err := v.Races(ctx, filepath.Join(v.Dir, "race"), nil)
		var refusal *build.Error
		if errors.As(err, &refusal) {
			return raced{why: "the program does not build with it"}, nil
		}
		return raced{races: races}, err
	})
}

// undetected asks the race detector of a candidate that did not stop, and fails
// it where the race that the stop came of is still there.
func (a *patched) undetected(ctx context.Context, s subject.Site, check verdict.Check) (verdict.Check, error) {
	if !a.v.Detects(s) || check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check, nil
	}
	soon, cancel := context.WithTimeout(ctx, racePatience)
	defer cancel()
	before, err := a.v.racesBefore(soon)
	if err == nil && before.why == "" {
		var now []execute.DataRace
		if now, err = a.v.Races(soon, filepath.Join(a.dir, "race"), a.overlay); err == nil {
			return judgeRaces(s, before.races, now, check), nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return check, ctx.Err()
	case soon.Err() != nil:
		check.Detail += fmt.Sprintf("; the race detector was not ready after %s", finding.Short(racePatience))
	case before.why != "":
		check.Detail += "; the race detector could not be asked: " + before.why
	default:
		check.Detail += "; the race detector could not be asked: " + err.Error()
	}
	return check, nil
}

// judgeRaces compares what the detector says of a candidate with what it said
// without.
func judgeRaces(s subject.Site, before, now []execute.DataRace, check verdict.Check) verdict.Check {
	for _, r := range now {
		if slices.Contains(r[:], s.Function) {
			return finding.Elsewhere(finding.Fail("the race detector still reports a data race of %s", r), "the race detector still reports a data race of %s", s.Function)
		}
	}
	for _, r := range now {
		if !slices.Contains(before, r) {
			check.Status = verdict.Warn
			check.Detail += fmt.Sprintf("; the race detector reports another data race, of %s", r)
			return check
		}
	}
	check.Detail += "; the race detector reports none there"
	return check
}
