package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/llm"
)

// slow is a model that counts how often it is asked.
type slow struct {
	asked int
	err   error
}

func (m *slow) Info() llm.Info { return llm.Info{Provider: "p", Name: "m"} }

func (m *slow) Complete(context.Context, llm.Request, func(string)) (llm.Answer, error) {
	m.asked++
	if m.err != nil {
		return llm.Answer{}, m.err
	}
	return llm.Answer{Text: "fix", Took: 90 * time.Second, FirstToken: 30 * time.Second, PromptTokens: 100, Tokens: 10, Cost: 0.25}, nil
}

func newAsker(dir string, m llm.Model, trial int) *asker {
	return &asker{model: m, column: matrix.Column{Model: "p/m"}, of: matrix.Case{Hash: "h"}, cell: matrix.Cell{Trial: trial}, answers: matrix.AnswersOf(dir),
		asked: func(string) error { return nil }, sent: map[string]int{}}
}

var question = llm.Request{Messages: []llm.Message{{Role: "user", Text: "why?"}}, Seed: 1}

// Trials, and the same request sent again within one, are asked: no answer
// serves two of them. What was asked is not asked again after a kill, and has
// the times that it took then.
func TestAnswersServeOneRequest(t *testing.T) {
	dir, m := t.TempDir(), &slow{}
	for trial := range 2 {
		a := newAsker(dir, m, trial)
		for range 2 {
			if _, err := a.Complete(t.Context(), question, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if m.asked != 4 {
		t.Errorf("asked %d times", m.asked)
	}
	again := newAsker(dir, m, 1)
	if got, err := again.Complete(t.Context(), question, nil); err != nil || got.Text != "fix" {
		t.Error(got, err)
	}
	if m.asked != 4 {
		t.Errorf("asked %d times after the kill", m.asked)
	}
	var r matrix.Result
	var d matrix.Detail
	again.fill(&r, &d)
	if r.Answering != 90_000 || r.FirstToken != 30_000 || r.Cost != 250_000 || r.PromptTokens != 100 || len(d.Answers) != 1 {
		t.Errorf("the times of the stored answer: %+v %+v", r, d)
	}
}

// The error of a provider is no result, and is not stored; what the model did is.
func TestErrors(t *testing.T) {
	for err, stored := range map[error]bool{
		llm.ErrUnavailable: false, llm.ErrBusy: false, llm.ErrCut: false, llm.ErrStalled: false, llm.ErrUnauthorized: false, llm.ErrUnknownModel: false,
		llm.ErrEmpty: true, llm.ErrTooLong: true, llm.ErrFiltered: true, llm.ErrPromptTooLong: true,
	} {
		dir := t.TempDir()
		m := &slow{err: err}
		a := newAsker(dir, m, 0)
		if _, got := a.Complete(t.Context(), question, nil); !errors.Is(got, err) {
			t.Errorf("%v: %v", err, got)
		}
		if (a.failure() == nil) != stored {
			t.Errorf("%v: the cell's trouble is %v", err, a.failure())
		}
		m.err = nil
		b := newAsker(dir, m, 0)
		_, got := b.Complete(t.Context(), question, nil)
		if want := map[bool]int{true: 1, false: 2}[stored]; m.asked != want || stored && !errors.Is(got, err) {
			t.Errorf("%v: asked %d times, %v", err, m.asked, got)
		}
	}
}

// Scoring stored answers again asks nothing: not even where the prompt has
// changed, which is counted.
func TestReplay(t *testing.T) {
	dir, m := t.TempDir(), &slow{}
	a := newAsker(dir, m, 0)
	if _, err := a.Complete(t.Context(), question, nil); err != nil {
		t.Fatal(err)
	}
	other := llm.Request{Messages: []llm.Message{{Role: "user", Text: "how?"}}}
	again := newAsker(dir, nil, 0)
	again.fixed, again.earlier = true, a.keys
	got, err := again.Complete(t.Context(), other, nil)
	if err != nil || got.Text != "fix" || again.drifted != 1 || again.failure() != nil {
		t.Errorf("%+v %v %+v", got, err, again)
	}
	if _, err := again.Complete(t.Context(), other, nil); !errors.Is(err, ErrNotStored) || again.failure() == nil {
		t.Errorf("there was one answer: %v", err)
	}
}

// A server is asked for as many cells as it can take; the others wait, and no
// cell waits for a server that it does not need.
func TestLanes(t *testing.T) {
	p := matrix.Plan{Columns: []matrix.Column{{Model: "a"}, {Model: "b"}, {Model: matrix.Builtin}}, Cases: make([]matrix.Case, 2), Trials: 1}
	one, two := Lane{Name: "one", Limit: 1}, Lane{Name: "two", Limit: 1}
	l := newLanes(map[string]Model{"a": {Lanes: []Lane{one, two}}, "b": {Lanes: []Lane{one}}})
	cells := p.Cells(matrix.Shard{})
	take := func(want int, lane string) *Lane {
		t.Helper()
		at, got := l.next(p, cells)
		if at != want || got != nil && got.Name != lane {
			t.Fatalf("cell %d, lane %+v; want %d, %s", at, got, want, lane)
		}
		if at >= 0 {
			cells = append(cells[:at:at], cells[at+1:]...)
		}
		return got
	}
	first := take(0, "one")
	take(0, "two")
	take(2, "") // both servers are taken; the built-in fixer needs none
	take(2, "")
	take(-1, "")
	l.free(first)
	take(0, "one")
	take(-1, "")
}

// A server that has lost a model gets no more of its cells, while another has it;
// where none has, the cells end with the error. Other models stay.
func TestLostLanes(t *testing.T) {
	p := matrix.Plan{Columns: []matrix.Column{{Model: "a"}, {Model: "b"}}, Cases: make([]matrix.Case, 2), Trials: 1}
	l := newLanes(map[string]Model{"a": {Lanes: []Lane{{Name: "one", Limit: 1}, {Name: "two", Limit: 1}}}, "b": {Lanes: []Lane{{Name: "one", Limit: 1}}}})
	cells := p.Cells(matrix.Shard{})
	lose := func(want bool, err error) string {
		t.Helper()
		_, lane := l.next(p, cells)
		if got := l.lose("a", lane, err); got != want {
			t.Errorf("%v: another lane is left: %t", err, got)
		}
		l.free(lane)
		return lane.Name
	}
	lose(false, nil)
	lose(false, llm.ErrCut)
	if first, then := lose(true, llm.ErrUnknownModel), lose(false, llm.ErrUnavailable); first != "one" || then != "two" {
		t.Errorf("%s, %s", first, then)
	}
	if got := lose(false, nil); got != "one" {
		t.Errorf("without another lane: %s", got)
	}
	if _, lane := l.next(p, cells[2:]); lane == nil || lane.Name != "one" {
		t.Errorf("another model: %+v", lane)
	}
}
