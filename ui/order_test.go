package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// shownOrder is the numbers of the fixes as the list shows them.
func (s *stage) shownOrder() []string {
	var out []string
	for _, l := range s.Panes.Fixes.View(false) {
		for _, id := range s.Panes.Fixes.Order() {
			if number := strings.TrimPrefix(id, "c") + " "; strings.HasPrefix(strings.TrimLeft(ansi.Strip(l), "▸ "), number) && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// TestFixesAreWalkedAsShown walks the list with [ and ], in the list and in the
// review, while proofs end and change the order.
func TestFixesAreWalkedAsShown(t *testing.T) {
	for _, keys := range [][]string{{"6"}, {"6", "enter"}} {
		f := sceneFixes()
		s := play(t, f, 200, 60)
		s.press(keys...)
		for _, c := range s.Panes.Fixes.Order() {
			r, _ := s.Ctx.State.Candidate(c)
			if r.Proving() {
				f.add(&session.Proved{Candidate: c, Verdict: verdict.Verdict{Verified: true, Effect: verdict.Repairs, Checks: checks(rerunPass(), testsPass())}})
			}
			s.catchUp()
			shown := s.shownOrder()
			if len(shown) < 3 {
				t.Fatalf("%v are shown:\n%s", shown, s.screenText())
			}
			for range shown {
				s.press("[")
			}
			if text := s.screenText(); !strings.Contains(text, "this is the first fix of the list") || s.Ctx.Candidate != s.shownOrder()[0] {
				t.Errorf("%v: [ at the first fix selects %s of %v:\n%s", keys, s.Ctx.Candidate, s.shownOrder(), text)
			}
			for _, want := range s.shownOrder()[1:] {
				if s.press("]"); s.Ctx.Candidate != want {
					t.Errorf("%v: ] selects %s of %v, not %s", keys, s.Ctx.Candidate, s.shownOrder(), want)
				}
			}
			s.press("]")
			if text := s.screenText(); !strings.Contains(text, "this is the last fix of the list") {
				t.Errorf("%v: ] at the last fix says nothing:\n%s", keys, text)
			}
		}
	}
}
