package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
)

// View says what of a run is shown, and how.
type View struct {
	Sort    string                 // key of the score that columns are sorted by; "right" when empty
	Columns func(name string) bool // nil for all
	Cases   func(matrix.Case) bool // nil for all
	Color   bool
	Times   bool // what depends on the machine
	Width   int  // of the terminal, in cells; 0 for as wide as it gets
}

func (v View) cases(c matrix.Case) bool { return v.Cases == nil || v.Cases(c) }

// order lists the columns that are shown, the best first.
func (s *Summary) order(v View) []int {
	var list []int
	for i, c := range s.Columns {
		if v.Columns == nil || v.Columns(c.Name()) {
			list = append(list, i)
		}
	}
	by, ok := FindScore(v.Sort)
	if !ok {
		by = Scores[0]
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := s.Share(a, by, v.cases), s.Share(b, by, v.cases)
		if by.Bad {
			x, y = y, x
		}
		return y.N - x.N
	})
	return list
}

// shown are the scores of the matrix, as far as 100 columns take them.
var shown = []string{"right", "right_first", "usable", "builds", "reruns", "verified", "misleads", "masks"}

// scores are those of the matrix; the one that is sorted by comes first.
func (v View) scores() []Score {
	var list []Score
	if by, ok := FindScore(v.Sort); ok {
		list = append(list, by)
	}
	for _, key := range shown {
		if score, _ := FindScore(key); len(list) == 0 || key != list[0].Key {
			list = append(list, score)
		}
	}
	return list
}

// Text writes the matrix: columns by scores, then classes by columns.
func Text(w io.Writer, s *Summary, troubles map[matrix.Cell]string, v View) error {
	b := &strings.Builder{}
	order := s.order(v)
	width := len("model and prompt")
	for _, i := range order {
		width = max(width, len([]rune(s.Columns[i].Name())))
	}
	width = min(width, 32)
	s.head(b, troubles)
	s.scores(b, v, order, width)
	s.classes(b, v, order)
	s.notes(b, v, order)
	_, err := io.WriteString(w, b.String())
	return err
}

// head says what was measured, and how much of it.
func (s *Summary) head(b *strings.Builder, troubles map[matrix.Cell]string) {
	fmt.Fprintf(b, "%s × %s × %s: ", plural(len(s.Columns), "column"), plural(len(s.Plan.Cases), "case"), plural(s.Plan.Trials, "trial"))
	planned := s.Plan.Len()
	if s.Done == planned {
		fmt.Fprintf(b, "%s, complete.\n", plural(planned, "cell"))
	} else {
		fmt.Fprintf(b, "%d of %s have a result. The others count as not right.\n", s.Done, plural(planned, "cell"))
	}
	if len(troubles) > 0 {
		fmt.Fprintf(b, "%s without a result because of an error; the first: %s\n", plural(len(troubles), "cell"), firstTrouble(s.Plan, troubles))
	}
	if s.Drifted > 0 {
		fmt.Fprintf(b, "%s: the prompt has changed since its answers were stored, so the model would see another one now.\n", plural(s.Drifted, "cell"))
	}
	b.WriteString("\n")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func firstTrouble(p matrix.Plan, troubles map[matrix.Cell]string) string {
	best := -1
	text := ""
	for c, err := range troubles {
		if i := p.Index(c); best < 0 || i < best {
			best, text = i, p.Columns[c.Column].Name()+": "+printable.Line(err)
		}
	}
	return text
}

// scores writes a row for each column of the plan.
func (s *Summary) scores(b *strings.Builder, v View, order []int, width int) {
	fmt.Fprintf(b, "%-*s", width, "model and prompt")
	list := v.fitting(width + ranked)
	for n, score := range list {
		if n == 0 {
			fmt.Fprintf(b, "  %-13s", score.Title)
			continue
		}
		b.WriteString(" " + score.head())
	}
	b.WriteString("\n")
	for _, i := range order {
		fmt.Fprintf(b, "%s", padded(printable.Line(s.Columns[i].Name()), width))
		for n, score := range list {
			share := s.Share(i, score, v.cases)
			if n == 0 { // the ranking
				b.WriteString("  " + v.heat(share, score, padded(withInterval(share), 13)))
				continue
			}
			b.WriteString(" " + v.heat(share, score, fmt.Sprintf("%*s", len(score.head()), percent(share))))
		}
		b.WriteString("\n")
	}
}

// ranked is the width of the first score, which has an interval.
const ranked = 15

// head is a score's title, at least as wide as its figures.
func (s Score) head() string { return fmt.Sprintf("%5s", s.Title) }

// fitting are the scores that fit next to what is that wide.
func (v View) fitting(used int) []Score {
	list := v.scores()
	for i, score := range list[1:] {
		used += 1 + len(score.head())
		if v.Width > 0 && used > v.Width {
			return list[:i+1]
		}
	}
	return list
}

// padded cuts or fills a text to a width in cells; names have no wide characters.
func padded(text string, width int) string {
	r := []rune(text)
	if len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return text + strings.Repeat(" ", width-len(r))
}

// withInterval is a share in per cent with its interval: "62 (52–72)".
func withInterval(s Share) string {
	if s.Unknown() {
		return "–"
	}
	mark := ""
	if s.Few() {
		mark = "*"
	}
	return fmt.Sprintf("%.0f (%.0f–%.0f)%s", 100*s.Rate(), s.Low, s.High, mark)
}

func percent(s Share) string {
	if s.Unknown() {
		return "–"
	}
	return fmt.Sprintf("%.0f", 100*s.Rate())
}

// heat colors a share from red over yellow to green; nothing without colors.
func (v View) heat(s Share, of Score, text string) string {
	if !v.Color || s.Unknown() {
		return text
	}
	good := s.Rate()
	if of.Bad {
		good = 1 - good
	}
	// The ramp of the 256 colors keeps its brightness, so that black text can be
	// read on all of it.
	ramp := []int{174, 180, 186, 185, 149, 150, 114}
	return fmt.Sprintf("\x1b[48;5;%d;38;5;16m%s\x1b[0m", ramp[min(int(good*float64(len(ramp))), len(ramp)-1)], text)
}

// classes writes the share that is right by class, a row for each class.
func (s *Summary) classes(b *strings.Builder, v View, order []int) {
	right := Scores[0]
	fmt.Fprintf(b, "\nright by class, in %%\n%-20s %5s", "class", "cases")
	for n := range order {
		fmt.Fprintf(b, " %6s", letter(n))
	}
	b.WriteString("\n")
	for _, class := range s.Plan.Classes() {
		of := func(c matrix.Case) bool { return c.Class == class && v.cases(c) }
		if len(order) == 0 || s.Share(order[0], right, of).Cases == 0 {
			continue
		}
		fmt.Fprintf(b, "%-20s %5d", class, s.Share(order[0], right, of).Cases)
		for _, i := range order {
			share := s.Share(i, right, of)
			mark := " "
			if share.Few() && !share.Unknown() {
				mark = "*"
			}
			b.WriteString(" " + v.heat(share, right, fmt.Sprintf("%5s%s", percent(share), mark)))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for n, i := range order {
		fmt.Fprintf(b, "%-3s%s\n", letter(n), printable.Line(s.Columns[i].Name()))
		if words := s.Took(i, v); words != "" {
			fmt.Fprintf(b, "   %s\n", words)
		}
	}
}

// letter names a column below others: a, b, …, z, a1, ….
func letter(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return fmt.Sprintf("%c%d", 'a'+n%26, n/26)
}

// notes explain the marks, and say what cannot be said.
func (s *Summary) notes(b *strings.Builder, v View, order []int) {
	b.WriteString("\nShares in per cent. In parentheses: the 95 % interval (Wilson, of cases). Times and edits: medians.\n")
	b.WriteString("*: under 10 cases, which say little. –: nothing, or a single closed case.\n")
	if len(order) > 1 {
		by := v.scores()[0]
		first, second := s.Share(order[0], by, v.cases), s.Share(order[1], by, v.cases)
		if by.Bad {
			first, second = second, first
		}
		if first.Of > 0 && first.Low <= second.High {
			b.WriteString("The intervals of the first two overlap: pausetui bench compare tells more.\n")
		}
	}
	for _, i := range order {
		if words := s.passWords(i, v); words != "" {
			fmt.Fprintf(b, "%s: %s\n", printable.Line(s.Columns[i].Name()), words)
		}
	}
}

// passWords are pass@1 and pass@k of a column; empty with one trial, and where
// they would tell what became of a single closed case.
func (s *Summary) passWords(column int, v View) string {
	k := s.Plan.Trials
	if share := s.Share(column, Scores[0], v.cases); k < 2 || share.Unknown() {
		return ""
	}
	return fmt.Sprintf("pass@1 %.0f %%, pass@%d %.0f %%", 100*s.PassAtK(column, 1, v.cases), k, 100*s.PassAtK(column, k, v.cases))
}

// tokens are those of all requests of a column, in and out.
func tokens(c Column) string {
	if c.PromptTokens+c.Tokens == 0 {
		return "–"
	}
	return count(c.PromptTokens) + "+" + count(c.Tokens)
}

func count(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n >= 10_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

func medianWords(list []int32) string {
	ms, ok := median(list)
	if !ok {
		return "–"
	}
	return milliseconds(ms)
}

func milliseconds(ms int32) string { return printable.Duration(time.Duration(ms) * time.Millisecond) }
