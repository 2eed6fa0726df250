package execute

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/subject"
)

// DataRace is a race that the detector has reported: the user's functions that
// the two accesses are in, sorted.
type DataRace [2]string

// Detects reports whether the race detector can say something of the stop.
func (v *Runner) Detects(s subject.Site) bool {
	return v.Subject.Stop.MayRace() && s.Class != debugger.Deadlock && s.Function != "" && !v.Subject.Build.Race && !v.Subject.Stop.LivesOn() && v.Runs()
}

// Races builds the program with the detector, under an overlay, and runs it once.
func (v *Runner) Races(ctx context.Context, dir string, overlay map[string]string) ([]DataRace, error) {
	spec := v.Spec(filepath.Join(dir, "program"), overlay)
	spec.Race = true
	built, err := build.Build(ctx, spec, nil)
	if err != nil {
		return nil, err
	}
	r, err := v.Execute(ctx, built.Binary, v.Wall())
	if err != nil {
		return nil, err
	}
	races := reported(v, string(Normal(r.Output)))
	for _, c := range crash.ParseAll(r.Output) { // it may stop before the detector has said anything
		if s, ok := v.Site(); ok && v.At(s, c) {
			races = append(races, DataRace{s.Function, s.Function})
		}
	}
	return races, nil
}

// String names the functions that race.
func (r DataRace) String() string {
	if r[0] == r[1] || r[0] == "" {
		return r[1]
	}
	return r[0] + " with " + r[1]
}

// reported reads the detector's reports.
func reported(v *Runner, output string) []DataRace {
	var found []DataRace
	for _, report := range strings.Split(output, "WARNING: DATA RACE\n")[1:] {
		report, _, _ = strings.Cut(report, "\n==================")
		accesses := strings.Split(report, "\n\n")
		var r DataRace
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
func innermostOwn(v *Runner, stack string) string {
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
