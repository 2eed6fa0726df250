package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/stats"
)

// Comparison is what two columns did on the same cases.
type Comparison struct {
	A, B         string // what was compared
	Pairs        int    // trials of cases that both have a result for
	Cases        int
	OnlyA, OnlyB int      // pairs where one alone is right
	RateA, RateB float64  // in [0, 1]
	Difference   float64  // of B from A, in points of a hundred
	Low, High    float64  // its 95 % interval, by a bootstrap of cases
	P            float64  // by McNemar's exact test
	Better       []string // open cases
	Worse        []string
	HiddenBetter int // closed cases
	HiddenWorse  int
}

// Verdict says in a word what the comparison shows.
func (c Comparison) Verdict() string {
	switch {
	case c.P < 0.05 && c.Low > 0:
		return "better"
	case c.P < 0.05 && c.High < 0:
		return "worse"
	}
	return "unsure"
}

// side is one column of a run.
type side struct {
	dir    string
	plan   matrix.Plan
	column int
	right  map[string]map[int]bool // by case and trial; only those with a result
}

// Compare compares the columns of two runs by a score, pairing cells by case
// and trial. Columns of the same name are compared; where a run has one alone,
// or one is named, with that.
func Compare(dirA, columnA, dirB, columnB string, of Score) ([]Comparison, error) {
	planA, err := matrix.ReadPlan(dirA)
	if err != nil {
		return nil, err
	}
	planB, err := matrix.ReadPlan(dirB)
	if err != nil {
		return nil, err
	}
	pairs, err := paired(planA, columnA, planB, columnB)
	if err != nil {
		return nil, err
	}
	var list []Comparison
	for _, pair := range pairs {
		a, b := &side{dir: dirA, plan: planA, column: pair[0]}, &side{dir: dirB, plan: planB, column: pair[1]}
		if err := a.read(of); err != nil {
			return nil, err
		}
		if err := b.read(of); err != nil {
			return nil, err
		}
		c := compare(a, b)
		if c.Pairs == 0 {
			return nil, fmt.Errorf("%s and %s have no case in common that both have a result for, in the same version", c.A, c.B)
		}
		list = append(list, c)
	}
	return list, nil
}

// paired are the columns that are compared, as pairs of indexes.
func paired(a matrix.Plan, nameA string, b matrix.Plan, nameB string) ([][2]int, error) {
	if nameA != "" || nameB != "" || len(a.Columns) == 1 && len(b.Columns) == 1 {
		i, err := single(a, nameA)
		if err != nil {
			return nil, err
		}
		j, err := single(b, nameB)
		return [][2]int{{i, j}}, err
	}
	var list [][2]int
	for i, c := range a.Columns {
		if j := slices.IndexFunc(b.Columns, func(o matrix.Column) bool { return o.Name() == c.Name() }); j >= 0 {
			list = append(list, [2]int{i, j})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the runs have no model with the same prompt in common: name the columns")
	}
	return list, nil
}

func single(p matrix.Plan, name string) (int, error) {
	if name == "" && len(p.Columns) == 1 {
		return 0, nil
	}
	return p.FindColumn(name)
}

func (s *side) read(of Score) error {
	s.right = map[string]map[int]bool{}
	return matrix.Scan(s.dir, s.plan, func(r matrix.Result) {
		c := s.plan.Cases[r.Case]
		if r.Column != s.column || !of.among(c) {
			return
		}
		key := c.Name + " " + c.Hash
		if s.right[key] == nil {
			s.right[key] = map[int]bool{}
		}
		s.right[key][r.Trial] = r.Flags.Is(of.flag) != of.Bad
	})
}

func compare(a, b *side) Comparison {
	c := Comparison{A: a.plan.Columns[a.column].Name(), B: b.plan.Columns[b.column].Name()}
	var differences []float64
	sumA, sumB := 0, 0
	for _, of := range a.plan.Cases {
		key := of.Name + " " + of.Hash
		n, onlyA, onlyB := 0, 0, 0
		for trial, x := range a.right[key] {
			y, ok := b.right[key][trial]
			if !ok {
				continue
			}
			n++
			if x {
				sumA++
			}
			if y {
				sumB++
			}
			if x && !y {
				onlyA++
			}
			if y && !x {
				onlyB++
			}
		}
		if n == 0 {
			continue
		}
		c.Pairs, c.Cases, c.OnlyA, c.OnlyB = c.Pairs+n, c.Cases+1, c.OnlyA+onlyA, c.OnlyB+onlyB
		differences = append(differences, 100*float64(onlyB-onlyA)/float64(n))
		c.note(of, onlyB-onlyA)
	}
	if c.Pairs == 0 {
		return c
	}
	c.RateA, c.RateB = float64(sumA)/float64(c.Pairs), float64(sumB)/float64(c.Pairs)
	for _, d := range differences {
		c.Difference += d / float64(len(differences))
	}
	c.Low, c.High = stats.Bootstrap(differences)
	c.P = stats.McNemar(c.OnlyA, c.OnlyB)
	return c
}

// note remembers a case that got better or worse.
func (c *Comparison) note(of matrix.Case, by int) {
	switch {
	case by > 0 && of.Closed:
		c.HiddenBetter++
	case by > 0:
		c.Better = append(c.Better, of.Name)
	case by < 0 && of.Closed:
		c.HiddenWorse++
	case by < 0:
		c.Worse = append(c.Worse, of.Name)
	}
}

// exposes reports whether the counts tell what became of a single closed case.
func (c Comparison) exposes() bool { return c.HiddenBetter+c.HiddenWorse == 1 }

// CompareText says what got better, worse, and what is not known.
func CompareText(w io.Writer, list []Comparison, of Score) error {
	b := &strings.Builder{}
	for _, c := range list {
		fmt.Fprintf(b, "%s → %s: %s\n", c.A, c.B, c.Verdict())
		fmt.Fprintf(b, "  %s: %.0f %% → %.0f %%, %+.0f points (95 %% interval %+.0f to %+.0f, by case), p = %s (McNemar, exact)\n",
			of.Title, 100*c.RateA, 100*c.RateB, c.Difference, c.Low, c.High, pWords(c.P))
		fmt.Fprintf(b, "  %s of %s; right in the first alone %d, in the second alone %d\n", plural(c.Pairs, "pair"), plural(c.Cases, "case"), c.OnlyA, c.OnlyB)
		if c.Cases < few {
			b.WriteString("  Under 10 cases say little.\n")
		}
		names(b, "better", c.Better, c.HiddenBetter, c.exposes())
		names(b, "worse", c.Worse, c.HiddenWorse, c.exposes())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func pWords(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", math.Min(p, 1))
}

func names(b *strings.Builder, what string, list []string, hidden int, exposes bool) {
	if hidden > 0 && !exposes {
		list = append(slices.Clone(list), plural(hidden, "closed case"))
	}
	if len(list) > 0 {
		fmt.Fprintf(b, "  %s: %s\n", what, strings.Join(list, ", "))
	}
}
