// Package report adds up the results of a run, compares runs, and writes reports: a
// matrix in the terminal, CSV, JSON Lines, JUnit XML, markdown, and one HTML page.
//
// The rules are:
//
//   - Shares are of the cells that were planned: a cell without a result is not
//     right, and the report says how many there are.
//   - No share is written without its interval, and no ranking where intervals
//     say nothing.
//   - Of closed cases, nothing is written but counts over several.
//   - The same results in any order give the same bytes.
//
// The package must not know how a cell is run.
package report

import (
	"math"
	"slices"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/bench/stats"
	"github.com/pausetui/pausetui/internal/wilson"
)

// Summary is a run, added up.
type Summary struct {
	Plan    matrix.Plan
	Columns []Column // as in the plan
	Done    int      // cells with a result
	Drifted int      // results for which a stored answer was given to another prompt
}

// Column is what a column's cells add up to.
type Column struct {
	matrix.Column
	Cases        []Counts // as in the plan
	Done         int
	PromptTokens int64
	Tokens       int64
	Cost         int64 // millionths
	Requests     int64
	Lookups      int64
	Rounds       int64
	used         map[int]string // by case: the prompt that auto chose
	edits        []int32        // lines, relative to the reference, in per cent
	firstToken   []int32
	answering    []int32
	verifying    []int32
	total        []int32
}

// Counts are how often each flag holds in the trials of a case.
type Counts struct {
	Done  int32
	Flags [32]int32
}

// Summarize reads a run.
func Summarize(dir string) (*Summary, error) {
	plan, err := matrix.ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	s := NewSummary(plan)
	return s, matrix.Scan(dir, plan, s.Add)
}

// NewSummary is a plan without results.
func NewSummary(p matrix.Plan) *Summary {
	s := &Summary{Plan: p}
	for _, c := range p.Columns {
		s.Columns = append(s.Columns, Column{Column: c, Cases: make([]Counts, len(p.Cases)), used: map[int]string{}})
	}
	return s
}

// Add adds a result.
func (s *Summary) Add(r matrix.Result) {
	c := &s.Columns[r.Column]
	s.Done++
	c.Done++
	counts := &c.Cases[r.Case]
	counts.Done++
	for i := range matrix.FlagNames {
		if r.Flags&(1<<i) != 0 {
			counts.Flags[i]++
		}
	}
	c.PromptTokens += int64(r.PromptTokens)
	c.Tokens += int64(r.Tokens)
	c.Cost += r.Cost
	c.Requests += int64(r.Requests)
	c.Lookups += int64(r.Lookups)
	c.Rounds += int64(r.Rounds)
	if have, ok := c.used[r.Case]; r.Used != "" && (!ok || r.Used < have) {
		c.used[r.Case] = r.Used
	}
	if r.Drifted > 0 {
		s.Drifted++
	}
	c.total = append(c.total, int32(r.Total))
	if r.Requests > 0 {
		c.firstToken = append(c.firstToken, int32(r.FirstToken))
		c.answering = append(c.answering, int32(r.Answering))
	}
	if r.Flags.Is(matrix.Verified) && r.Verifying > 0 {
		c.verifying = append(c.verifying, int32(r.Verifying))
	}
	if of := s.Plan.Cases[r.Case].Size; of > 0 && r.Edit > 0 {
		c.edits = append(c.edits, int32(100*r.Edit/of))
	}
}

// median is the median of a list; false of an empty one.
func median(list []int32) (int32, bool) {
	if len(list) == 0 {
		return 0, false
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return sorted[len(sorted)/2], true
}

// Score is something that is counted.
type Score struct {
	Key   string // "right"
	Title string // in a table's head
	Says  string // what it means
	flag  matrix.Flags
	among func(matrix.Case) bool
	Bad   bool // less of it is better
}

// Scores are what reports show, the most telling first.
var Scores = []Score{
	{"right", "right", "a fix of the proposer is right, by the hidden check", matrix.OwnRight, fixable, false},
	{"right_first", "first", "what stands first is right, also where another proposed it: what a person sees", matrix.RightFirst, fixable, false},
	{"right_any", "any", "some fix is right, also one of another proposer", matrix.Right, fixable, false},
	{"right_at_once", "at once", "a fix of the proposer's first round is right; the others took the failure's output", matrix.OwnRightAtOnce, fixable, false},
	{"usable", "usable", "an answer could be used: its format is right", matrix.OwnUsable, fixable, false},
	{"scope", "scope", "… and it stays in the user's modules", matrix.OwnScope, fixable, false},
	{"builds", "builds", "… and builds", matrix.OwnBuilds, fixable, false},
	{"reruns", "reruns", "… and the program runs past the stop", matrix.OwnReruns, fixable, false},
	{"tests", "tests", "… and no test fails that passed before", matrix.OwnTests, fixable, false},
	{"verified", "verified", "the verdict on a fix of the proposer is verified", matrix.OwnVerified, fixable, false},
	{"misleads", "misleads", "what stands first is verified, wrong, and nothing warns", matrix.Misleads, fixable, true},
	{"masks", "masks", "the proposer's best fix only skips work or hides the failure", matrix.OwnMasks, fixable, true},
	{"declines", "declines", "the proposer's best fix answers with an error", matrix.OwnDeclines, fixable, false},
	{"calm", "calm", "where no edit helps, nothing is verified without a warning", matrix.Calm, unfixable, false},
	{"failed", "failed", "pausetui itself failed", matrix.Failed, every, true},
}

// FindScore returns a score by its key.
func FindScore(key string) (Score, bool) {
	i := slices.IndexFunc(Scores, func(s Score) bool { return s.Key == key })
	if i < 0 {
		return Score{}, false
	}
	return Scores[i], true
}

func every(matrix.Case) bool       { return true }
func fixable(c matrix.Case) bool   { return c.Fixable }
func unfixable(c matrix.Case) bool { return !c.Fixable }

// Share is how often a score holds in the planned cells of some cases.
type Share struct {
	N, Of     int // cells
	Cases     int
	Open      int     // cells of these without a result
	Hidden    bool    // it would tell what became of a single closed case
	Low, High float64 // the 95 % interval, in per cent
}

// Rate is the share in [0, 1]; NaN of nothing.
func (s Share) Rate() float64 { return float64(s.N) / float64(s.Of) }

// Unknown reports whether nothing can be said: of no cells, of cells none of which
// has a result, or of a closed case alone.
func (s Share) Unknown() bool { return s.Open == s.Of || s.Hidden }

// few is how many cases are too few to say much.
const few = 10

// Few reports whether there are too few cases to say much.
func (s Share) Few() bool { return s.Cases < few }

// Share counts a score of a column, in the cases that are wanted. Repeated
// trials of a case are one observation: the interval is that of the cases.
func (s *Summary) Share(column int, of Score, want func(matrix.Case) bool) Share {
	var share Share
	closed := 0
	at := bit(of.flag)
	for i, c := range s.Plan.Cases {
		if !of.among(c) || !want(c) {
			continue
		}
		counts := s.Columns[column].Cases[i]
		if c.Closed {
			closed++
		}
		share.Cases++
		share.N += int(counts.Flags[at])
		share.Of += s.Plan.Trials
		share.Open += s.Plan.Trials - int(counts.Done)
	}
	share.Hidden = closed == 1
	share.Low, share.High = 0, 100
	if share.Of > 0 {
		share.Low, share.High = wilson.Of(share.Rate(), float64(share.Cases))
	}
	return share
}

// bit is the place of a flag among the flags.
func bit(f matrix.Flags) int {
	for i := range 32 {
		if f == 1<<i {
			return i
		}
	}
	return 0
}

// PassAtK is the mean over fixable cases of the probability that one of k
// answers is right; NaN for more than there are trials.
func (s *Summary) PassAtK(column, k int, want func(matrix.Case) bool) float64 {
	sum, n := 0.0, 0
	for i, c := range s.Plan.Cases {
		if !c.Fixable || !want(c) {
			continue
		}
		sum += stats.PassAtK(s.Plan.Trials, int(s.Columns[column].Cases[i].Flags[bit(matrix.OwnRight)]), k)
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
