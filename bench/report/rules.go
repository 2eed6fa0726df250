package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
)

// tally counts what the candidates of a rule came to.
type tally struct{ offered, first, verified, right, misled int }

func (t tally) row(name string) string {
	return fmt.Sprintf("%-40s %7d %7d %8d %7d %7d\n", name, t.offered, t.first, t.verified, t.right, t.misled)
}

// Rules prints what each rule of the built-in fixer did where the fixer works
// alone. Closed cases keep no candidates: they are counted, each once, in one sum.
func Rules(dir string) (string, error) {
	p, all, err := complete(dir)
	if err != nil {
		return "", err
	}
	caution(p, all)
	results := map[matrix.Cell]one{}
	rules, open, closed := map[string]*tally{}, &tally{}, &tally{}
	for _, r := range filter(all, func(r one) bool { return p.Columns[r.Column].Model == matrix.Builtin }) {
		results[r.Cell] = r
		if r.of.Closed {
			offered := !r.Flags.Is(matrix.NothingProposed)
			closed.add(offered, offered, r.Flags.Is(matrix.Verified), r.Flags.Is(matrix.Right), misleads(r))
		}
	}
	if len(results) == 0 {
		return "", errors.New("the run has no column of the built-in fixer alone")
	}
	err = matrix.Details(dir, func(c matrix.Cell) bool { _, ours := results[c]; return ours }, func(d matrix.Detail) error {
		r := results[d.Cell]
		for i, k := range d.Candidates {
			name := cmp.Or(k.Rule, "(no rule)")
			if rules[name] == nil {
				rules[name] = &tally{}
			}
			for _, sum := range []*tally{rules[name], open} {
				sum.add(true, i == 0, k.Verified, k.Right, i == 0 && misleads(r))
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return rulesTable(rules, *open, *closed, exposes(slices.Collect(maps.Values(results)))), nil
}

func (t *tally) add(offered, first, verified, right, misled bool) {
	for count, holds := range map[*int]bool{&t.offered: offered, &t.first: first, &t.verified: verified, &t.right: right, &t.misled: misled} {
		if holds {
			*count++
		}
	}
}

// rulesTable has the rules that were most often right at the top.
func rulesTable(rules map[string]*tally, open, closed tally, exposes bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-40s %7s %7s %8s %7s %7s\n", "rule", "offered", "first", "verified", "right", "misled")
	names := slices.SortedFunc(maps.Keys(rules), func(x, y string) int {
		return cmp.Or(cmp.Compare(rules[y].right, rules[x].right), cmp.Compare(rules[y].offered, rules[x].offered), cmp.Compare(x, y))
	})
	for _, name := range names {
		b.WriteString(rules[name].row(name))
	}
	b.WriteString(open.row("all of open cases"))
	if !exposes && closed.offered > 0 {
		b.WriteString(closed.row("closed cases with fixes"))
	}
	return b.String()
}
