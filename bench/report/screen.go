package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
)

// This file has what a screen shows of a run, in the words of the other reports.

// Order lists the columns that are shown, the best first.
func (s *Summary) Order(v View) []int { return s.order(v) }

// All lists every score: the one that is sorted by first, then those of the
// matrix.
func (v View) All() []Score {
	list := v.scores()
	for _, score := range Scores {
		if !slices.ContainsFunc(list, func(have Score) bool { return have.Key == score.Key }) {
			list = append(list, score)
		}
	}
	return list
}

// Words are a share in per cent and its interval, with a star for few cases.
func (s Share) Words() (share, interval string) {
	share, interval, _ = strings.Cut(withInterval(s), " ")
	return share, interval
}

// Good is how good a share of a score is, from 0 to 1; NaN where nothing can be
// said.
func (s Share) Good(of Score) float64 {
	switch {
	case s.Unknown() || of.flag == matrix.OwnDeclines: // to decline is neither good nor bad
		return math.NaN()
	case of.Bad:
		return 1 - s.Rate()
	}
	return s.Rate()
}

// Title says how much was measured.
func (s *Summary) Title() string {
	title := fmt.Sprintf("%s × %s × %s, ", plural(len(s.Columns), "column"), plural(len(s.Plan.Cases), "case"), plural(s.Plan.Trials, "trial"))
	if s.Done == s.Plan.Len() {
		return title + "complete"
	}
	return fmt.Sprintf("%s%d of %s", title, s.Done, plural(s.Plan.Len(), "cell"))
}

// Notes explain the marks, and say what cannot be said.
func (s *Summary) Notes(v View, troubles map[matrix.Cell]string) []string {
	var before, after strings.Builder
	s.head(&before, troubles)
	s.notes(&after, v, s.order(v))
	list := strings.Split(strings.TrimSpace(before.String()), "\n")[1:] // the first is the title
	if s.Done < s.Plan.Len() {
		list = append([]string{"Cells without a result count as not right."}, list...)
	}
	return append(list, strings.Split(strings.TrimSpace(after.String()), "\n")...)
}

// About is what a column took, after what several trials show.
func (s *Summary) About(column int, v View) string {
	words, more := s.passWords(column, v), s.Took(column, v)
	if words != "" && more != "" {
		words += ", "
	}
	return words + more
}

// Outcome says what became of a cell.
func (s *Summary) Outcome(d matrix.Detail) (word string, right bool) {
	if !s.Plan.Cases[d.Case].Fixable {
		return "no edit helps", true
	}
	right = slices.ContainsFunc(d.Candidates, func(k matrix.Candidate) bool { return k.Own && k.Right })
	if right {
		return "right", true
	}
	return "not right", false
}

// Proposers names those who proposed a candidate.
func Proposers(k matrix.Candidate) string { return printable.Line(strings.Join(k.By, ", ")) }

// Trials are how many trials of a case have a result, and in how many of these a
// score holds; done is -1 for a score that is not about this case.
func (s *Summary) Trials(column, number int, of Score) (n, done int) {
	if !of.among(s.Plan.Cases[number]) {
		return 0, -1
	}
	counts := s.Columns[column].Cases[number]
	return int(counts.Flags[bit(of.flag)]), int(counts.Done)
}
