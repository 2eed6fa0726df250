package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Merge joins the runs of shards of one plan in a new directory: the results and
// details in the order of the plan, so that the same cells give the same files,
// by any machine. Where two runs have a cell, the one whose line comes first
// in the alphabet counts; differing says how many of these differ in what they
// found out. Cells that none has stay open.
func Merge(dir string, from []string) (differing int, err error) {
	plan, err := samePlan(from)
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(filepath.Join(dir, planFile)); err == nil {
		return 0, fmt.Errorf("merge into %q: there is a run already", dir)
	}
	s, err := Create(dir, plan)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	cells := make([]merged, plan.Len())
	for i, one := range from {
		if err := Scan(one, plan, func(r Result) { differing += cells[plan.Index(r.Cell)].add(r, i) }); err != nil {
			return 0, err
		}
	}
	for _, c := range cells {
		if c.result != nil {
			if err := writeLine(s.results, c.result); err != nil {
				return differing, err
			}
		}
	}
	if err := mergeDetails(s, from, cells); err != nil {
		return differing, err
	}
	return differing, mergeAnswers(s, from)
}

// merged is a cell's result, and the runs that have this very one.
type merged struct {
	result *Result
	from   []int
}

// add returns 1 if the cell has another finding already.
func (m *merged) add(r Result, from int) int {
	if m.result == nil {
		m.result, m.from = &r, []int{from}
		return 0
	}
	differs := 0
	if m.result.Flags != r.Flags {
		differs = 1
	}
	switch bytes.Compare(lineOf(r), lineOf(*m.result)) {
	case 0:
		m.from = append(m.from, from)
	case -1:
		m.result, m.from = &r, []int{from}
	}
	return differs
}

func samePlan(from []string) (Plan, error) {
	var plan Plan
	for i, one := range from {
		p, err := ReadPlan(one)
		if err != nil {
			return plan, err
		}
		if i > 0 && p.ID() != plan.ID() {
			return plan, fmt.Errorf("merge %q: %w", one, ErrOtherPlan)
		}
		plan = p
	}
	return plan, nil
}

func lineOf(v any) []byte {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers
	}
	return line
}

// mergeDetails writes the details of each cell's result, in the order of the plan.
func mergeDetails(s *Store, from []string, cells []merged) error {
	details := map[int][]byte{}
	for i, one := range from {
		has := func(c Cell) bool { return s.plan.Has(c) && slices.Contains(cells[s.plan.Index(c)].from, i) }
		err := Details(one, has, func(d Detail) error {
			at, line := s.plan.Index(d.Cell), lineOf(d)
			if have, ok := details[at]; !ok || bytes.Compare(line, have) < 0 {
				details[at] = line
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	order := make([]int, 0, len(details))
	for at := range details {
		order = append(order, at)
	}
	slices.Sort(order)
	for _, at := range order {
		if err := writeLine(s.details, json.RawMessage(details[at])); err != nil {
			return err
		}
	}
	return nil
}

// mergeAnswers copies the stored answers: the same name is the same answer.
func mergeAnswers(s *Store, from []string) error {
	lists := map[int][]string{}
	var order []int
	for _, one := range from {
		list, err := readAsked(one)
		if err != nil {
			return err
		}
		for cell, keys := range list {
			at := s.plan.Index(cell)
			if lists[at] == nil {
				order = append(order, at)
			}
			for _, key := range keys {
				if slices.Contains(lists[at], key) {
					continue
				}
				lists[at] = append(lists[at], key)
				s.answers[cell] = lists[at]
				if err := AnswersOf(one).copyTo(AnswersOf(s.dir), key); err != nil {
					return err
				}
			}
		}
	}
	slices.Sort(order)
	for _, at := range order {
		for _, key := range lists[at] {
			if err := writeLine(s.asked, asked{s.plan.cellAt(at), key}); err != nil {
				return err
			}
		}
	}
	return nil
}
