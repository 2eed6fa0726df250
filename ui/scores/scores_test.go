package scores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/keymap"
)

// fake is a run of three models over forty cases in eight classes.
type fake struct {
	rates   []float64
	problem error
	ended   int // readings that were given up
}

var keysOfScores = []string{"right", "first", "any", "usable", "builds", "verified", "misleads", "masks", "declines"}

func (f *fake) Matrix(score, filter string) Matrix {
	m := Matrix{Title: "3 columns × 40 cases", Notes: []string{"a note"}}
	m.Scores = append(m.Scores, Score{score, score, "says " + score})
	for _, s := range keysOfScores {
		if s != score {
			m.Scores = append(m.Scores, Score{s, s, "says " + s})
		}
	}
	for i, rate := range f.rates {
		name := fmt.Sprintf("ollama/model-%d", i)
		if !strings.Contains(name, filter) {
			continue
		}
		r := Row{Column: i, Name: name, About: "10k tokens"}
		for range m.Scores {
			r.Figures = append(r.Figures, Figure{fmt.Sprintf("%.0f", 100*rate), "(10–90)", rate})
		}
		m.Rows = append(m.Rows, r)
	}
	if score == "masks" {
		slices.Reverse(m.Rows)
	}
	for i := range 8 {
		c := Class{Name: fmt.Sprintf("class-%d", i), Cases: 5}
		for range m.Rows {
			c.Figures = append(c.Figures, Figure{"50*", "(20–80)", float64(8-i) / 8})
		}
		m.Classes = append(m.Classes, c)
	}
	return m
}

func (f *fake) Cases(_ int, filter string) Cases {
	c := Cases{Scores: []Score{{"right", "right", ""}, {"usable", "usable", ""}}, Hidden: "40 closed cases are not listed"}
	class, isClass := strings.CutPrefix(filter, "class:")
	for i := range 40 {
		one := Case{Number: i, Name: fmt.Sprintf("case-%02d", i), Class: fmt.Sprintf("class-%d", i%8), Figures: []Figure{{"1/2", "", float64(i%3) / 2}, {"–", "", -1}}}
		if isClass && one.Class != class || !isClass && !strings.Contains(one.Name, filter) {
			continue
		}
		c.List = append(c.List, one)
	}
	return c
}

func (f *fake) Details(ctx context.Context, _, number int) ([]Detail, error) {
	if f.problem != nil {
		return nil, f.problem
	}
	if ctx.Err() != nil {
		f.ended++
		return nil, ctx.Err()
	}
	e := patch.Edit{File: "main.go", Before: "package main\n\nvar a = 1\n", After: "package main\n\nvar a = 2\n"}
	return []Detail{{Trial: 1, Word: "not right", Candidates: []Candidate{{Title: fmt.Sprintf("set a in %d", number), By: "ollama/x", Effect: "hides", Wrong: "wants 3",
		Checks: []Check{{"build", "pass", ""}, {"rerun", "fail", "it stops\x1b[2J again"}}, Edits: []patch.Edit{e}, Diff: patch.Unified(e)}},
		Questions: []Question{{"why does it stop?\n" + strings.Repeat("line\n", 50), "because\x1b]0;owned\x07 of a", ""}}}}, nil
}

// stage is a screen without a terminal.
type stage struct {
	*model
	t    *testing.T
	quit bool
}

func play(t *testing.T, f *fake, w, h int) *stage {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	dark := true
	s := &stage{model: newModel(t.Context(), Options{Run: f, Name: "abc", Score: "right", Dark: &dark}, keys), t: t}
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	return s
}

func (s *stage) send(msg tea.Msg) {
	_, cmd := s.Update(msg)
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		s.quit = true
	default:
		s.send(msg)
	}
}

func (s *stage) keys(keys ...string) {
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "down": tea.KeyDown, "right": tea.KeyRight, "end": tea.KeyEnd}
	for _, k := range keys {
		if code, ok := named[k]; ok {
			s.send(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range k {
			s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

func (s *stage) screen() string { return ansi.Strip(s.View().Content) }

func (s *stage) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(s.screen(), w) {
			s.t.Errorf("the screen does not show %q:\n%s", w, s.screen())
		}
	}
}

func (s *stage) hides(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if strings.Contains(s.screen(), w) {
			s.t.Errorf("the screen shows %q:\n%s", w, s.screen())
		}
	}
}

func three() *fake { return &fake{rates: []float64{0.9, 0.5, 0}} }

func TestFromTheMatrixToACell(t *testing.T) {
	s := play(t, three(), 80, 24)
	s.shows("3 columns × 40 cases", "right ▾", "90 (10–90)", "class-0", "says right", "10k tokens")
	s.keys("down", "enter")
	s.shows("ollama/model-1", "40 open cases", "40 closed cases are not listed", "case-00", "class-0", "1/2")
	s.keys("down", "enter")
	s.shows("case-01", "2 of 40", "Trial 1: not right", "Fix 1: not right, set a in 1", "✓ build", "✗ rerun", "hidden check: wants 3", "var a = 2")
	s.keys("]")
	s.shows("case-02", "3 of 40", "set a in 2")
	s.keys("}}")
	s.shows("── Answer 1", "because of a", "── Prompt 1")
	s.hides("owned")
	s.keys("}", "{{")
	s.shows("Fix 1")
	s.keys("y")
	s.shows("in the clipboard")
	s.keys("esc")
	s.shows("▸case-02")
	s.keys("esc")
	s.shows("right ▾", "▸b  ollama/model-1")
	s.keys("esc")
	if !s.quit {
		t.Error("esc does not leave")
	}
}

func TestSortAndFilter(t *testing.T) {
	s := play(t, three(), 120, 36)
	for range 7 {
		s.keys("right")
	}
	s.shows("says masks")
	s.keys("v")
	s.shows("masks ▾", "sorted by masks", "a  ollama/model-2")
	s.keys("/", "model-1")
	s.shows("/ model-1", "ollama/model-1")
	s.hides("ollama/model-2")
	s.keys("/", "z")
	s.shows("no model matches")
	s.keys("enter", "enter")
	s.shows("no model matches the filter")
	s.keys("esc")
	s.shows("ollama/model-2")

	s.keys("tab", "right", "v")
	s.shows("b▾")
	if got := s.matrix.Classes[0].Name; got != "class-7" {
		t.Errorf("the worst class is %s", got)
	}
	s.keys("enter")
	s.shows("/ class:class-7", "5 open cases")
	s.keys("esc")
	s.shows("right by class")

	s.keys("tab", "enter", "v", "v")
	s.shows("the worst first")
	s.keys("/", "case-3")
	s.shows("10 open cases")
	s.keys("enter", "esc")
	s.shows("40 open cases")
}

// Details that come late are not those of the case that is shown, and what cannot
// be read is said.
func TestDetailsThatComeLate(t *testing.T) {
	f := three()
	s := play(t, f, 80, 24)
	s.keys("enter")
	_, first := s.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.shows("reading…")
	_, second := s.Update(tea.KeyPressMsg{Code: ']', Text: "]"})
	s.send(first())
	s.shows("case-01", "reading…")
	s.send(second())
	s.shows("set a in 1")
	if f.ended != 1 {
		t.Errorf("%d readings were given up", f.ended)
	}
	f.problem = errors.New("the disk is gone")
	s.keys("]")
	s.shows("the disk is gone")
}

// Each line has the width of the terminal at most, and the cursor is in sight, at
// any size.
func TestFits(t *testing.T) {
	for _, size := range [][2]int{{20, 5}, {40, 12}, {60, 15}, {80, 24}, {120, 36}, {160, 45}, {200, 60}} {
		f := &fake{}
		for i := range 40 {
			f.rates = append(f.rates, float64(i)/40)
		}
		s := play(t, f, size[0], size[1])
		check := func(wants ...string) {
			t.Helper()
			lines := strings.Split(s.screen(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, l := range lines {
				if w := ansi.StringWidth(l); w > size[0] {
					t.Errorf("%v: a line of %d cells: %q", size, w, l)
				}
			}
			if size[0] >= 40 {
				s.shows(wants...)
			}
		}
		check("▸a  ollama", "right ▾")
		s.keys("end")
		check("▸n1 ollama", "‹98 (10")
		for range 8 {
			s.keys("right")
		}
		check("‹98›", "declines")
		s.keys("tab", "end", "right", "right")
		if size[1] >= 15 {
			check("▸class-7", "‹50*›")
		}
		s.keys("?")
		check("Scores")
		s.keys("esc", "enter", "end")
		check("open cases")
		s.keys("enter")
		check("Trial 1")
	}
}

// A run that grows is shown with the cursor on the same model and the same case.
func TestARunThatGrows(t *testing.T) {
	f := &fake{rates: []float64{0.2, 0.5, 0.8}}
	s := play(t, f, 120, 36)
	s.keys("j")
	s.o.Again = func(context.Context) (Run, bool, error) { return nil, false, nil }
	grown1 := &fake{rates: []float64{0.2, 0.9, 0.8}}
	if cmd := s.grow(grown{run: grown1, more: true}); cmd == nil {
		t.Error("a run that may have more is not read again")
	}
	if at := s.matrix.Rows[s.rows.at]; at.Column != 1 || at.Figures[0].Words != "90" {
		t.Errorf("the cursor is on %+v", at)
	}
	s.keys("enter")
	s.keys("j")
	s.keys("j")
	if cmd := s.grow(grown{run: grown1}); cmd != nil {
		t.Error("a complete run is read again")
	}
	if of := s.shown.cases.List[s.shown.lines.at]; of.Number != 2 {
		t.Errorf("the cursor is on case %d", of.Number)
	}
	s.grow(grown{err: errors.New("the disk\x1b[2J is gone")})
	if !strings.Contains(s.screen(), "not read again: the disk") {
		t.Errorf("the error is not shown:\n%s", s.screen())
	}
}
