package ui

import (
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

func termsHistory() *evidence.History {
	row := func(kind string, level int, value, words, function, file string, line int, goroutine int64, before time.Duration) evidence.HistoryRow {
		return evidence.HistoryRow{Kind: kind, Level: level, Value: value, Text: words, Function: function, File: file, Line: line, Goroutine: goroutine, Before: before}
	}
	return &evidence.History{Expr: "x.terms", Value: "nil", Goroutine: 1, Origin: 4, Rows: []evidence.HistoryRow{
		row("set", 0, "nil", "x.terms = old.terms", "(*Index).reset", "index.go", 31, 18, 12*time.Microsecond),
		row("passed", 1, "nil", "x.reset(old)", "(*Index).Build", "index.go", 25, 1, 40*time.Microsecond),
		row("given", 1, "nil", "func (x *Index) Build()", "(*Index).Build", "index.go", 24, 1, 44*time.Microsecond),
		row("passed", 1, "nil", "return x", "NewIndex", "index.go", 21, 1, 71*time.Microsecond),
		row("left", 1, "", "&Index{docs: docs}", "NewIndex", "index.go", 20, 1, 90*time.Microsecond),
	}, Gaps: []string{"the address of x.terms is taken at load.go:9: what is written through it is not seen"}}
}

// sceneWhy is a panic whose value a run has followed.
func sceneWhy() *fakeEngine {
	f := sceneStopped()
	d := diagnosed()
	d.Diagnosis.History = termsHistory()
	d.Diagnosis.Observed = d.Diagnosis.History.Sentence()
	f.add(d)
	return f
}

// sceneWhyAsked is a panic at which two histories were asked for; the second has failed.
func sceneWhyAsked() *fakeEngine {
	f := sceneStopped()
	f.add(&session.Evaluated{Input: "why", History: termsHistory()},
		&session.Evaluated{Input: "why doc", Err: "why: the run did not come to index.go:44", Hint: "time or the network decide there"})
	return f
}

func (s *stage) evaluates() string {
	c, _ := s.fake.last().(intent.Evaluate)
	return c.Input
}

// The pane shows what is known already; what is not known is asked for.
func TestWhyAsksOnlyForWhatIsNotKnown(t *testing.T) {
	s := play(t, sceneStopped(), 120, 40)
	if s.press("Q"); s.evaluates() != "why" {
		t.Errorf("without a history: %q", s.evaluates())
	}
	s = play(t, sceneWhy(), 120, 40)
	if s.press("Q"); s.evaluates() == "why" {
		t.Error("the history that is known was asked for")
	}
	shows(t, s, "8 Why · x.terms")
	shows(t, s, "goroutine 18  12 µs")
	shows(t, s, "▸ 5 left out")
	shows(t, s, "is not seen")
	if s.press("3", "j", "Q"); s.evaluates() != "why x.count" {
		t.Errorf("for a value: %q", s.evaluates())
	}
}

// Events are looked at beside the list, which keeps the keys; N goes to the moment of one.
func TestTheCursorOfAHistoryShowsTheSource(t *testing.T) {
	s := play(t, sceneWhy(), 120, 40)
	s.press("Q", "k", "k")
	shows(t, s, "24  func (x *Index) Build()")
	s.press("N")
	if got := s.evaluates(); got != "back 3" {
		t.Errorf("N: %q", got)
	}
	s.press("esc", "esc")
	if _, line, _ := s.Panes.Source.Line(); line != 43 || s.Focus != 1 {
		t.Errorf("esc: line %d, pane %d", line, s.Focus)
	}
	s.press("8", "k", "enter")
	if _, line, _ := s.Panes.Source.Line(); line != 25 || s.Focus != 1 || s.Panes.Source.Visits() != 1 {
		t.Errorf("enter: line %d, pane %d, %d visits", line, s.Focus, s.Panes.Source.Visits())
	}
}

func TestTheViewsOfAHistory(t *testing.T) {
	s := play(t, sceneWhy(), 120, 40)
	s.press("Q", "v")
	shows(t, s, "⋯ 3 steps pass it on")
	s.press("k", "enter")
	shows(t, s, "func (x *Index) Build()")
	s.press("v", "v", "v")
	shows(t, s, "goroutine 18")
	shows(t, s, "(*Index).reset")
	if s.press("N"); s.evaluates() != "back 1" {
		t.Errorf("the only event of goroutine 18: %q", s.evaluates())
	}
	s.press("esc", "v", "v", "/", "r", "e", "t", "enter") // of what is folded, all is left out but a part
	shows(t, s, "⋯ ")
	s.press("esc", "v", "v", "v", "/", "2", "1", "enter")
	shows(t, s, "return x")
	if s.press("N"); s.evaluates() != "back 4" {
		t.Errorf("what the filter left: %q", s.evaluates())
	}
}

// What failed is said above the history that there is, whose rows N counts.
func TestAHistoryThatFailed(t *testing.T) {
	s := play(t, sceneWhyAsked(), 120, 40)
	s.press("8")
	shows(t, s, "the run did not come to index.go:44")
	shows(t, s, "time or the network")
	shows(t, s, "8 Why · x.terms")
	s.fake.add(panicStop())
	s.catchUp()
	s.press("8")
	shows(t, s, "will be here")
}

// A history of another run says so above its rows, however many there are.
func TestWhyOfAnotherRun(t *testing.T) {
	f := sceneStopped()
	h := termsHistory()
	h.Rows = slices.Repeat(h.Rows, 8)
	h.OtherRun = "the run in the sandbox ended in another way: exit status 0"
	f.add(&session.Evaluated{Input: "why", History: h})
	s := play(t, f, 80, 24)
	s.press("Q")
	shows(t, s, "in another run, x.terms is nil")
	shows(t, s, "the run in the sandbox ended in another way")
}
