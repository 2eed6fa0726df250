package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
	"github.com/pausetui/pausetui/verify/verdict"
)

// badged are the checks that always show; the others only when they are more
// than a plain pass.
var badged = []string{verdict.Build, verdict.Vet, verdict.Rerun, verdict.Regression, verdict.Tests}

// sign is a status as a sign that needs no color.
func sign(t theme.Theme, s verdict.Status) string {
	style := t.Faint
	switch s {
	case verdict.Pass:
		style = t.Good
	case verdict.Fail:
		style = t.Stop
	case verdict.Warn, verdict.Inconclusive:
		style = t.Warn
	}
	return style.Render(session.Sign(s))
}

// Badges is the line of checks, "build ✓ vet ✓ rerun ◌", in at most w cells:
// drawn together where there is little room, and then without those that a
// rerun implies.
func Badges(c *Context, r session.CandidateRecord, w int) string {
	for _, gap := range []string{" ", ""} {
		if all := badges(c, r, gap, false); text.Width(all) <= w {
			return all
		}
	}
	return text.Cut(badges(c, r, "", true), w)
}

// badges joins the badges; brief ones leave out what a rerun implies.
func badges(c *Context, r session.CandidateRecord, gap string, brief bool) string {
	t := c.Theme
	var parts []string
	proving := c.Live.Proving[r.ID]
	for _, check := range r.Checks {
		isBadge := false
		for _, b := range badged {
			isBadge = isBadge || b == check.Name
		}
		if !isBadge && (check.Status == verdict.Pass || check.Status == verdict.Skip || check.Name == verdict.Masking) {
			continue
		}
		if brief && check.Status == verdict.Pass && (check.Name == verdict.Build || check.Name == verdict.Vet) {
			continue
		}
		parts = append(parts, badge(t, check, gap))
	}
	if proving != "" {
		if _, done := verdict.Find(r.Checks, proving); !done || proving == verdict.Tests { // of which some are heard of first
			name := text.Line(proving)
			if proving == verdict.Masking {
				name = "effect"
			}
			if n := c.Live.Tested[r.ID]; proving == verdict.Tests && n.Total > 0 {
				name += fmt.Sprintf(" %d/%d", n.Done, n.Total)
			}
			parts = append(parts, t.Dim.Render(name)+gap+t.Focus.Render("◌"))
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, " ")
}

// badge is one check: its name, what it counted, its sign. What was not looked
// at is said in words: it is no tick.
func badge(t theme.Theme, c verdict.Check, gap string) string {
	switch {
	case verdict.NoTests(c):
		return t.Faint.Render(verdict.NoneToRun)
	case c.Status == verdict.Skip && c.Name == verdict.Regression:
		return ""
	case c.Name == verdict.Regression:
		return t.Dim.Render("+test") + gap + sign(t, c.Status)
	case c.Name == verdict.Tests && c.Count > 0:
		return t.Dim.Render(fmt.Sprintf("%s %d", text.Line(c.Name), c.Count)) + gap + sign(t, c.Status)
	}
	return t.Dim.Render(text.Line(c.Name)) + gap + sign(t, c.Status)
}

// Proved says in words what a verified candidate has shown, and no more:
// "no panic on the same input, 14 tests pass".
func Proved(r session.CandidateRecord) string {
	words, none := "no panic on the same input", "; there are no tests"
	if r.Test() != nil {
		words, none = words+", a regression test", "; there are no other tests"
	}
	tests, _ := verdict.Find(r.Checks, verdict.Tests)
	switch {
	case tests.Count > 0:
		passes := " pass"
		if tests.Count == 1 {
			passes = " passes"
		}
		return words + ", " + text.Plural(int64(tests.Count), "test") + passes
	case tests.Name == "" || verdict.NoTests(tests):
		return words + none
	}
	return words
}

// Prints is in one line what the run of a candidate printed; empty unless the
// candidates that pass differ in that.
func Prints(c *Context, id string) string {
	for _, stop := range c.State.Stops {
		for _, r := range stop.Candidates {
			if r.ID == id {
				return prints(session.Printed(stop.Candidates)[id])
			}
		}
	}
	return ""
}

func prints(output string) string { return text.Line(strings.ReplaceAll(output, "\n", " ⏎ ")) }

// Blocked is what would have to be allowed for the candidate's inconclusive
// checks to decide something, or for one that was refused to be looked at.
func Blocked(r session.CandidateRecord) []string {
	var out []string
	for _, c := range r.Checks {
		for _, b := range c.Blocked {
			if (c.Status == verdict.Inconclusive || b == verdict.AllowDirectives) && !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// Standing is what is to be said of a candidate first, with its sign, in the
// short form where the long one takes more than w cells.
func Standing(c *Context, r session.CandidateRecord, w int) string {
	t := c.Theme
	switch {
	case r.Decision == session.Approved:
		return t.FocusTitle.Render("● applied")
	case c.State.AppliedInstead(r.ID) != "":
		return t.Dim.Render("– " + Fix(c.State.AppliedInstead(r.ID)) + " is applied")
	case r.Decision == session.Rejected:
		return t.Dim.Render("– rejected")
	case r.Proving():
		return t.Focus.Render(proving(c, r.ID, w))
	case r.Cut:
		return t.Dim.Render("– proof stopped")
	case r.Passes():
		badge, style := text.Line(r.Verdict.Badge()), t.GoodStrong
		if text.Width(badge) > w {
			badge = text.Line(r.Verdict.Short())
		}
		switch {
		case r.Warns():
			style = t.WarnStrong
		case r.Asks():
			style = t.FocusTitle
		}
		return style.Render(badge)
	case r.Verdict == nil:
		return t.WarnStrong.Render(verdict.Verdict{}.Badge())
	case failed(r.Verdict.Checks) != nil:
		return t.StopStrong.Render(r.Verdict.Badge())
	}
	return t.WarnStrong.Render(r.Verdict.Badge())
}

// proving says that a candidate is being proved, and for how long where that is
// worth a word.
func proving(c *Context, id string, w int) string {
	words := "◌ proving"
	began, ok := c.Live.Began[id]
	took := c.Now.Sub(began)
	if !ok || took < 2*time.Second {
		return words
	}
	timed := fmt.Sprintf("%s %d s", words, int(took.Seconds()))
	if took >= time.Minute {
		timed = words + " " + text.Duration(took)
	}
	if text.Width(timed) > w {
		return words
	}
	return timed
}

// failed is the first check that failed.
func failed(checks []verdict.Check) *verdict.Check {
	for i := range checks {
		if checks[i].Status == verdict.Fail {
			return &checks[i]
		}
	}
	return nil
}

// Reason is what keeps a candidate from being a plain repair; empty while it is
// being proved.
func Reason(r session.CandidateRecord) string {
	if r.Decision == session.Rejected {
		return r.Reason
	}
	if r.Verified() && r.Verdict.Caution != "" {
		return "often wrong: " + r.Verdict.Caution
	}
	if r.Passes() && r.Verdict.How != "" {
		return r.Verdict.Kind()
	}
	if check, ok := r.Against(); ok {
		return check.Name + ": " + check.Detail
	}
	return ""
}

// Fix is what a candidate is called on the screen, by its id: "fix 3".
func Fix(id string) string { return "fix " + FixNumber(id) }

// madeFrom names the candidate that one was made from.
func madeFrom(r session.CandidateRecord) string { return "made from " + Fix(r.Parent) }

// FixNumber is the number in the name of a candidate.
func FixNumber(id string) string { return text.Line(session.Number(id)) }

// Proposer is who proposed a candidate, in a word.
func Proposer(s patch.Source) string {
	switch s.Provider {
	case patch.BuiltinProvider:
		return "built-in"
	case patch.PersonProvider:
		return "you"
	case patch.MemoryProvider:
		return "memory"
	}
	model := s.Model
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	if s.Remote {
		model += " (remote)"
	}
	return text.Line(model)
}

// origin is where a candidate comes from, as part of a sentence: "from memory".
func origin(s patch.Source) string {
	switch s.Provider {
	case patch.BuiltinProvider:
		return "by the built-in fixer"
	case patch.MemoryProvider:
		return "from memory"
	}
	return "by " + Proposer(s)
}

// origins is where a candidate comes from, and who else proposed the same.
func origins(r session.CandidateRecord) string {
	words := origin(r.Source)
	for i, s := range r.Also {
		join := ", "
		if i == 0 {
			join = "; also "
		}
		words += join + origin(s)
	}
	return words
}

// proposers is who proposed a candidate, and how many others the same.
func proposers(r session.CandidateRecord) string {
	if n := len(r.Also); n > 0 {
		return fmt.Sprintf("%s, %d more", Proposer(r.Source), n)
	}
	return Proposer(r.Source)
}
