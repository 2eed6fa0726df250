package lines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// fixed tells an event of candidates, changes and questions.
func (f *frontend) fixed(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Asked:
		f.asked = true
		if b.Source.Provider != patch.BuiltinProvider {
			f.say("asked %s for fixes", who(b.Source))
		}
	case *session.Answered:
		f.answered(b)
	case *session.Proposed:
		f.proposed(b)
	case *session.Agreed:
		f.say("%s proposed the same as %s", who(b.Source), called(b.Candidate))
	case *session.Checked:
		if b.Check.Status != verdict.Pass || !routine[b.Check.Name] {
			f.say("%s: %s", called(b.Candidate), checkWords(b.Check))
		}
	case *session.Proved:
		if c, ok := f.state.Candidate(b.Candidate); ok {
			f.say("%s %s", called(b.Candidate), f.standing(c))
		}
	case *session.Compared:
		f.compared(b)
	case *session.Asserted:
		f.asserted(b)
	case *session.Decided:
		f.say("%s was %s%s", called(b.Candidate), b.Decision, because(b.Reason))
	case *session.Allowed:
		f.say("allowed for the proofs of this session: %s", line(b.What))
	case *session.Applied:
		f.say("applied %s to %s", called(b.Candidate), files(b.Files))
	case *session.Undone:
		f.say("undone %s: %s as before%s", called(b.Candidate), files(b.Files), because(b.Reason))
	case *session.ApplyFailed:
		f.say("nothing was changed: %s", line(b.Err))
		f.hint(b.Hint)
		f.diff(b.Conflict)
	case *session.Committed:
		f.say("committed %.12s: %s", line(b.Hash), line(b.Subject))
	case *session.CommitFailed:
		f.say("warning: %s", line(b.Err))
		f.hint(b.Hint)
	case *session.Judged:
		f.say("judged %s: %s", b.Judgement, line(b.Evidence))
	case *session.Replied:
		f.replied(b)
	}
}

// answered says why there was no answer. That the program went on before the built-in
// fixer had ended is no news.
func (f *frontend) answered(b *session.Answered) {
	i := slices.IndexFunc(f.state.Requests, func(r session.Request) bool { return r.Asked.Request == b.Request })
	switch {
	case b.Err == "":
	case i < 0:
		f.say("no answer: %s", line(b.Err))
	case b.Failed != session.FailedAborted:
		f.say("no answer from %s: %s", who(f.state.Requests[i].Asked.Source), line(b.Err))
	case f.state.Requests[i].Asked.Source.Provider != patch.BuiltinProvider:
		f.say("%s is no longer asked for fixes", who(f.state.Requests[i].Asked.Source))
	}
	f.hint(b.Hint)
}

func (f *frontend) proposed(b *session.Proposed) {
	c := b.Candidate
	added, removed := session.Size(c)
	record, _ := f.state.Candidate(c.ID)
	f.say("fix %s by %s%s: %s; %s added, %d removed, in %s", number(c.ID), who(c.Source), madeFrom(c), line(c.Title), lines(added), removed, strings.Join(record.Files(), ", "))
}

func (f *frontend) replied(b *session.Replied) {
	if b.Err != "" {
		f.say("no answer: %s", line(b.Err))
		f.hint(b.Hint)
		return
	}
	f.say("%s answers:", who(b.Source))
	f.print(b.Text)
}

func who(s patch.Source) string {
	if s.Provider == patch.PersonProvider {
		return "you"
	}
	return line(s.Who())
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + line(reason)
}

func files(list []session.FileChange) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = line(f.File)
	}
	return strings.Join(names, ", ")
}

var statusWords = map[verdict.Status]string{verdict.Pass: "passed", verdict.Fail: "failed", verdict.Warn: "warning", verdict.Skip: "skipped", verdict.Inconclusive: "undecided"}

func checkWords(c verdict.Check) string {
	words := c.Name + " " + statusWords[c.Status]
	if c.Name == verdict.Tests && c.Count > 0 {
		words += fmt.Sprintf(", %d tests", c.Count)
	}
	if c.Detail != "" && (c.Status != verdict.Pass || c.Name == verdict.Rerun) {
		words += ", " + line(c.Detail)
	}
	return words
}

// madeFrom names the candidate that one was made from: ", made from fix 1".
func madeFrom(c patch.Candidate) string {
	if c.Parent == "" {
		return ""
	}
	return ", made from " + called(line(c.Parent))
}

// standing says in a sentence what a candidate is worth.
func (f *frontend) standing(c session.CandidateRecord) string {
	if other := f.state.AppliedInstead(c.ID); other != "" {
		return "is not applied: " + called(other) + " is, in its place"
	}
	switch {
	case c.Decision == session.Rejected:
		return "was rejected"
	case c.Decision == session.Approved:
		return "is applied"
	case c.Proving():
		return "is being proved"
	case c.Cut:
		return "is not proved: its proof was stopped"
	case c.Verified():
		return "is verified" + kind(c)
	case c.Asks():
		return "has no panic, and asks: it " + line(c.Verdict.How)
	case c.Passes():
		return "has no panic" + kind(c)
	}
	return "is not verified" + reason(c)
}

// kind says what kind of fix it is: ", skips: returns nil when x == nil".
func kind(c session.CandidateRecord) string {
	if words := c.Verdict.Kind(); words != "" {
		return ", " + line(words)
	}
	return ""
}

// reason is what a check says against a candidate, the worst first.
func reason(c session.CandidateRecord) string {
	if check, ok := c.Against(); ok {
		return ": " + check.Name + ", " + line(check.Detail)
	}
	return ""
}

// number is how a candidate is called: c3 is fix 3.
func number(id string) string { return session.Number(id) }

// called is a candidate in a sentence.
func called(id string) string { return session.Called(id) }

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// routine checks are printed only when they have something to say.
var routine = map[string]bool{verdict.Scope: true, verdict.Parse: true, verdict.Masking: true}

// candidates of the last crash, as the session ranks them.
func (f *frontend) candidates() []session.CandidateRecord {
	if i := f.state.CaseIndex(); i >= 0 {
		return session.Rank(f.state.Stops[i].Candidates)
	}
	return nil
}

// named finds the candidate of a number; without one the best.
func (f *frontend) named(text string) (session.CandidateRecord, error) {
	list := f.candidates()
	if len(list) == 0 {
		return session.CandidateRecord{}, fmt.Errorf("there are no fixes: they come after a panic")
	}
	if text == "" {
		return list[0], nil
	}
	for _, c := range list {
		if number(c.ID) == number(text) {
			return c, nil
		}
	}
	var known []string
	for _, c := range list {
		known = append(known, number(c.ID))
	}
	return session.CandidateRecord{}, fmt.Errorf("there is no fix %s; there are %s", strconv.Quote(text), strings.Join(known, ", "))
}

func (f *frontend) listFixes() {
	list := f.candidates()
	if len(list) == 0 {
		f.say("there are no fixes")
		return
	}
	for _, c := range list {
		added, removed := session.Size(c.Candidate)
		f.say("fix %s %s; %s, by %s%s, %s added, %d removed", number(c.ID), f.standing(c), line(c.Title), who(c.Source), madeFrom(c.Candidate), lines(added), removed)
	}
}

// show prints a candidate: what it is, what was proved, and its diff.
func (f *frontend) show(c session.CandidateRecord) {
	f.say("fix %s: %s", number(c.ID), line(c.Title))
	if c.Explanation != "" {
		f.say("%s", line(c.Explanation))
	}
	f.say("it %s", f.standing(c))
	for _, check := range c.Checks {
		if check.Status != verdict.Pass || !routine[check.Name] {
			f.say("%s", checkWords(check))
		}
	}
	f.changes(c.Behavior)
	for _, e := range c.ToWrite() {
		f.diff(patch.Visible(patch.Unified(e)))
	}
	f.say("end of fix %s", number(c.ID))
}

// approve asks first; only y applies.
func (f *frontend) approve(c session.CandidateRecord, withoutTest bool) {
	words := fmt.Sprintf("approve fix %s: %s? It changes %s", number(c.ID), line(c.Title), strings.Join(c.Files(), ", "))
	if t := c.Test(); t != nil && !withoutTest {
		words += fmt.Sprintf(" and adds %s to %s", line(t.Name), line(t.Edit.File))
	}
	switch {
	case !c.Verified():
		words += ". It " + f.standing(c)
	}
	if c.LosesTest() {
		words += "; approved now, it comes without its regression test"
	}
	yes := "applies it and restarts"
	if !f.state.Started.Mode.Starts() {
		yes = "applies it"
	}
	approval := intent.Approve{Candidate: c.ID, WithoutTest: withoutTest}
	if t := c.Test(); t != nil && !withoutTest {
		if approval.Test = t.Name; t.Asks() {
			words += ". Approving confirms the new answers of the test"
		}
	}
	f.ask(words+".", yes, func() {
		f.send(approval, time.Minute, restarted)
	})
}
