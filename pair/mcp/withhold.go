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
	quotes := k.Status == verdict.Fail || k.Name == verdict.Regression || k.Name == verdict.Rerun && k.Status != verdict.Skip // may quote a run
	if !quotes {
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
	for i, e := range events {
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
