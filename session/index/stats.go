package index

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"
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
	if of == 0 {
		return Rate{High: 100}
	}
	const z = 1.959964
	total, p := float64(of), float64(n)/float64(of)
	middle := (p + z*z/(2*total)) / (1 + z*z/total)
	half := z / (1 + z*z/total) * math.Sqrt(p*(1-p)/total+z*z/(4*total*total))
	return Rate{N: n, Of: of, Low: 100 * max(middle-half, 0), High: 100 * min(middle+half, 1)}
}

// most is how many values of a kind the statistics name.
const most = 20

// Stats adds up the sessions of a query.
func (x *Index) Stats(ctx context.Context, q Query) (Stats, error) {
	condition, args := x.where(q)
	a := adding{x: x, ctx: ctx, condition: condition, args: args}
	s := Stats{
		Outcomes: a.counts("outcome", "''", 0), Classes: a.counts("class", "''", most), Packages: a.counts("package", "''", most),
		Functions: a.counts("function", "file", most), Prints: a.counts("fingerprint", "class || ' in ' || function", most),
		Days: a.days(), Effects: a.effects(), Proposers: a.proposers(),
		ToStop: a.median("to_stop"), ToVerified: a.median("to_verified"), ToDecision: a.median("to_decision"),
	}
	var from, to int64
	a.row("SELECT count(*), coalesce(min(at),0), coalesce(max(at),0), count(CASE WHEN outcome = 'unreadable' THEN 1 END) FROM sessions WHERE "+condition, &s.Sessions, &from, &to, &s.Unreadable)
	s.From, s.To = time.UnixMilli(from), time.UnixMilli(to)
	var fixed, back int
	a.row("SELECT count(*), count(CASE WHEN judgement = 'fixed' THEN 1 END), count(CASE WHEN judgement = 'came-back' THEN 1 END) FROM candidates WHERE applied AND verified AND session IN (SELECT id FROM sessions WHERE "+condition+")",
		&s.Applied, &fixed, &back)
	s.Fixed, s.CameBack = NewRate(fixed, s.Applied), NewRate(back, s.Applied)
	a.row("SELECT coalesce(sum(tokens_in),0), coalesce(sum(tokens_out),0), coalesce(sum(cost),0) FROM requests WHERE session IN (SELECT id FROM sessions WHERE "+condition+")",
		&s.TokensIn, &s.TokensOut, &s.Cost)
	return s, x.failed(a.err)
}

// adding runs the queries of the statistics, and keeps the first error.
type adding struct {
	x         *Index
	ctx       context.Context
	condition string
	args      []any
	err       error
}

func (a *adding) row(query string, into ...any) {
	if a.err == nil {
		a.err = a.x.db.QueryRowContext(a.ctx, query, a.args...).Scan(into...)
	}
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

func (a *adding) counts(column, label string, limit int) []Count {
	list := []Count{}
	query := "SELECT " + column + ", max(" + label + "), count(*) AS n, count(CASE WHEN judgement = 'fixed' THEN 1 END) FROM sessions WHERE " + a.condition + " AND " + column + " <> '' GROUP BY " + column + " ORDER BY n DESC, " + column
	a.each(query, func(scan func(...any) error) error {
		var c Count
		err := scan(&c.Name, &c.Label, &c.N, &c.Fixed)
		if limit == 0 || len(list) < limit {
			list = append(list, c)
		}
		return err
	})
	return list
}

func (a *adding) days() []Day {
	list := []Day{}
	a.each("SELECT date(at/1000, 'unixepoch', 'localtime') AS day, count(*), count(CASE WHEN judgement = 'fixed' THEN 1 END) FROM sessions WHERE "+a.condition+" GROUP BY day ORDER BY day", func(scan func(...any) error) error {
		var d Day
		err := scan(&d.Date, &d.Sessions, &d.Fixed)
		list = append(list, d)
		return err
	})
	return list
}

func (a *adding) effects() []Count {
	list := []Count{}
	a.each("SELECT effect, count(*), count(CASE WHEN judgement = 'fixed' THEN 1 END) FROM candidates WHERE passes AND effect <> '' AND session IN (SELECT id FROM sessions WHERE "+a.condition+") GROUP BY effect ORDER BY 2 DESC", func(scan func(...any) error) error {
		var c Count
		err := scan(&c.Name, &c.N, &c.Fixed)
		list = append(list, c)
		return err
	})
	return list
}

func (a *adding) proposers() []Proposer {
	found := map[[2]string]*Proposer{}
	at := func(provider, model, prompt string) *Proposer {
		name := model
		if !strings.HasPrefix(model, provider+"/") {
			name = provider + "/" + model
		}
		key := [2]string{name, prompt}
		if found[key] == nil {
			found[key] = &Proposer{Name: name, Prompt: prompt}
		}
		return found[key]
	}
	in := " WHERE session IN (SELECT id FROM sessions WHERE " + a.condition + ") GROUP BY provider, model, prompt"
	a.each("SELECT provider, model, prompt, count(*), sum(verified), sum(masking), sum(applied), count(CASE WHEN applied AND judgement = 'fixed' THEN 1 END), count(CASE WHEN judgement = 'came-back' THEN 1 END) FROM candidates"+in, func(scan func(...any) error) error {
		var provider, model, prompt string
		var proposed, verified, masking, applied, fixed, back int
		err := scan(&provider, &model, &prompt, &proposed, &verified, &masking, &applied, &fixed, &back)
		p := at(provider, model, prompt)
		p.Proposed, p.Masking, p.Applied, p.CameBack = p.Proposed+proposed, p.Masking+masking, p.Applied+applied, p.CameBack+back
		p.Verified, p.Fixed = NewRate(p.Verified.N+verified, p.Proposed), NewRate(p.Fixed.N+fixed, p.Applied)
		return err
	})
	a.each("SELECT provider, model, prompt, sum(tokens_out), sum(cost) FROM requests"+in, func(scan func(...any) error) error {
		var provider, model, prompt string
		var tokens int
		var cost float64
		err := scan(&provider, &model, &prompt, &tokens, &cost)
		p := at(provider, model, prompt)
		p.Tokens, p.Cost = p.Tokens+tokens, p.Cost+cost
		return err
	})
	list := []Proposer{}
	for _, p := range found {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Proposer) int {
		if a.Fixed.N != b.Fixed.N {
			return b.Fixed.N - a.Fixed.N
		}
		if a.Proposed != b.Proposed {
			return b.Proposed - a.Proposed
		}
		return strings.Compare(a.Name+a.Prompt, b.Name+b.Prompt)
	})
	return list
}

func (a *adding) median(column string) *float64 {
	var values []float64
	a.each("SELECT "+column+" FROM sessions WHERE "+a.condition+" AND "+column+" IS NOT NULL ORDER BY 1", func(scan func(...any) error) error {
		var v float64
		err := scan(&v)
		values = append(values, v)
		return err
	})
	if len(values) == 0 {
		return nil
	}
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	return &middle
}
