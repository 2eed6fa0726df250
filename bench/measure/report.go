package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// The figures stand between these in the README.
const (
	begin = "<!-- figures: go run ./bench/measure -o bench/corpus/README.md -->"
	end   = "<!-- end of figures -->"
)

// share is a count among others.
type share struct{ n, of int }

func (s share) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", s.n, s.of)
}

// interval is Wilson's 95 % score interval of the share, in per cent.
func (s share) interval() (low, high float64) {
	const z = 1.96
	n, p := float64(s.of), float64(s.n)/float64(s.of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * (middle - half), 100 * (middle + half)
}

func count(results []result, holds func(result) bool) share {
	s := share{of: len(results)}
	for _, r := range results {
		if holds(r) {
			s.n++
		}
	}
	return s
}

func filter(results []result, keep func(result) bool) []result {
	return slices.DeleteFunc(slices.Clone(results), func(r result) bool { return !keep(r) })
}

// report is the figures as markdown: shares, then classes, then cases.
func report(results []result) string {
	var b strings.Builder
	fixable := filter(results, func(r result) bool { return r.c.CanBeFixed() })
	shares(&b, results, fixable)
	b.WriteString("\n| class | cases | class right | culprit right | verified | right | masking only | test | median to verified |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, class := range classes(results) {
		row(&b, class, filter(results, func(r result) bool { return r.c.Class == class }))
	}
	row(&b, "fault here", filter(fixable, func(r result) bool { return r.c.FaultIn == "" }))
	row(&b, "fault elsewhere", filter(fixable, func(r result) bool { return r.c.FaultIn != "" }))
	row(&b, "the fixer's authors may read", filter(fixable, func(r result) bool { return r.c.Open() }))
	row(&b, "the fixer's authors may not", filter(fixable, func(r result) bool { return !r.c.Open() }))
	row(&b, "**all**", results)
	perCase(&b, results)
	return b.String()
}

// shares are of the cases that can be fixed, except those of the stop.
func shares(b *strings.Builder, results, fixable []result) {
	line := func(what string, s share) {
		if s.of == 0 {
			return
		}
		low, high := s.interval()
		fmt.Fprintf(b, "- %s: **%d of %d**, %.0f %% (95 %% interval %.0f–%.0f %%)\n", what, s.n, s.of, 100*float64(s.n)/float64(s.of), low, high)
	}
	line("stop classified right", count(results, func(r result) bool { return r.class }))
	line("culprit function right", count(results, func(r result) bool { return r.culprit }))
	line("verified, and not masking", count(fixable, func(r result) bool { return r.verified }))
	line("right by the hidden check", count(fixable, func(r result) bool { return r.right }))
	line("right among the verified", count(filter(fixable, func(r result) bool { return r.verified }), func(r result) bool { return r.right }))
	line("nothing better than masking verified", count(fixable, func(r result) bool { return r.masking }))
	line("regression test made", count(fixable, func(r result) bool { return r.test }))
	line("left alone where nothing local helps", count(filter(results, func(r result) bool { return !r.c.CanBeFixed() }), func(r result) bool { return r.right }))
	if d, ok := median(results); ok {
		fmt.Fprintf(b, "- time from the stop to the first verified candidate, median: %s (of the machine it was measured on)\n", d)
	}
}

func row(b *strings.Builder, name string, results []result) {
	fmt.Fprintf(b, "| %s | %d |", name, len(results))
	for i := range (result{}).flags() {
		fmt.Fprintf(b, " %s |", count(results, func(r result) bool { return r.flags()[i].holds }))
	}
	if d, ok := median(results); ok {
		fmt.Fprintf(b, " %s |\n", d)
		return
	}
	b.WriteString(" – |\n")
}

func median(results []result) (time.Duration, bool) {
	var took []time.Duration
	for _, r := range results {
		if r.verified && r.first > 0 {
			took = append(took, r.first)
		}
	}
	if len(took) == 0 {
		return 0, false
	}
	slices.Sort(took)
	return took[len(took)/2].Round(100 * time.Millisecond), true
}

func classes(results []result) []string {
	var list []string
	for _, r := range results {
		list = append(list, r.c.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func perCase(b *strings.Builder, results []result) {
	b.WriteString("\n<details><summary>Each case</summary>\n\n| case | fault | class | culprit | verified | right | masking only | test |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		fault := string(r.c.Fault)
		if !r.c.CanBeFixed() {
			fault = "not local"
		}
		fmt.Fprintf(b, "| %s | %s |", r.c.Name, fault)
		for _, f := range r.flags() {
			mark := ""
			if f.holds {
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
