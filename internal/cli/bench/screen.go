package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	terminals "github.com/pausetui/pausetui/internal/terminal"
	screen "github.com/pausetui/pausetui/ui/scores"
)

// showRun shows a run on the terminal until the person leaves.
func showRun(ctx context.Context, sys *cli.System, dir string, o *reportOptions) error {
	run, err := readRun(dir)
	if err != nil {
		return err
	}
	here, err := sys.Dir()
	if err != nil {
		return err
	}
	settings, err := sys.Config(here)
	if err != nil {
		return err
	}
	options := screen.Options{Run: run, Name: run.Plan.ID(), Again: again(run), Score: o.view.sort, Filter: strings.Join(o.view.only, " "),
		Keys: settings.Keys, Output: terminals.Output(sys.Stdout)}
	options.Theme, options.Dark = cli.ScreenTheme(settings)
	defer terminals.Guard(sys.Stdout)()
	if err := screen.Show(ctx, options); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// readRun reads a run for the screen.
func readRun(dir string) (shownRun, error) {
	s, err := scores.Summarize(dir)
	if err != nil {
		return shownRun{}, err
	}
	troubles, err := matrix.Troubles(dir)
	if err != nil {
		return shownRun{}, err
	}
	return shownRun{s, dir, stillTroubled(dir, s.Plan, troubles)}, nil
}

// again reads a run that is under way when there are more results; nil for one that
// is complete.
func again(run shownRun) func(context.Context) (screen.Run, bool, error) {
	if run.complete() {
		return nil
	}
	size := matrix.Size(run.dir)
	return func(context.Context) (screen.Run, bool, error) {
		now := matrix.Size(run.dir)
		if now == size {
			return nil, true, nil
		}
		size = now
		next, err := readRun(run.dir)
		if err != nil {
			return nil, false, err
		}
		return next, !next.complete(), nil
	}
}

// shownRun is a run for the screen.
type shownRun struct {
	*scores.Summary
	dir      string
	troubles map[matrix.Cell]string
}

// filterWords are the words of a filter: as --only takes them, but a word without a
// wildcard may stand anywhere in a name.
func filterWords(filter string) (names, classes []string) {
	for _, word := range strings.Fields(filter) {
		class, isClass := strings.CutPrefix(word, "class:")
		if word = class; word == "" {
			continue
		}
		if !strings.ContainsAny(word, "*?[") {
			word = "*" + word + "*"
		}
		if isClass {
			classes = append(classes, word)
		} else {
			names = append(names, word)
		}
	}
	return names, classes
}

func (r shownRun) complete() bool { return r.Done == r.Plan.Len() }

func (r shownRun) view(score, filter string) scores.View {
	names, classes := filterWords(filter)
	v := scores.View{Sort: score, Times: true}
	if len(names) > 0 {
		v.Columns = func(name string) bool { return matchesAny(names, name) }
	}
	if len(classes) > 0 {
		v.Cases = func(c matrix.Case) bool { return matchesAny(classes, c.Class) }
	}
	return v
}

// Matrix implements screen.Run.
func (r shownRun) Matrix(score, filter string) screen.Matrix {
	v := r.view(score, filter)
	want := func(c matrix.Case) bool { return v.Cases == nil || v.Cases(c) }
	m := screen.Matrix{Title: r.Title(), Notes: r.Notes(v, r.troubles)}
	all, order := v.All(), r.Order(v)
	for _, s := range all {
		m.Scores = append(m.Scores, screen.Score{Key: s.Key, Title: s.Title, Says: s.Says})
	}
	for _, i := range order {
		row := screen.Row{Column: i, Name: r.Columns[i].Name(), About: r.About(i, v)}
		for _, s := range all {
			row.Figures = append(row.Figures, figure(r.Share(i, s, want), s))
		}
		m.Rows = append(m.Rows, row)
	}
	for _, class := range r.Plan.Classes() {
		c := screen.Class{Name: class}
		for _, i := range order {
			share := r.Share(i, scores.Scores[0], func(of matrix.Case) bool { return of.Class == class && want(of) })
			c.Cases = share.Cases
			c.Figures = append(c.Figures, figure(share, scores.Scores[0]))
		}
		if c.Cases > 0 {
			m.Classes = append(m.Classes, c)
		}
	}
	return m
}

func figure(s scores.Share, of scores.Score) screen.Figure {
	f := screen.Figure{Good: s.Good(of)}
	f.Words, f.Interval = s.Words()
	if math.IsNaN(f.Good) {
		f.Good = -1
	}
	return f
}

// caseScores are those of one case, from an answer to what is right.
var caseScores = []string{"right", "right_first", "usable", "scope", "builds", "reruns", "tests", "verified", "masks", "misleads"}

// Cases implements screen.Run: open cases only.
func (r shownRun) Cases(column int, filter string) screen.Cases {
	names, classes := filterWords(filter)
	var list screen.Cases
	var all []scores.Score
	for _, key := range caseScores {
		s, _ := scores.FindScore(key)
		all = append(all, s)
		list.Scores = append(list.Scores, screen.Score{Key: s.Key, Title: s.Title, Says: s.Says})
	}
	closed := 0
	for i, c := range r.Plan.Cases {
		if len(classes) > 0 && !matchesAny(classes, c.Class) {
			continue
		}
		if c.Closed {
			closed++
			continue
		}
		if len(names) > 0 && !matchesAny(names, c.Name) {
			continue
		}
		one := screen.Case{Number: i, Name: c.Name, Class: c.Class}
		for _, s := range all {
			one.Figures = append(one.Figures, r.ofCase(column, i, s))
		}
		list.List = append(list.List, one)
	}
	switch closed {
	case 0:
	case 1:
		list.Hidden = "1 closed case is counted in the matrix, and not listed"
	default:
		list.Hidden = fmt.Sprintf("%d closed cases are counted in the matrix, and not listed", closed)
	}
	return list
}

// ofCase is how often a score holds in the trials of one open case.
func (r shownRun) ofCase(column, number int, of scores.Score) screen.Figure {
	n, done := r.Trials(column, number, of)
	switch {
	case done < 0: // the score is not about this case
		return screen.Figure{Words: "–", Good: -1}
	case done == 0:
		return screen.Figure{Words: "open", Good: -1}
	}
	f := screen.Figure{Words: fmt.Sprintf("%d/%d", n, done), Good: float64(n) / float64(done)}
	if r.Plan.Trials == 1 {
		f.Words = map[bool]string{true: "✓", false: "✗"}[n > 0]
	}
	if of.Bad {
		f.Good = 1 - f.Good
		if r.Plan.Trials == 1 {
			f.Words = map[bool]string{true: "yes", false: "no"}[n > 0]
		}
	}
	return f
}

// maxShown bounds a text of a model or a check that is shown, in bytes.
const maxShown = 256 << 10

// Details implements screen.Run.
func (r shownRun) Details(ctx context.Context, column, number int) ([]screen.Detail, error) {
	if number < 0 || number >= len(r.Plan.Cases) || r.Plan.Cases[number].Closed {
		return nil, advice.Add(errors.New("this case is closed"), "its figures are in the matrix")
	}
	byTrial := make([]*screen.Detail, r.Plan.Trials)
	err := matrix.Details(r.dir, func(c matrix.Cell) bool {
		return r.Plan.Has(c) && c.Column == column && c.Case == number && byTrial[c.Trial] == nil
	}, func(d matrix.Detail) error {
		shown, err := r.detail(d)
		byTrial[d.Trial] = &shown
		return errors.Join(err, ctx.Err())
	})
	var list []screen.Detail
	for _, d := range byTrial {
		if d != nil {
			list = append(list, *d)
		}
	}
	for trial, d := range byTrial {
		if why, ok := r.troubles[matrix.Cell{Column: column, Case: number, Trial: trial}]; ok && d == nil {
			list = append(list, screen.Detail{Trial: trial + 1, Word: "no result: " + short(why)})
		}
	}
	return list, err
}

func (r shownRun) detail(d matrix.Detail) (screen.Detail, error) {
	shown := screen.Detail{Trial: d.Trial + 1, Failed: short(d.Failed)}
	shown.Word, shown.Good = r.Outcome(d)
	for _, k := range d.Candidates {
		c := screen.Candidate{Title: short(k.Title), By: scores.Proposers(k), Effect: k.Effect, Wrong: short(k.Wrong), Right: k.Right, Diff: k.Diff}
		for _, check := range k.Checks {
			c.Checks = append(c.Checks, screen.Check{Name: check.Name, Status: check.Status, Detail: short(check.Detail)})
		}
		if len(k.Diff) < maxShown {
			c.Edits, _ = scores.Edits(k.Diff) // without them the diff is shown as it is
		}
		shown.Candidates = append(shown.Candidates, c)
	}
	questions, err := scores.Questions(r.dir, d)
	for _, q := range questions {
		shown.Questions = append(shown.Questions, screen.Question{Prompt: short(q.Prompt), Answer: short(q.Answer), Error: short(q.Error)})
	}
	return shown, err
}

// short bounds a text.
func short(s string) string {
	if len(s) > maxShown {
		return strings.ToValidUTF8(s[:maxShown], "") + "\n⋯"
	}
	return s
}
