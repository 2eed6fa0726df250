package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench"
)

// The figures stand between these in the README.
const (
	begin = "<!-- figures: go run ./bench/measure -o bench/corpus/README.md -->"
	end   = "<!-- end of figures -->"
)

var titles = map[setting]string{
	builtin: "The built-in fixer alone",
	strong:  "Beside a strong model",
	sloppy:  "Beside a sloppy model",
}

// report is the figures as markdown: of each setting, then of each open case.
func report(results []result) string {
	var b strings.Builder
	for _, s := range settings {
		if of := filter(results, func(r result) bool { return r.setting == s }); len(of) > 0 {
			section(&b, s, of)
		}
	}
	perCase(&b, filter(results, func(r result) bool { return r.c.Open() }))
	return b.String()
}

func section(b *strings.Builder, s setting, results []result) {
	fmt.Fprintf(b, "### %s\n\n| | cases the fixer's authors may read | those they may not | all |\n|---|---|---|---|\n", titles[s])
	halves := [][]result{
		filter(results, func(r result) bool { return r.c.Open() }),
		filter(results, func(r result) bool { return !r.c.Open() }),
		results,
	}
	for _, line := range lines(s) {
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

// line is one row of a setting's figures.
type line struct {
	name string
	of   func([]result) string
}

// lines are of the cases that can be fixed, except those of the stop.
func lines(s setting) []line {
	list := []line{
		shareLine("stop classified right", every, figures[0].holds),
		shareLine("culprit function right", every, figures[1].holds),
		shareLine("first place verified, and not masking", fixable, result.verified),
		shareLine("right: some candidate is, by the hidden check", fixable, result.right),
		shareLine("**right at first place**", fixable, result.rightFirst),
		shareLine("**first place verified, wrong, and without a warning**", fixable, result.misleads),
		shareLine("right first places with the caution of a poor record", cautioned, result.rightFirst),
		{"wrong first places by effect", wrongEffects},
		shareLine("right, of the verified first places with evidence", proved(true), result.rightFirst),
		shareLine("right, of the verified first places without", proved(false), result.rightFirst),
	}
	if s != builtin {
		list = append(list,
			shareLine("right answers of the model among the candidates", fixable, result.modelRight),
			shareLine("… beside which a right one stands first", answered, result.rightFirst),
			shareLine("… which stand first themselves", answered, result.modelRightFirst),
			line{"right candidates of the model with the label hides, skips, declines", warned(candidate.model)})
	}
	return append(list,
		line{"right built-in candidates with the label hides, skips, declines", warned(candidate.builtin)},
		shareLine("regression test made", fixable, result.test),
		shareLine("left alone where no edit helps", unfixable, result.leftAlone),
		shareLine("pausetui failed", every, func(r result) bool { return r.failed != "" }),
		line{"median from the stop to the first verified candidate", median})
}

func every(result) bool       { return true }
func fixable(r result) bool   { return r.c.CanBeFixed() }
func unfixable(r result) bool { return !r.c.CanBeFixed() }

func cautioned(r result) bool { return fixable(r) && r.top().Verified && r.cautioned }

// answered reports whether the model gave a right answer that pausetui took.
func answered(r result) bool { return fixable(r) && r.modelRight() }

// proved chooses the cases whose first place is verified, with some evidence
// besides the run, or with none.
func proved(evidence bool) func(result) bool {
	return func(r result) bool {
		return fixable(r) && r.verified() && len(r.top().Evidence) > 0 == evidence
	}
}

// shareLine counts among those that are meant.
func shareLine(name string, among, holds func(result) bool) line {
	return line{name, func(results []result) string {
		if results = filter(results, among); exposes(results) {
			return "–"
		}
		return count(results, holds).withInterval()
	}}
}

// exposes reports whether a figure over the results would be one of a single
// closed case, as soon as the open ones are taken away.
func exposes(results []result) bool {
	return count(results, func(r result) bool { return !r.c.Open() }).n == 1
}

// effects are in the order of what they promise.
var effects = []string{"repairs", "declines", "skips", "hides"}

// wrongEffects counts the wrong first places by what their label says.
func wrongEffects(results []result) string {
	n := map[string]int{}
	for _, r := range filter(results, func(r result) bool { return fixable(r) && len(r.candidates) > 0 && !r.rightFirst() }) {
		name := r.top().Effect
		if name == "" && r.top().Masking {
			name = "masking"
		}
		if !r.top().Verified {
			name = "not verified"
		}
		n[name]++
	}
	var parts []string
	for _, name := range append(slices.Clone(effects), "masking", "", "not verified") {
		if n[name] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(name, "no label"), n[name]))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "–")
}

// warned counts the right candidates of some proposer whose label warns, or
// says less than that they repair.
func warned(of func(candidate) bool) func([]result) string {
	return func(results []result) string {
		var right []candidate
		for _, r := range results {
			right = append(right, filter(r.candidates, func(k candidate) bool { return k.Right && of(k) })...)
		}
		if len(right) == 0 {
			return "–"
		}
		label := func(want string) int { return count(right, func(k candidate) bool { return k.Effect == want }).n }
		hides := label("hides") + count(right, func(k candidate) bool { return k.Effect == "" && k.Masking }).n
		return fmt.Sprintf("%d, %d, %d of %d", hides, label("skips"), label("declines"), len(right))
	}
}

// byClass has a row for each class; those of a single closed case share one.
func byClass(b *strings.Builder, results []result) {
	b.WriteString("\n| class | cases |")
	for _, f := range figures {
		b.WriteString(" " + f.name + " |")
	}
	b.WriteString(" median |\n|---|---|" + strings.Repeat("---|", len(figures)+1) + "\n")
	var few []result
	for _, class := range classes(results) {
		of := filter(results, func(r result) bool { return r.c.Class == class })
		if exposes(of) {
			few = append(few, of...)
			continue
		}
		row(b, class, of)
	}
	if len(few) > 0 {
		row(b, "classes of one closed case", few)
	}
	can := filter(results, fixable)
	row(b, "fault here", filter(can, func(r result) bool { return r.c.Fault == bench.Here }))
	row(b, "fault elsewhere", filter(can, func(r result) bool { return r.c.Fault == bench.Elsewhere }))
	row(b, "**all**", results)
	b.WriteString("\n")
}

func row(b *strings.Builder, name string, results []result) {
	fmt.Fprintf(b, "| %s | %d |", name, len(results))
	if exposes(results) {
		b.WriteString(strings.Repeat(" – |", len(figures)+1) + "\n")
		return
	}
	for _, f := range figures {
		fmt.Fprintf(b, " %s |", count(results, f.holds))
	}
	fmt.Fprintf(b, " %s |\n", median(results))
}

func classes(results []result) []string {
	var list []string
	for _, r := range results {
		list = append(list, r.c.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// perCase is given open cases only.
func perCase(b *strings.Builder, results []result) {
	b.WriteString("<details><summary>Each case that the fixer's authors may read</summary>\n\n| case | fault | setting |")
	for _, f := range figures {
		b.WriteString(" " + f.name + " |")
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(figures)) + "\n")
	for _, r := range results {
		fault := string(r.c.Fault)
		if !r.c.CanBeFixed() {
			fault = "not local"
		}
		fmt.Fprintf(b, "| %s | %s | %s |", r.c.Name, fault, r.setting)
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

// insert replaces what is between the markers of a file.
func insert(file, text string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(data, []byte(begin))
	_, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		return fmt.Errorf("%s: the lines %q and %q are missing", file, begin, end)
	}
	out := fmt.Sprintf("%s%s\n\n%s\n%s%s", before, begin, text, end, after)
	return os.WriteFile(file, []byte(out), 0o644)
}
