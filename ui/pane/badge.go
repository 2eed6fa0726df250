package pane

import (
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// badged are the checks that always show; the others only when they are more
// than a plain pass.
var badged = []string{proof.Build, proof.Vet, proof.Rerun, proof.Tests}

// sign is a status as a sign that needs no colour.
func sign(t theme.Theme, s proof.Status) string {
	switch s {
	case proof.Pass:
		return t.Good.Render("✓")
	case proof.Fail:
		return t.Stop.Render("✗")
	case proof.Warn:
		return t.Warn.Render("⚠")
	case proof.Inconclusive:
		return t.Warn.Render("?")
	}
	return t.Faint.Render("–")
}

// Badges is the line of checks, "build ✓ vet ✓ rerun ◌", in at most w cells:
// drawn together where there is little room.
func Badges(c *Context, r session.CandidateRecord, w int) string {
	wide := badges(c, r, " ")
	if text.Width(wide) <= w {
		return wide
	}
	return text.Cut(badges(c, r, ""), w)
}

func badges(c *Context, r session.CandidateRecord, gap string) string {
	t := c.Theme
	var parts []string
	proving := c.Live.Proving[r.ID]
	for _, check := range r.Checks {
		isBadge := false
		for _, b := range badged {
			isBadge = isBadge || b == check.Name
		}
		if !isBadge && (check.Status == proof.Pass || check.Status == proof.Skip) {
			continue
		}
		parts = append(parts, t.Dim.Render(check.Name+countOf(check))+gap+sign(t, check.Status))
	}
	if proving != "" {
		if _, done := proof.Find(r.Checks, proving); !done {
			parts = append(parts, t.Dim.Render(text.Line(proving))+gap+t.Focus.Render("◌"))
		}
	}
	return strings.Join(parts, " ")
}

var leading = regexp.MustCompile(`^(\d+) `)

// countOf is the number that a check's detail begins with: "14 tests pass".
func countOf(c proof.Check) string {
	if m := leading.FindStringSubmatch(c.Detail); m != nil && c.Name == proof.Tests {
		return " " + m[1]
	}
	return ""
}

// Standing is what is to be said of a candidate first, with its sign.
func Standing(c *Context, r session.CandidateRecord) string {
	t := c.Theme
	switch {
	case r.Decision == session.Approved:
		return t.FocusTitle.Render("● applied")
	case r.Decision == session.Rejected:
		return t.Dim.Render("– rejected")
	case r.HidesSymptom():
		return t.WarnStrong.Render("⚠ masking")
	case r.Verified():
		return t.GoodStrong.Render("✓ verified")
	case r.Verdict == nil:
		return t.Focus.Render("◌ proving")
	case failed(r.Verdict.Checks) != nil:
		return t.StopStrong.Render("✗ failed")
	}
	return t.WarnStrong.Render("? unproved")
}

// failed is the first check that failed.
func failed(checks []proof.Check) *proof.Check {
	for i := range checks {
		if checks[i].Status == proof.Fail {
			return &checks[i]
		}
	}
	return nil
}

// Reason is why a candidate is not simply verified; empty when it is, or
// while it is being proved.
func Reason(r session.CandidateRecord) string {
	if r.Decision == session.Rejected {
		return r.Reason
	}
	for _, status := range []proof.Status{proof.Fail, proof.Inconclusive, proof.Warn} {
		for _, check := range r.Checks {
			if check.Status == status && check.Detail != "" {
				return check.Name + ": " + check.Detail
			}
		}
	}
	return ""
}

// Proposer is who proposed a candidate, in a word.
func Proposer(s patch.Source) string {
	switch s.Provider {
	case "builtin":
		return "built-in"
	case "person":
		return "you"
	case "memory":
		return "memory"
	}
	model := s.Model
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	return text.Line(model)
}
