package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/patch"
)

// caution marks the results whose first place would carry the caution of a poor
// record. The record of each is that of the other cases of its class, so that no
// case warns of itself. pausetui's own caution does not count here: it comes from
// the record that was written the last time, over all cases.
func caution(p matrix.Plan, results []one) {
	alone := filter(results, func(r one) bool { return p.Columns[r.Column].Model == matrix.Builtin })
	for i := range results {
		r := &results[i]
		if !r.Flags.Is(matrix.ByBuiltin) {
			continue
		}
		verified, right := builtinRecord(filter(alone, func(o one) bool { return o.Case != r.Case && o.of.Class == r.of.Class }))
		r.cautioned = choose.Doubtful(verified, right)
	}
}

// builtinRecord counts the first places of the built-in fixer alone that are verified and
// need no confirmation, and those of them that are right.
func builtinRecord(alone []one) (verified, right int) {
	for _, r := range alone {
		if can(r) && r.Flags.Is(matrix.Verified) {
			verified++
			if r.Flags.Is(matrix.RightFirst) {
				right++
			}
		}
	}
	return verified, right
}

// Record writes the record of the built-in fixer by class, for package choose.
// Classes with a single closed case are left out.
func Record(dir string) ([]byte, error) {
	p, all, err := complete(dir)
	if err != nil {
		return nil, err
	}
	all = filter(all, func(r one) bool { return p.Columns[r.Column].Model == matrix.Builtin && can(r) })
	if len(all) == 0 {
		return nil, errors.New("the run has no column of the built-in fixer alone")
	}
	var list []choose.BenchResult
	for _, class := range p.Classes() {
		of := filter(all, func(r one) bool { return r.of.Class == class })
		if exposes(of) || len(of) == 0 {
			continue
		}
		verified, right := builtinRecord(of)
		list = append(list, choose.BenchResult{Model: patch.BuiltinModel, Class: class, Cases: len(of), Verified: verified, Right: right})
	}
	data, err := json.MarshalIndent(list, "", "\t")
	return append(data, '\n'), err
}

// Scoreboard is what the run says of models and prompts by class, for package
// choose. Each case counts once: it is right where more than half of its trials
// are. Cells that have no result leave their case out.
func (s *Summary) Scoreboard() []choose.BenchResult {
	var list []choose.BenchResult
	right, verified := bit(matrix.OwnRight), bit(matrix.OwnVerified)
	for _, c := range s.Columns {
		if c.Model == matrix.Builtin || strings.HasPrefix(c.Model, "scripted/") {
			continue
		}
		byKey := map[choose.Key]*choose.BenchResult{}
		var order []choose.Key
		for i, of := range s.Plan.Cases {
			counts := c.Cases[i]
			if !of.Fixable || int(counts.Done) < s.Plan.Trials {
				continue
			}
			k := choose.Key{Model: c.Model, Prompt: c.Prompt, Class: of.Class}
			if c.Prompt == matrix.Auto {
				k.Prompt = c.used[i]
			}
			if k.Prompt == "" {
				continue // nothing was asked
			}
			if byKey[k] == nil {
				byKey[k] = &choose.BenchResult{Model: k.Model, Prompt: k.Prompt, Class: k.Class}
				order = append(order, k)
			}
			byKey[k].Cases++
			if 2*int(counts.Flags[right]) > s.Plan.Trials {
				byKey[k].Right++
			}
			if 2*int(counts.Flags[verified]) > s.Plan.Trials {
				byKey[k].Verified++
			}
		}
		slices.SortFunc(order, func(a, b choose.Key) int {
			return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Prompt, b.Prompt))
		})
		for _, k := range order {
			list = append(list, *byKey[k])
		}
	}
	return list
}
