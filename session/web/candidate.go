package web

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Bounds of what is shown of a candidate.
const (
	maxDiff    = 3000 // lines of a diff
	maxChanges = 50   // inputs on which it answers differently
)

type candidateView struct {
	ID, Name, Title, Source string
	Explanation             string
	Badge, Tone             string
	Decision, Judgement     string
	Warnings, Evidence      []string
	Checks                  []checkView
	Changes                 *changesView // nil where nothing was compared
	Files                   []fileView
	Test                    string
	Open                    bool // its diff is unfolded: its change was applied
}

type checkView struct{ Name, Sign, Status, Tone, Took, Detail string }

// changesView is what a candidate changes in what functions answer.
type changesView struct {
	Summary, Tone, Tally string
	Rows                 []changeView
	Left                 []string // how it differs from others; functions that were not compared
}

type changeView struct{ Sign, Tone, Input, Origin, Before, After string }

type fileView struct {
	Name           string
	Added, Removed int
	Lines          []diffLine
	More           bool
}

type diffLine struct {
	Class, Sign, Text string
	Old, New          int
}

func viewCandidate(s session.State, c session.CandidateRecord) candidateView {
	v := candidateView{ID: line(c.ID), Name: line(session.Called(c.ID)), Title: line(c.Title), Source: sourceName(c.Source), Explanation: text(c.Explanation)}
	v.Badge, v.Tone = badge(c)
	if c.Parent != "" {
		v.Source += ", made from " + line(session.Called(c.Parent))
	}
	for _, also := range c.Also {
		v.Source += ", also " + sourceName(also)
	}
	for _, w := range c.Warnings {
		v.Warnings = append(v.Warnings, line(w))
	}
	checks := c.Checks
	if c.Verdict != nil {
		checks = c.Verdict.Checks
		for _, e := range c.Verdict.Evidence {
			v.Evidence = append(v.Evidence, line(e.Detail))
		}
	}
	for _, k := range checks {
		v.Checks = append(v.Checks, checkView{line(k.Name), session.Sign(k.Status), line(string(k.Status)), checkTone(k.Status), duration(k.Took), text(k.Detail)})
	}
	v.Changes = viewChanges(c.Behavior)
	if c.Decision != "" {
		v.Decision = line(strings.TrimSpace(string(c.Decision) + " " + c.Reason))
	}
	for _, a := range s.Applied {
		if a.Candidate == c.ID {
			v.Judgement, v.Open = applied(a), true
		}
	}
	edits := c.Edits
	if t := c.Test(); t != nil {
		v.Test = line(fmt.Sprintf("Regression test %s: it fails without %s and passes with it.", t.Name, session.Called(c.ID)))
		edits = append(edits[:len(edits):len(edits)], t.Edit)
	}
	for _, e := range edits {
		v.Files = append(v.Files, viewFile(e))
	}
	return v
}

func viewChanges(b *verdict.Behavior) *changesView {
	if b == nil {
		return nil
	}
	v := &changesView{Summary: line(b.Short()), Tone: checkTone(b.Status), Tally: line(b.Tally())}
	if b.Tried == 0 {
		v.Summary, v.Tally = line(b.Detail), ""
	}
	for _, r := range b.Rows[:min(len(b.Rows), maxChanges)] {
		v.Rows = append(v.Rows, changeView{session.Sign(r.Sign()), checkTone(r.Sign()), line(r.Input), r.Origin(), line(r.Before), line(r.After)})
	}
	for _, a := range b.Apart[:min(len(b.Apart), maxChanges)] {
		v.Left = append(v.Left, line(a.Words(a.From)))
	}
	for _, l := range b.Left[:min(len(b.Left), maxChanges)] {
		v.Left = append(v.Left, "not compared: "+line(l))
	}
	return v
}

// badge says what the proof found.
func badge(c session.CandidateRecord) (words, tone string) {
	switch {
	case c.Verdict == nil:
		return "not proved", "quiet"
	case c.Verified() && !c.Warns():
		tone = "good"
	case c.Passes():
		tone = "warn"
	default:
		tone = "bad"
	}
	return line(c.Verdict.Label()), tone
}

func applied(a session.AppliedRecord) string {
	text := "applied"
	if a.Undone {
		text = "applied and undone"
	}
	if a.Judgement != "" {
		text += ", judged " + string(a.Judgement)
	}
	if a.Evidence != "" {
		text += ": " + a.Evidence
	}
	if a.Commit != "" {
		text += fmt.Sprintf(" (commit %.12s)", a.Commit)
	}
	return line(text)
}

func viewFile(e patch.Edit) fileView {
	v := fileView{Name: line(e.File)}
	v.Added, v.Removed = patch.Count(e)
	for i, h := range patch.Hunks(e) {
		if i > 0 {
			v.Lines = append(v.Lines, diffLine{Class: "gap", Text: "⋯"})
		}
		for _, l := range h.Lines {
			if len(v.Lines) >= maxDiff {
				v.More = true
				return v
			}
			class := map[patch.Op]string{patch.Add: "add", patch.Del: "del"}[l.Op]
			v.Lines = append(v.Lines, diffLine{class, string(rune(l.Op)), strings.ReplaceAll(cut(session.CleanSource(l.Text)), "\n", " "), l.Old, l.New})
		}
	}
	return v
}

// sourceName says who proposed a candidate, or answered.
func sourceName(s patch.Source) string {
	name := s.Model
	if s.Provider != "" && !strings.HasPrefix(name, s.Provider+"/") {
		name = s.Provider + "/" + s.Model
	}
	if s.Remote {
		name += " (remote)"
	}
	if s.Prompt != "" {
		name += " · " + s.Prompt
	}
	return line(name)
}
