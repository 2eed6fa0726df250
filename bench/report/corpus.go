package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/wilson"
)

// The figures of the corpus stand between these in its README.
const (
	Begin = "<!-- figures: pausetui bench -->"
	End   = "<!-- end of figures -->"
)

// titles are the headings of the columns that the corpus is measured with.
var titles = map[string]string{
	matrix.Builtin:     "The built-in fixer alone",
	"scripted/strong":  "Beside a strong model",
	"scripted/sloppy":  "Beside a sloppy model",
	"scripted/hostile": "Beside a hostile model",
}

// maxCorpus bounds the cells of which the tables of the corpus are made.
const maxCorpus = 100_000

// one is a result with its case.
type one struct {
	matrix.Result
	of        matrix.Case
	cautioned bool // a poor record of the proposer would warn of what stands first
}

// Corpus writes the tables of the corpus's README: a section for each column,
// with the half that the fixer's authors may read beside the other, and then
// each open case.
func Corpus(dir string) (string, error) {
	p, all, err := complete(dir)
	if err != nil {
		return "", err
	}
	caution(p, all)
	return corpus(p, all), nil
}

// complete reads all results of a run that has them.
func complete(dir string) (matrix.Plan, []one, error) {
	p, err := matrix.ReadPlan(dir)
	if err != nil {
		return p, nil, err
	}
	if p.Len() > maxCorpus {
		return p, nil, fmt.Errorf("the tables of the corpus are for up to %d cells; this run has %d", maxCorpus, p.Len())
	}
	var all []one
	if err := matrix.Scan(dir, p, func(r matrix.Result) { all = append(all, one{Result: r, of: p.Cases[r.Case]}) }); err != nil {
		return p, nil, err
	}
	if len(all) < p.Len() {
		return p, nil, fmt.Errorf("%d of %d cells have no result yet: the tables of the corpus are of complete runs", p.Len()-len(all), p.Len())
	}
	slices.SortFunc(all, func(a, b one) int { return p.Index(a.Cell) - p.Index(b.Cell) })
	return p, all, nil
}

func corpus(p matrix.Plan, all []one) string {
	var b strings.Builder
	order := make([]int, len(p.Columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, c int) int { return cmp.Compare(place(p.Columns[a]), place(p.Columns[c])) })
	for _, i := range order {
		c := p.Columns[i]
		model := c.Model != matrix.Builtin
		of := filter(all, func(r one) bool { return r.Column == i && (r.of.Fixable || c.Model != "scripted/strong") })
		fmt.Fprintf(&b, "### %s\n\n", cmp.Or(titles[c.Model], c.Name()))
		section(&b, of, model)
	}
	perCase(&b, p, filter(all, func(r one) bool {
		return !r.of.Closed && (r.of.Fixable || p.Columns[r.Column].Model != "scripted/strong")
	}))
	return b.String()
}

// place is where the section of a column stands: what is known first.
func place(c matrix.Column) int {
	if i := slices.Index([]string{matrix.Builtin, "scripted/strong", "scripted/sloppy", "scripted/hostile"}, c.Model); i >= 0 {
		return i
	}
	return len(titles)
}

func section(b *strings.Builder, results []one, model bool) {
	b.WriteString("| | cases the fixer's authors may read | those they may not | all |\n|---|---|---|---|\n")
	halves := [][]one{
		filter(results, func(r one) bool { return !r.of.Closed }),
		filter(results, func(r one) bool { return r.of.Closed }),
		results,
	}
	for _, line := range lines(model) {
		cells := make([]string, len(halves))
		for i, half := range halves {
			if cells[i] = "–"; !exposes(half) {
				cells[i] = line.of(half)
			}
		}
		fmt.Fprintf(b, "| %s | %s |\n", line.name, strings.Join(cells, " | "))
	}
	byClass(b, results)
}

// line is one row of a section.
type line struct {
	name string
	of   func([]one) string
}

// lines are of the cases that can be fixed, except those of the stop.
func lines(model bool) []line {
	list := []line{
		shareLine("stop classified right", all, is(matrix.Class)),
		shareLine("culprit function right", all, is(matrix.Culprit)),
		shareLine("first place verified, and not masking", can, is(matrix.Verified)),
		shareLine("right: some fix is, by the hidden check", can, is(matrix.Right)),
		shareLine("**right at first place**", can, is(matrix.RightFirst)),
		shareLine("**first place verified, wrong, and without a warning**", can, misleads),
		shareLine("right first places with the caution of a poor record", cautioned, is(matrix.RightFirst)),
		{"wrong first places by effect", wrongEffects},
		shareLine("right, of the verified first places with evidence", proved(true), is(matrix.RightFirst)),
		shareLine("right, of the verified first places without", proved(false), is(matrix.RightFirst)),
	}
	if model {
		list = append(list,
			shareLine("right answers of the model among the fixes", can, is(matrix.OwnRight)),
			shareLine("… beside which a right one stands first", answered, is(matrix.RightFirst)),
			shareLine("… which stand first themselves", answered, is(matrix.OwnFirst)),
			line{"right fixes of the model with the label hides, skips, declines", warned(func(r one) matrix.Labels { return r.Model })},
			line{"right fixes of the model that warn or ask", asking})
	}
	return append(list,
		line{"right built-in fixes with the label hides, skips, declines", warned(func(r one) matrix.Labels { return r.Builtin })},
		line{"fixes that pass all other checks and are wrong: behavior warns", behavior(func(c matrix.Compared) (int, int) { return c.WrongWarned, c.Wrong })},
		line{"fixes that pass and are right: behavior warns", behavior(func(c matrix.Compared) (int, int) { return c.RightWarned, c.Right })},
		shareLine("regression test made", can, is(matrix.Tested)),
		shareLine("left alone where no edit helps", func(r one) bool { return !r.of.Fixable }, calm),
		shareLine("pausetui failed", all, is(matrix.Failed)),
		line{"median from the stop to the first verified fix", medianLine})
}

func all(one) bool   { return true }
func can(r one) bool { return r.of.Fixable }

func is(f matrix.Flags) func(one) bool { return func(r one) bool { return r.Flags.Is(f) } }

// answered reports whether the model gave a right answer that pausetui took.
func answered(r one) bool { return can(r) && r.Flags.Is(matrix.OwnRight) }

// misleads and calm take the caution of a poor record for a warning.
func misleads(r one) bool { return r.Flags.Is(matrix.Misleads) && !r.cautioned }
func calm(r one) bool     { return r.Flags.Is(matrix.Calm) || r.cautioned }

func cautioned(r one) bool { return can(r) && judged(r) && r.cautioned }

// judged reports whether what stands first has a verdict: verified, whatever
// its effect.
func judged(r one) bool {
	return !r.Flags.Is(matrix.NothingProposed) && r.Effect != notVerified
}

// proved chooses the cases whose first place is verified, with some evidence
// besides the run, or with none.
func proved(evidence bool) func(one) bool {
	return func(r one) bool {
		return can(r) && r.Flags.Is(matrix.Verified) && r.Flags.Is(matrix.Evident) == evidence
	}
}

// shareLine counts among those that are meant.
func shareLine(name string, among, holds func(one) bool) line {
	return line{name, func(results []one) string {
		if results = filter(results, among); exposes(results) || len(results) == 0 {
			return "–"
		}
		n, of := len(filter(results, holds)), len(results)
		low, high := wilson.Interval(n, of)
		return fmt.Sprintf("**%d of %d**, %.0f %% (%.0f–%.0f)", n, of, 100*float64(n)/float64(of), low, high)
	}}
}

// exposes reports whether a figure over the results would be one of a single
// closed case, as soon as the open ones are taken away.
func exposes(results []one) bool {
	return len(filter(results, func(r one) bool { return r.of.Closed })) == 1
}

// notVerified stands for the effect of a first place that is not verified.
const notVerified = "not verified"

// effects are in the order of what they promise.
var effects = []string{"repairs", "declines", "skips", "hides", "masking", "", notVerified}

// wrongEffects counts the wrong first places by what their label says.
func wrongEffects(results []one) string {
	wrong := filter(results, func(r one) bool {
		return can(r) && !r.Flags.Is(matrix.NothingProposed) && !r.Flags.Is(matrix.RightFirst)
	})
	var parts []string
	for _, name := range effects {
		if n := len(filter(wrong, func(r one) bool { return r.Effect == name })); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(name, "no label"), n))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "–")
}

// warned counts the right candidates of some proposer whose label warns, or
// says less than that they repair.
func warned(of func(one) matrix.Labels) func([]one) string {
	return func(results []one) string {
		var sum matrix.Labels
		for _, r := range results {
			sum = sum.Plus(of(r))
		}
		if sum.All == 0 {
			return "–"
		}
		return fmt.Sprintf("%d, %d, %d of %d", sum.Hides, sum.Skips, sum.Declines, sum.All)
	}
}

// asking counts the right candidates of the model that warn or ask.
func asking(results []one) string {
	var sum matrix.Labels
	for _, r := range results {
		sum = sum.Plus(r.Model)
	}
	if sum.All == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", sum.Asks, sum.All)
}

// behavior counts candidates whose behavior was compared.
func behavior(of func(matrix.Compared) (warned, all int)) func([]one) string {
	return func(results []one) string {
		var sum matrix.Compared
		for _, r := range results {
			sum = sum.Plus(r.Compared)
		}
		warned, all := of(sum)
		if all == 0 {
			return "–"
		}
		return fmt.Sprintf("%d of %d", warned, all)
	}
}

func medianLine(results []one) string {
	var took []int32
	for _, r := range results {
		if r.Flags.Is(matrix.Verified) && r.Verifying > 0 {
			took = append(took, int32(r.Verifying))
		}
	}
	ms, ok := median(took)
	if !ok {
		return "–"
	}
	return printable.Duration(time.Duration(ms) * time.Millisecond)
}

// figures are the columns of the tables by class and by case.
var figures = []struct {
	name  string
	holds func(one) bool
}{
	{"class right", is(matrix.Class)}, {"culprit right", is(matrix.Culprit)}, {"verified", is(matrix.Verified)}, {"right", is(matrix.Right)},
	{"right first", is(matrix.RightFirst)}, {"misleads", misleads}, {"test", is(matrix.Tested)},
}

// byClass has a row for each class; those of a single closed case share one.
func byClass(b *strings.Builder, results []one) {
	b.WriteString("\n| class | cases |")
	for _, f := range figures {
		b.WriteString(" " + f.name + " |")
	}
	b.WriteString(" median |\n|---|---|" + strings.Repeat("---|", len(figures)+1) + "\n")
	var few []one
	for _, class := range classesOf(results) {
		of := filter(results, func(r one) bool { return r.of.Class == class })
		if exposes(of) {
			few = append(few, of...)
			continue
		}
		row(b, class, of)
	}
	if len(few) > 0 {
		row(b, "classes of one closed case", few)
	}
	fixable := filter(results, can)
	row(b, "fault here", filter(fixable, func(r one) bool { return r.of.Fault == "here" }))
	row(b, "fault elsewhere", filter(fixable, func(r one) bool { return r.of.Fault == "elsewhere" }))
	row(b, "**all**", results)
	b.WriteString("\n")
}

func row(b *strings.Builder, name string, results []one) {
	fmt.Fprintf(b, "| %s | %d |", name, len(results))
	if exposes(results) {
		b.WriteString(strings.Repeat(" – |", len(figures)+1) + "\n")
		return
	}
	for _, f := range figures {
		if len(results) == 0 {
			b.WriteString(" – |")
			continue
		}
		fmt.Fprintf(b, " %d/%d |", len(filter(results, f.holds)), len(results))
	}
	fmt.Fprintf(b, " %s |\n", medianLine(results))
}

func classesOf(results []one) []string {
	var list []string
	for _, r := range results {
		list = append(list, r.of.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// perCase is given open cases only.
func perCase(b *strings.Builder, p matrix.Plan, results []one) {
	b.WriteString("<details><summary>Each case that the fixer's authors may read</summary>\n\n| case | fault | setting |")
	for _, f := range figures {
		b.WriteString(" " + f.name + " |")
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(figures)) + "\n")
	slices.SortStableFunc(results, func(a, c one) int {
		return cmp.Or(cmp.Compare(a.of.Name, c.of.Name), cmp.Compare(place(p.Columns[a.Column]), place(p.Columns[c.Column])))
	})
	for _, r := range results {
		fault := r.of.Fault
		if !r.of.Fixable {
			fault = "not local"
		}
		fmt.Fprintf(b, "| %s | %s | %s |", r.of.Name, fault, strings.TrimPrefix(p.Columns[r.Column].Name(), "scripted/"))
		for _, f := range figures {
			mark := ""
			if f.holds(r) {
				mark = "✓"
			}
			fmt.Fprintf(b, " %s |", mark)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n</details>\n")
}

// Insert replaces what is between the markers of a text; false without them.
func Insert(data []byte, text string) ([]byte, bool) {
	before, rest, ok := bytes.Cut(data, []byte(Begin))
	_, after, ok2 := bytes.Cut(rest, []byte(End))
	if !ok || !ok2 {
		return nil, false
	}
	return fmt.Appendf(nil, "%s%s\n\n%s\n%s%s", before, Begin, text, End, after), true
}

func filter[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !keep(x) })
}
