package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/wilson"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Stats are what the sessions of a query add up to. Rates count what was run
// again and watched, never what a proposer said of itself.
type Stats struct {
	Sessions   int        `json:"sessions"`
	From       time.Time  `json:"from"` // start of the first and of the last
	To         time.Time  `json:"to"`
	Outcomes   []Count    `json:"outcomes"`
	Classes    []Count    `json:"classes"`
	Packages   []Count    `json:"packages"`
	Functions  []Count    `json:"functions"`
	Prints     []Count    `json:"fingerprints"` // the most frequent; Label has the class and the function
	Days       []Day      `json:"days"`
	Effects    []Count    `json:"effects"`   // of the candidates that pass their checks
	Failures   []Count    `json:"failures"`  // why iterations gave nothing that can be applied, by session.Failed
	Proposers  []Proposer `json:"proposers"` // by model and prompt
	Applied    int        `json:"applied"`   // verified candidates written to the source
	Fixed      Rate       `json:"fixed"`     // of these, judged fixed
	CameBack   Rate       `json:"came_back"`
	Masking    Rate       `json:"masking"`          // of the candidates that pass their checks, those that skip or hide
	Declining  Rate       `json:"declining"`        // … and those that report an error instead
	ToStop     *float64   `json:"median_to_stop_s"` // null where there is none
	ToVerified *float64   `json:"median_to_verified_s"`
	ToDecision *float64   `json:"median_to_decision_s"`
	TokensIn   int        `json:"tokens_in"`
	TokensOut  int        `json:"tokens_out"`
	Cost       float64    `json:"cost"` // in the currency of the configured prices
	Unreadable int        `json:"unreadable"`
}

// Count is how often a value occurs, and how many of these sessions ended fixed.
type Count struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	N     int    `json:"n"`
	Fixed int    `json:"fixed"`
}

// Day is a day of sessions.
type Day struct {
	Date     string `json:"date"` // "2026-11-20", local
	Sessions int    `json:"sessions"`
	Fixed    int    `json:"fixed"`
}

// Proposer is what came of the candidates of a model with a prompt.
type Proposer struct {
	Name     string  `json:"name"` // "ollama/qwen3-coder:30b"
	Prompt   string  `json:"prompt,omitempty"`
	Proposed int     `json:"proposed"`
	Verified Rate    `json:"verified"` // of those proposed
	Masking  int     `json:"masking"`
	Applied  int     `json:"applied"`
	Fixed    Rate    `json:"fixed"` // of those applied
	CameBack int     `json:"came_back"`
	Tokens   int     `json:"tokens_out"`
	Cost     float64 `json:"cost"`
}

// Rate is a share with its 95 % score interval (Wilson 1927), in per cent.
type Rate struct {
	N    int     `json:"n"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NewRate computes the interval of a share; of nothing it is from 0 to 100.
func NewRate(n, of int) Rate {
	low, high := wilson.Interval(n, of)
	return Rate{N: n, Of: of, Low: low, High: high}
}

// most is how many values of a kind the statistics name.
const most = 20

// Stats adds up the sessions of a query, in one pass over their facts.
func (x *Index) Stats(ctx context.Context, q Query) (Stats, error) {
	condition, args, err := x.where(ctx, q)
	if err != nil {
		return Stats{}, err
	}
	rows, err := x.db.QueryContext(ctx, "SELECT at, facts FROM sessions WHERE "+condition+" ORDER BY at", args...)
	if err != nil {
		return Stats{}, x.failed(err)
	}
	defer rows.Close()
	a := newAdding()
	for rows.Next() {
		var at int64
		var f facts
		if err := rows.Scan(&at, (*string)(&f)); err != nil {
			return Stats{}, x.failed(err)
		}
		a.session(time.UnixMilli(at), f)
	}
	return a.stats(), x.failed(rows.Err())
}

// adding adds up the facts of sessions.
type adding struct {
	s                                                       Stats
	outcomes, classes, packages, functions, prints, effects tally
	failures                                                tally
	toStop, toVerified, toDecision                          []float64
	proposers                                               map[[3]string]*Proposer
	order                                                   []*Proposer // each once
	fixed, back, passing, masking, declining                int
}

func newAdding() *adding {
	return &adding{s: Stats{Days: []Day{}}, outcomes: tally{}, classes: tally{}, packages: tally{}, functions: tally{}, prints: tally{}, effects: tally{},
		failures: tally{}, proposers: map[[3]string]*Proposer{}}
}

// tally counts values.
type tally map[string]*Count

// add returns the count, nil for no value.
func (t tally) add(name, label string, fixed bool) *Count {
	if name == "" {
		return nil
	}
	c := t[name]
	if c == nil {
		c = &Count{Name: name, Label: label}
		t[name] = c
	}
	c.N++
	if fixed {
		c.Fixed++
	}
	return c
}

// sorted are the counts, the largest first; at most limit of them, 0 for all.
func (t tally) sorted(limit int) []Count {
	list := make([]Count, 0, len(t))
	for _, c := range t {
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	if limit > 0 {
		list = list[:min(limit, len(list))]
	}
	return list
}

// session adds one; they come in the order of their times.
func (a *adding) session(at time.Time, f facts) {
	var v [10]string
	if !f.fields(v[:]) {
		return
	}
	outcome, classes, pkg, function, file, print, fixed := v[0], strings.Fields(v[1]), v[2], v[3], v[4], v[5], v[6] == "fixed"
	a.outcomes.add(outcome, "", fixed)
	for _, c := range classes {
		class, fixed := strings.CutSuffix(c, fixedMark)
		a.classes.add(class, "", fixed)
	}
	a.packages.add(pkg, "", fixed)
	a.functions.add(function, file, fixed)
	if c := a.prints.add(print, "", fixed); c != nil && c.Label == "" && len(classes) > 0 {
		c.Label = strings.TrimSuffix(classes[0], fixedMark) + " in " + function
	}
	a.toStop, a.toVerified, a.toDecision = known(a.toStop, v[7]), known(a.toVerified, v[8]), known(a.toDecision, v[9])
	a.s.To = at
	if a.s.Sessions == 0 {
		a.s.From = at
	}
	a.s.Sessions++
	a.day(at, fixed)
	if outcome == "unreadable" {
		a.s.Unreadable++
	}
	var line [8]string
	for f.fields(line[:]) {
		p := a.proposer(line[1], line[2], line[3])
		a.failures.add(line[7], "", false)
		if line[0] == "c" {
			a.candidate(p, line[4], int(number(line[5])), line[6])
		} else {
			a.request(p, int(number(line[4])), int(number(line[5])), number(line[6]))
		}
	}
}

func (a *adding) day(at time.Time, fixed bool) {
	date := at.Format(time.DateOnly)
	if n := len(a.s.Days); n == 0 || a.s.Days[n-1].Date != date {
		a.s.Days = append(a.s.Days, Day{Date: date})
	}
	day := &a.s.Days[len(a.s.Days)-1]
	day.Sessions++
	if fixed {
		day.Fixed++
	}
}

func known(list []float64, text string) []float64 {
	if text == "" {
		return list
	}
	return append(list, number(text))
}

func median(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	return &middle
}

// proposer is what is added up for a model with a prompt.
func (a *adding) proposer(provider, model, prompt string) *Proposer {
	key := [3]string{provider, model, prompt}
	p := a.proposers[key]
	if p == nil {
		name := model
		if !strings.HasPrefix(model, provider+"/") {
			name = provider + "/" + model
		}
		for _, same := range a.proposers { // its provider may be part of the model's name
			if same.Name == name && same.Prompt == prompt {
				p = same
			}
		}
		if p == nil {
			p = &Proposer{Name: name, Prompt: prompt}
			a.order = append(a.order, p)
		}
		a.proposers[key] = p
	}
	return p
}

func (a *adding) candidate(p *Proposer, effect string, bits int, judgement string) {
	verified, applied := bits&isVerified != 0, bits&isApplied != 0
	fixed, back := applied && judgement == "fixed", applied && judgement == "came-back"
	p.Proposed++
	p.Verified.N += bit(verified, 1)
	p.Masking += bit(bits&isMasking != 0, 1)
	p.Applied += bit(applied, 1)
	p.Fixed.N += bit(fixed, 1)
	p.CameBack += bit(back, 1)
	if bits&isPassing != 0 {
		a.effects.add(effect, "", fixed)
		a.passing++
		a.masking += bit(bits&isMasking != 0, 1)
		a.declining += bit(effect == string(verdict.Declines), 1)
	}
	if applied && verified {
		a.s.Applied++
		a.fixed += bit(fixed, 1)
		a.back += bit(back, 1)
	}
}

func (a *adding) request(p *Proposer, in, out int, cost float64) {
	p.Tokens, p.Cost = p.Tokens+out, p.Cost+cost
	a.s.TokensIn, a.s.TokensOut, a.s.Cost = a.s.TokensIn+in, a.s.TokensOut+out, a.s.Cost+cost
}

// stats puts what was added up in order.
func (a *adding) stats() Stats {
	s := a.s
	s.Outcomes, s.Classes, s.Packages = a.outcomes.sorted(0), a.classes.sorted(most), a.packages.sorted(most)
	s.Functions, s.Prints, s.Effects = a.functions.sorted(most), a.prints.sorted(most), a.effects.sorted(0)
	s.Failures = a.failures.sorted(0)
	s.ToStop, s.ToVerified, s.ToDecision = median(a.toStop), median(a.toVerified), median(a.toDecision)
	s.Fixed, s.CameBack = NewRate(a.fixed, s.Applied), NewRate(a.back, s.Applied)
	s.Masking, s.Declining = NewRate(a.masking, a.passing), NewRate(a.declining, a.passing)
	s.Proposers = []Proposer{}
	for _, p := range a.order {
		p.Verified, p.Fixed = NewRate(p.Verified.N, p.Proposed), NewRate(p.Fixed.N, p.Applied)
		s.Proposers = append(s.Proposers, *p)
	}
	slices.SortFunc(s.Proposers, func(a, b Proposer) int {
		return cmp.Or(cmp.Compare(b.Fixed.N, a.Fixed.N), cmp.Compare(b.Proposed, a.Proposed), cmp.Compare(a.Name+a.Prompt, b.Name+b.Prompt))
	})
	return s
}
