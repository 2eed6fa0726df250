// Package matrix defines the plan, the results and the files of a benchmark: columns (a
// model with a prompt), cases and trials. The files of a run are in one directory.
//
// The rules are:
//
//   - A plan is a value. Its cells have a fixed order, so that shards and merged
//     runs agree about them.
//   - A result is written once, when its cell is complete. The error of a
//     provider is no result: its cell stays open.
//   - Of a closed case, nothing is stored but counts under a name that hides it.
//
// The package must not know how a cell is run, or how results are shown.
package matrix

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/llm"
)

// Builtin is the column of the built-in fixer alone.
const Builtin = "builtin"

// Auto is the prompt of a column that leaves the choice to pausetui.
const Auto = "auto"

// Column is a proposer: a model with a prompt, or the built-in fixer alone.
type Column struct {
	Model      string   `json:"model"`                 // "ollama/qwen3-coder:30b", "builtin"
	Info       llm.Info `json:"info,omitzero"`         // what its provider says of it, with the digest of its weights
	Prompt     string   `json:"prompt,omitempty"`      // name of the profile; Auto; empty for the built-in fixer
	PromptHash string   `json:"prompt_hash,omitempty"` // of the profile's text, or of all that auto chooses from
}

// Name is the column in a table's head.
func (c Column) Name() string {
	if c.Prompt == "" || c.Prompt == Auto {
		return c.Model
	}
	return c.Model + " " + c.Prompt
}

// Case is what reports say of a case.
type Case struct {
	Name    string `json:"name"` // of a closed case a word that hides it
	Hash    string `json:"hash"` // of its archive
	Class   string `json:"class"`
	Fault   string `json:"fault"` // "here" or "elsewhere"
	Fixable bool   `json:"fixable"`
	Closed  bool   `json:"closed,omitempty"`
	Size    int    `json:"size,omitempty"` // lines that the reference fix adds and removes
}

// planVersion changes when cells of older plans cannot be compared any more.
const planVersion = 1

// Plan says what is measured.
type Plan struct {
	Version int      `json:"version"`
	Columns []Column `json:"columns"` // sorted, so that each model is loaded once
	Cases   []Case   `json:"cases"`   // sorted by name
	Trials  int      `json:"trials"`
	Rounds  int      `json:"rounds"` // how often a failed candidate goes back to its model
	Seed    int      `json:"seed,omitempty"`
}

// NewPlan sorts the columns and cases of a plan. It fails where two are the same.
func NewPlan(columns []Column, cases []Case, trials, rounds int) (Plan, error) {
	p := Plan{Version: planVersion, Columns: slices.Clone(columns), Cases: slices.Clone(cases), Trials: trials, Rounds: rounds}
	slices.SortFunc(p.Columns, func(a, b Column) int { return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Prompt, b.Prompt)) })
	slices.SortFunc(p.Cases, func(a, b Case) int { return cmp.Compare(a.Name, b.Name) })
	for i, c := range p.Columns {
		if i > 0 && c.Name() == p.Columns[i-1].Name() {
			return p, fmt.Errorf("%s: given twice", c.Name())
		}
	}
	for i, c := range p.Cases {
		if i > 0 && c.Name == p.Cases[i-1].Name {
			return p, fmt.Errorf("case %s: two have this name", c.Name)
		}
	}
	return p, nil
}

// ID names the plan by its content.
func (p Plan) ID() string {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// Cell is one trial of a case in a column; the numbers are indexes into the plan.
type Cell struct {
	Column int `json:"col"`
	Case   int `json:"case"`
	Trial  int `json:"trial"` // from 0
}

// Len is the number of cells.
func (p Plan) Len() int { return len(p.Columns) * len(p.Cases) * p.Trials }

// maxCells bounds a plan: a run may come from another machine.
const maxCells = 10_000_000

// bounded fails for a plan with so many cells that they do not fit into memory, or with less
// than none.
func (p Plan) bounded() error {
	left := maxCells
	for _, n := range []int{len(p.Columns), len(p.Cases), p.Trials} {
		if n < 0 || n > left {
			return fmt.Errorf("read the plan: it has %d columns, %d cases and %d trials; %d cells are the most", len(p.Columns), len(p.Cases), p.Trials, maxCells)
		}
		left /= max(n, 1)
	}
	return nil
}

// Index is the place of a cell in the order of the plan.
func (p Plan) Index(c Cell) int { return (c.Column*len(p.Cases)+c.Case)*p.Trials + c.Trial }

// cellAt is the cell of an index.
func (p Plan) cellAt(i int) Cell {
	return Cell{i / p.Trials / len(p.Cases), i / p.Trials % len(p.Cases), i % p.Trials}
}

// Has reports whether a cell is one of the plan's.
func (p Plan) Has(c Cell) bool {
	return c.Column >= 0 && c.Column < len(p.Columns) && c.Case >= 0 && c.Case < len(p.Cases) && c.Trial >= 0 && c.Trial < p.Trials
}

// Cells lists the cells of a shard in order: shard i of n, from 0. Neighbors go
// to different shards, so that all of them take about as long.
func (p Plan) Cells(shard Shard) []Cell {
	var list []Cell
	for column := range p.Columns {
		for i := range p.Cases {
			for trial := range p.Trials {
				c := Cell{column, i, trial}
				if shard.Of < 2 || p.Index(c)%shard.Of == shard.Number {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// Shard is one of several parts of a plan; the zero value is all of it.
type Shard struct {
	Number, Of int // Number counts from 0
}

// ParseShard reads "2/8", where the first is 1.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Number, &s.Of); err != nil || n != 2 || text != fmt.Sprintf("%d/%d", s.Number, s.Of) || s.Number < 1 || s.Number > s.Of {
		return Shard{}, fmt.Errorf("shard %q: want I/N with 1 ≤ I ≤ N", text)
	}
	s.Number--
	return s, nil
}

// Classes lists the classes of the cases, sorted.
func (p Plan) Classes() []string {
	var list []string
	for _, c := range p.Cases {
		list = append(list, c.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Hidden is the name of a closed case in files and reports.
func Hidden(name string) string {
	sum := sha256.Sum256([]byte("closed " + name))
	return "closed-" + hex.EncodeToString(sum[:5])
}

// FindColumn returns the column that is called so, or the only one whose name
// begins so.
func (p Plan) FindColumn(name string) (int, error) {
	var near []int
	var names []string
	for i, c := range p.Columns {
		if c.Name() == name {
			return i, nil
		}
		if strings.HasPrefix(c.Name(), name) {
			near = append(near, i)
		}
		names = append(names, c.Name())
	}
	if len(near) == 1 {
		return near[0], nil
	}
	return 0, fmt.Errorf("column %q: want one of %s", name, strings.Join(names, ", "))
}
