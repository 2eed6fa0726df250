package mcp

import (
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// An agent may run on any machine, like a remote model. A person has not read the
// code of a patch that is being proved, and its output may be any file that it can
// read, encoded so that redaction does not find it. So an agent gets no more of a
// proof than a remote model does.

const withheld = "the person's log says more"

// checkForAgent is a check without what may quote the output of a run.
func (s *server) checkForAgent(k verdict.Check) verdict.Check {
	if s.opts.SendOutput {
		return k
	}
	if fromSource(k) {
		k.Output = ""
		return k
	}
	hidden := k.Detail != k.Elsewhere || k.Output != ""
	k.Detail, k.Output = k.Elsewhere, ""
	switch {
	case hidden && k.Detail != "":
		k.Detail += "; " + withheld
	case hidden:
		k.Detail = withheld
	}
	return k
}

// fromSource reports whether what a check says comes from the source and the edit alone. Of others
// only verdict.Check.Elsewhere leaves: they may quote a run, or what a compiler says of values.
func fromSource(k verdict.Check) bool {
	switch k.Name {
	case verdict.Scope, verdict.Parse, verdict.Build, verdict.Vet:
		return k.Status == verdict.Pass || k.Status == verdict.Skip
	case verdict.Masking:
		return k.Status == verdict.Pass || k.Status == verdict.Skip || k.Status == verdict.Warn
	case verdict.Rerun:
		return k.Status == verdict.Skip
	}
	return false
}

// remembered stands in answers to agents for a fix that helped before: it may be of another
// repository, whose code nobody has agreed to send.
const remembered = "a fix that is remembered on this machine"

// unseen reports whether a fix is withheld from agents: it was remembered, and no person has
// made it a part of this repository.
func unseen(c session.CandidateRecord) bool {
	return c.Source.Remembered() && c.Decision != session.Approved
}

// diffForAgent is the diff of a fix, as far as an agent may see it.
func (s *server) diffForAgent(c session.CandidateRecord) string {
	if unseen(c) {
		return ""
	}
	for _, e := range c.ToWrite() { // a diff cuts off names by which secrets are known
		s.seat.Screened(e.Before)
	}
	return s.bounded(c.Diff(), maxDiff)
}

// maxDiff bounds a diff, in bytes.
const maxDiff = 32 << 10

// behaviorForAgent is what a candidate changes without the answers of the patch, or what it
// has written in their place.
func behaviorForAgent(b verdict.Behavior) verdict.Behavior {
	b.Rows, b.Apart, b.Left = nil, nil, nil
	if b.Detail = b.Short(); b.Detail == "" {
		b.Detail = withheld
	}
	return b
}

// onlyForPerson replaces the answer to what a person, or their model, evaluated.
const onlyForPerson = "[only the person sees the answer]"

// eventsForAgent are the events of the log that an agent reads. A value that a person
// or their model evaluated may be part of a secret, which redaction cannot recognize;
// an agent has its own tools.
func (s *server) eventsForAgent(events []session.Event) []session.Event {
	list := make([]session.Event, len(events))
	ofOthers := map[string]bool{}
	for i, e := range events {
		e.Body = withoutRemembered(e.Body, ofOthers)
		switch b := e.Body.(type) {
		case *session.Checked:
			c := *b
			c.Check = s.checkForAgent(c.Check)
			e.Body = &c
		case *session.Proved:
			p := *b
			p.Verdict.Checks = make([]verdict.Check, len(b.Verdict.Checks))
			for j, k := range b.Verdict.Checks {
				p.Verdict.Checks[j] = s.checkForAgent(k)
			}
			if !s.opts.SendOutput {
				p.Verdict.Printed = ""
			}
			e.Body = &p
		case *session.Compared:
			c := *b
			c.Behavior = behaviorForAgent(b.Behavior)
			e.Body = &c
		case *session.Asserted: // the test has answers of the patch, too
			e.Body = &session.Asserted{Candidate: b.Candidate}
		case *session.Stopped:
			stopped := *b
			stopped.Stop = s.seat.ScreenedStop(b.Stop)
			e.Body = &stopped
		case *session.Jumped:
			jumped := *b
			jumped.Stop = s.seat.ScreenedStop(b.Stop)
			e.Body = &jumped
		case *session.Evaluated:
			e.Body = &session.Evaluated{Input: b.Input, At: b.At, Text: onlyForPerson}
		case *session.Probed:
			e.Body = &session.Probed{Request: b.Request, Tool: b.Tool, Arguments: b.Arguments, Took: b.Took, Result: onlyForPerson}
		case *session.Replied:
			replied := *b
			if b.Text != "" {
				replied.Text = onlyForPerson // it says what the model has looked at
			}
			e.Body = &replied
		case *session.TracepointHit:
			hit := *b
			hit.Hit.Values, hit.Hit.Stack = nil, nil
			e.Body = &hit
		}
		list[i] = e
	}
	return list
}

// withoutRemembered is an event without what is in fixes that are remembered, whose names it
// notes.
func withoutRemembered(body session.Body, noted map[string]bool) session.Body {
	switch b := body.(type) {
	case *session.Proposed:
		if p := *b; p.Candidate.Source.Remembered() {
			noted[p.Candidate.ID] = true
			p.Candidate.Title, p.Candidate.Explanation, p.Candidate.Edits, p.Candidate.Warnings = remembered, "", nil, nil
			return &p
		}
	case *session.Checked:
		if noted[b.Candidate] {
			c := *b
			c.Check = bare(c.Check)
			return &c
		}
	case *session.Proved:
		if noted[b.Candidate] {
			v := verdict.Verdict{Verified: b.Verdict.Verified, Effect: b.Verdict.Effect, Masking: b.Verdict.Masking}
			for _, k := range b.Verdict.Checks {
				v.Checks = append(v.Checks, bare(k))
			}
			return &session.Proved{Candidate: b.Candidate, Verdict: v}
		}
	}
	return body
}

// bare is a check that says no more than how it ended.
func bare(k verdict.Check) verdict.Check {
	return verdict.Check{Name: k.Name, Status: k.Status, Took: k.Took}
}
