package index

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/wilson"
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
	Proposers  []Proposer `json:"proposers"` // by model and prompt
	Applied    int        `json:"applied"`   // verified candidates written to the source
	Fixed      Rate       `json:"fixed"`     // of these, judged fixed
	CameBack   Rate       `json:"came_back"`
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

// Stats adds up the sessions of a query. It reads each table once: in SQLite that
// is several times faster than a query for each of the counts.
func (x *Index) Stats(ctx context.Context, q Query) (Stats, error) {
	condition, args := x.where(q)
	a := adding{x: x, ctx: ctx, condition: condition, args: args, s: &Stats{Days: []Day{}}}
	a.sessions()
	a.candidates()
	a.requests()
	a.finish()
	return *a.s, x.failed(a.err)
}

// adding adds up the rows of the tables, and keeps the first error.
type adding struct {
	x         *Index
	ctx       context.Context
	condition string
	args      []any
	err       error

	s         *Stats
	proposers map[[2]string]*Proposer
	effects   tally
}

// each runs a query and calls scan for each row.
func (a *adding) each(query string, scan func(scan func(...any) error) error) {
	if a.err != nil {
		return
	}
	rows, err := a.x.db.QueryContext(a.ctx, query, a.args...)
	if err != nil {
		a.err = err
		return
	}
	defer rows.Close()
	for rows.Next() {
		if a.err = scan(rows.Scan); a.err != nil {
			return
		}
	}
	a.err = rows.Err()
}

// tally counts values.
type tally map[string]*Count

func (t tally) add(name, label string, n int, fixed bool) {
	if name == "" {
		return
	}
	c := t[name]
	if c == nil {
		c = &Count{Name: name, Label: label}
		t[name] = c
	}
	c.N += n
	if fixed {
		c.Fixed += n
	}
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

// sessions adds up the sessions themselves.
func (a *adding) sessions() {
	outcomes, classes, packages, functions, prints := tally{}, tally{}, tally{}, tally{}, tally{}
	var stops, verified, decided []float64
	day := &Day{}
	a.each("SELECT at, outcome, class, package, function, file, fingerprint, judgement = 'fixed', to_stop, to_verified, to_decision FROM sessions WHERE "+a.condition+" ORDER BY at", func(scan func(...any) error) error {
		var at int64
		var outcome, class, pkg, function, file, print string
		var fixed bool
		var toStop, toVerified, toDecision sql.NullFloat64
		if err := scan(&at, &outcome, &class, &pkg, &function, &file, &print, &fixed, &toStop, &toVerified, &toDecision); err != nil {
			return err
		}
		outcomes.add(outcome, "", 1, fixed)
		classes.add(class, "", 1, fixed)
		packages.add(pkg, "", 1, fixed)
		functions.add(function, file, 1, fixed)
		prints.add(print, class+" in "+function, 1, fixed)
		stops, verified, decided = known(stops, toStop), known(verified, toVerified), known(decided, toDecision)
		a.s.To = time.UnixMilli(at)
		if a.s.Sessions == 0 {
			a.s.From = a.s.To
		}
		a.s.Sessions++
		if date := a.s.To.Format(time.DateOnly); day.Date != date {
			a.s.Days = append(a.s.Days, Day{Date: date})
			day = &a.s.Days[len(a.s.Days)-1]
		}
		day.Sessions++
		if fixed {
			day.Fixed++
		}
		if outcome == "unreadable" {
			a.s.Unreadable++
		}
		return nil
	})
	a.s.Outcomes, a.s.Classes, a.s.Packages = outcomes.sorted(0), classes.sorted(most), packages.sorted(most)
	a.s.Functions, a.s.Prints = functions.sorted(most), prints.sorted(most)
	a.s.ToStop, a.s.ToVerified, a.s.ToDecision = median(stops), median(verified), median(decided)
}

func known(list []float64, v sql.NullFloat64) []float64 {
	if !v.Valid {
		return list
	}
	return append(list, v.Float64)
}

func median(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	return &middle
}

// of is the part of a query that takes the rows of the sessions that are wanted.
func (a *adding) of() string {
	return " WHERE session IN (SELECT id FROM sessions WHERE " + a.condition + ")"
}

// proposer is what is added up for a model with a prompt.
func (a *adding) proposer(provider, model, prompt string) *Proposer {
	name := model
	if !strings.HasPrefix(model, provider+"/") {
		name = provider + "/" + model
	}
	key := [2]string{name, prompt}
	if a.proposers[key] == nil {
		a.proposers[key] = &Proposer{Name: name, Prompt: prompt}
	}
	return a.proposers[key]
}

func (a *adding) candidates() {
	a.proposers, a.effects = map[[2]string]*Proposer{}, tally{}
	fixedOf, backOf := 0, 0
	a.each("SELECT provider, model, prompt, effect, passes, verified, masking, applied, judgement, count(*) FROM candidates"+a.of()+" GROUP BY 1,2,3,4,5,6,7,8,9", func(scan func(...any) error) error {
		var provider, model, prompt, effect, judgement string
		var passes, verified, masking, applied bool
		var n int
		if err := scan(&provider, &model, &prompt, &effect, &passes, &verified, &masking, &applied, &judgement, &n); err != nil {
			return err
		}
		p, fixed, back := a.proposer(provider, model, prompt), applied && judgement == "fixed", applied && judgement == "came-back"
		p.Proposed += n
		p.Verified.N += counted(verified, n)
		p.Masking += counted(masking, n)
		p.Applied += counted(applied, n)
		p.Fixed.N += counted(fixed, n)
		p.CameBack += counted(back, n)
		if passes {
			a.effects.add(effect, "", n, fixed)
		}
		if applied && verified {
			a.s.Applied += n
			fixedOf += counted(fixed, n)
			backOf += counted(back, n)
		}
		return nil
	})
	a.s.Fixed, a.s.CameBack = NewRate(fixedOf, a.s.Applied), NewRate(backOf, a.s.Applied)
}

// counted is n where something holds, and 0 elsewhere.
func counted(holds bool, n int) int {
	if holds {
		return n
	}
	return 0
}

func (a *adding) requests() {
	a.each("SELECT provider, model, prompt, sum(tokens_in), sum(tokens_out), sum(cost) FROM requests"+a.of()+" GROUP BY 1,2,3", func(scan func(...any) error) error {
		var provider, model, prompt string
		var in, out int
		var cost float64
		if err := scan(&provider, &model, &prompt, &in, &out, &cost); err != nil {
			return err
		}
		p := a.proposer(provider, model, prompt)
		p.Tokens, p.Cost = p.Tokens+out, p.Cost+cost
		a.s.TokensIn, a.s.TokensOut, a.s.Cost = a.s.TokensIn+in, a.s.TokensOut+out, a.s.Cost+cost
		return nil
	})
}

// finish puts what was added up in order.
func (a *adding) finish() {
	a.s.Effects, a.s.Proposers = a.effects.sorted(0), []Proposer{}
	for _, p := range a.proposers {
		p.Verified, p.Fixed = NewRate(p.Verified.N, p.Proposed), NewRate(p.Fixed.N, p.Applied)
		a.s.Proposers = append(a.s.Proposers, *p)
	}
	slices.SortFunc(a.s.Proposers, func(a, b Proposer) int {
		return cmp.Or(cmp.Compare(b.Fixed.N, a.Fixed.N), cmp.Compare(b.Proposed, a.Proposed), cmp.Compare(a.Name+a.Prompt, b.Name+b.Prompt))
	})
}
