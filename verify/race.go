package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The race detector sees a race in a run that does not stop of it. It is asked
// where the program can be built with it, in time: the standard library is
// compiled for it once on each machine.

// racePatience is how long a candidate waits for the detector's first word.
const racePatience = 20 * time.Second

// dataRace is a race that the detector has reported: the user's functions that
// the two accesses are in, sorted.
type dataRace [2]string

// raced is what the detector says of the unpatched program.
type raced struct {
	races []dataRace
	why   string // why it cannot be asked
}

// detects reports whether the race detector can say something of the stop.
func (v *runner) detects(s subject.Site) bool {
	return v.Subject.Stop.MayRace() && s.Class != debugger.Deadlock && s.Function != "" && !v.Subject.Build.Race && !v.Subject.Stop.LivesOn() && v.runs()
}

// racesBefore asks the detector of the unpatched program, once.
func (v *Verifier) racesBefore(ctx context.Context) (raced, error) {
	return v.raced.Get(ctx, func(ctx context.Context) (raced, error) {
		races, err := v.races(ctx, filepath.Join(v.dir, "race"), nil)
		var refusal *build.Error
		if errors.As(err, &refusal) {
			return raced{why: "the program does not build with it"}, nil
		}
		return raced{races: races}, err
	})
}

// races builds the program with the detector, under an overlay, and runs it once.
func (v *runner) races(ctx context.Context, dir string, overlay map[string]string) ([]dataRace, error) {
	spec := v.spec(filepath.Join(dir, "program"), overlay)
	spec.Race = true
	built, err := build.Build(ctx, spec, nil)
	if err != nil {
		return nil, err
	}
	r, err := v.execute(ctx, built.Binary, v.wall())
	if err != nil {
		return nil, err
	}
	races := reported(v, string(normal(r.Output)))
	for _, c := range crash.ParseAll(r.Output) { // it may stop before the detector has said anything
		if s, ok := v.Site(); ok && v.At(s, c) {
			races = append(races, dataRace{s.Function, s.Function})
		}
	}
	return races, nil
}

// undetected asks the race detector of a candidate that did not stop, and fails
// it where the race that the stop came of is still there.
func (a *patched) undetected(ctx context.Context, s subject.Site, check verdict.Check) (verdict.Check, error) {
	if !a.v.detects(s) || check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check, nil
	}
	soon, cancel := context.WithTimeout(ctx, racePatience)
	defer cancel()
	before, err := a.v.racesBefore(soon)
	if err == nil && before.why == "" {
		var now []dataRace
		if now, err = a.v.races(soon, filepath.Join(a.dir, "race"), a.overlay); err == nil {
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
func judgeRaces(s subject.Site, before, now []dataRace, check verdict.Check) verdict.Check {
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

func (r dataRace) String() string {
	if r[0] == r[1] || r[0] == "" {
		return r[1]
	}
	return r[0] + " with " + r[1]
}

// reported reads the detector's reports.
func reported(v *runner, output string) []dataRace {
	var found []dataRace
	for _, report := range strings.Split(output, "WARNING: DATA RACE\n")[1:] {
		report, _, _ = strings.Cut(report, "\n==================")
		accesses := strings.Split(report, "\n\n")
		var r dataRace
		for i := range min(len(accesses), len(r)) { // after them come the goroutines' origins
			r[i] = innermostOwn(v, accesses[i])
		}
		slices.Sort(r[:])
		if r[1] != "" && !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}

// innermostOwn is the user's innermost function in a stack of the detector's:
// names and places by turns.
func innermostOwn(v *runner, stack string) string {
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		file, line, _ := cutPlace(place)
		if v.Own(debugger.Frame{File: file, Line: line}) {
			return subject.Named(strings.TrimSuffix(strings.TrimSpace(lines[i]), "()"))
		}
	}
	return ""
}

// cutPlace reads "file:line".
func cutPlace(place string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place, 0, false
	}
	n, err := strconv.Atoi(place[i+1:])
	return place[:i], n, err == nil
}
