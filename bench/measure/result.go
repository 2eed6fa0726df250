package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench"
)

// fixed is what is read of pausetui's report.
type fixed struct {
	Outcome string `json:"outcome"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error"`
	Stop *struct {
		Class    string `json:"class"`
		Function string `json:"function"`
	} `json:"stop"`
	Candidates []candidate `json:"candidates"`
	Timings    struct {
		Verified *int64 `json:"verified_ms"`
	} `json:"timings"`
}

// candidate is one proposed fix of the report, with its judgment.
type candidate struct {
	Provider string          `json:"provider"`
	Also     []string        `json:"also,omitempty"`
	Title    string          `json:"title"`
	Effect   string          `json:"effect"` // repairs, declines, skips, hides; empty where it was not found
	Evidence []string        `json:"evidence"`
	Verified bool            `json:"verified"`
	Masking  bool            `json:"masking"`
	Checks   []check         `json:"checks"`
	Diff     string          `json:"diff"`
	Test     json.RawMessage `json:"test,omitempty"`

	Right bool   `json:"right"`
	Wrong string `json:"wrong,omitempty"` // what the hidden check found
}

type check struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail"`
}

// warns reports whether the effect of the candidate is a warning.
func (k candidate) warns() bool {
	return k.Masking || k.Effect == "skips" || k.Effect == "hides"
}

// onlyBuiltin reports whether no one but the built-in fixer proposed the candidate.
func (k candidate) onlyBuiltin() bool { return k.Provider == "builtin" && len(k.Also) == 0 }

func (k candidate) hasTest() bool { return len(k.Test) > 0 && string(k.Test) != "null" }

// by reports whether a provider proposed the candidate, alone or among others.
func (k candidate) by(provider string) bool {
	return k.Provider == provider || slices.ContainsFunc(k.Also, func(who string) bool { return strings.HasPrefix(who, provider+"/") })
}

func (k candidate) builtin() bool { return k.by("builtin") }

func (k candidate) model() bool { return k.by("ollama") }

// result is what pausetui made of one case in one setting.
type result struct {
	c          *bench.Case
	setting    setting
	answer     string // what kind of answer the model gave
	class      bool   // the stop was classified as it should be
	culprit    bool   // in the right function
	candidates []candidate
	first      time.Duration // from the stop to the first verified candidate
	total      time.Duration
	failed     string // why there is no report
	cautioned  bool   // a poor record of the proposer would warn of what stands first
}

func (r *result) take(report fixed) {
	if s := report.Stop; s != nil {
		r.class = s.Class == r.c.Class
		r.culprit = bench.FunctionName(s.Function) == r.c.StopsIn
	}
	r.candidates = report.Candidates
	if ms := report.Timings.Verified; ms != nil {
		r.first = time.Duration(*ms) * time.Millisecond
	}
}

// top is the candidate that stands first.
func (r result) top() candidate {
	if len(r.candidates) == 0 {
		return candidate{}
	}
	return r.candidates[0]
}

func (r result) verified() bool { return r.top().Verified && !r.top().Masking }

func (r result) right() bool {
	return slices.ContainsFunc(r.candidates, func(k candidate) bool { return k.Right })
}

func (r result) rightFirst() bool { return r.top().Right }

// misleads: what stands first is verified, wrong, and nothing warns of it.
func (r result) misleads() bool { return r.top().Verified && !r.warns() && !r.top().Right }

// warns reports whether the reader is warned of what stands first.
func (r result) warns() bool { return r.top().warns() || r.cautioned }

func (r result) test() bool { return r.top().hasTest() }

// leftAlone is what is right for a case that no edit fixes.
func (r result) leftAlone() bool { return !r.top().Verified || r.warns() }

// modelRight reports whether the model's answer is among the candidates, and right.
func (r result) modelRight() bool {
	return slices.ContainsFunc(r.candidates, func(k candidate) bool { return k.Right && k.model() })
}

func (r result) modelRightFirst() bool { return r.top().Right && r.top().model() }

// figure is something that holds of a result or does not.
type figure struct {
	name  string // in a table's head
	holds func(result) bool
}

var figures = []figure{
	{"class right", func(r result) bool { return r.class }},
	{"culprit right", func(r result) bool { return r.culprit }},
	{"verified", result.verified},
	{"right", result.right},
	{"right first", result.rightFirst},
	{"misleads", result.misleads},
	{"test", result.test},
}

// line is the result for the person who waits, of an open case.
func (r result) line() string {
	text := fmt.Sprintf("%-7s %-45s %6.1fs", r.setting, r.c.Name, r.total.Seconds())
	if r.failed != "" {
		return text + " " + r.failed
	}
	for _, f := range figures {
		if f.holds(r) {
			text += ", " + f.name
		}
	}
	return text
}
