package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// proposal is what the built-in fixer says of a stop.
type proposal struct {
	diagnosis  evidence.Diagnosis
	candidates []patch.Candidate
}

// propose has the built-in fixer look at the stop.
func (pr *Proofs) propose(c *Case) {
	request := pr.Asked(loop.BuiltinSource, 1)
	began := pr.Opts.Now()
	code, found := pr.Program.Code, c.Evidence
	pr.Job(func() {
		if code.Wait(c.Ctx) != nil {
			pr.Post(func() {
				pr.Append(session.EngineActor, &session.Answered{Request: request, Took: pr.Since(began), Err: session.Canceled, Failed: session.FailedAborted})
			})
			return
		}
		found.Code = code.Code
		proposed, err := loop.InTime(c.Ctx, func() (p proposal, err error) {
			p.diagnosis, p.candidates, err = fixer.Propose(c.Ctx, found)
			return p, err
		})
		diagnosis, candidates := proposed.diagnosis, proposed.candidates
		found.Diagnosis = diagnosis
		c.Found = found
		close(c.Ready)
		if err == nil {
			err = code.Err
		}
		pr.Post(func() {
			if pr.Open != c {
				pr.Append(session.EngineActor, &session.Answered{Request: request, Took: pr.Since(began), Err: session.Canceled, Failed: session.FailedAborted})
				return
			}
			if diagnosis.Sentence != "" {
				q, observes := pr.observes(c, diagnosis)
				diagnosis.Guess = diagnosis.Guess && observes
				pr.Append(session.EngineActor, &session.Diagnosed{Diagnosis: diagnosis})
				if observes {
					pr.observe(c, diagnosis, q)
				}
			}
			for _, candidate := range candidates[:min(len(candidates), pr.builtinMost())] {
				if _, leftOut := pr.Proposed(c, request, session.EngineActor, candidate); leftOut != nil {
					err = leftOut
				}
			}
			answered := &session.Answered{Request: request, Took: pr.Since(began), Candidates: len(candidates)}
			if err != nil {
				answered.Err, answered.Hint, answered.Failed = err.Error(), advice.Of(err), loop.FailedKind(err)
			} else if len(candidates) == 0 {
				answered.Err = diagnosis.Unfixable
			}
			pr.Append(session.EngineActor, answered)
		})
	})
}

// Asked records that a source is asked for fixes, and returns the number of the request.
func (pr *Proofs) Asked(source patch.Source, round int) string {
	pr.requests++
	id := fmt.Sprintf("a%d", pr.requests)
	pr.Append(session.EngineActor, &session.Asked{Request: id, Source: source, Round: round})
	return id
}

// builtinMost is how many candidates the built-in fixer may put forward: those
// of models that are asked at the same time must find room too.
func (pr *Proofs) builtinMost() int {
	expected := 0
	if pr.Opts.Fixes.AskAtOnce {
		for _, p := range pr.Opts.Fixes.Profiles {
			expected += max(p.Candidates, 1)
		}
	}
	return pr.Opts.Fixes.MaxCandidates - min(expected, pr.Opts.Fixes.MaxCandidates/2)
}

// Proposed records a candidate and has it proved. One that makes the same
// change as an earlier one is recorded as agreement with it, unless a person has made
// it of one and rejected the other before. It returns the candidate's id, or that of
// its twin; none when there are too many, and then why.
func (pr *Proofs) Proposed(c *Case, request, actor string, candidate patch.Candidate) (id string, leftOut error) {
	if candidate.Parent == "" { // a person's own edits stay as they are
		candidate = candidate.Faithful()
	}
	if err := cmp.Or(loop.FullLog(pr.Log.Size()), Loggable(candidate.Edits, MaxLogged)); err != nil {
		return "", err
	}
	change := patch.Identity(candidate)
	if twin, ok := c.seen[change]; ok && (candidate.Parent == "" || !pr.rejected(twin)) {
		pr.agreed(c, actor, &session.Agreed{Candidate: twin, Request: request, Source: candidate.Source})
		return twin, nil
	}
	if candidate.Parent == "" && !pr.roomFor(c, request) {
		return "", pr.EndedBy(session.LimitCandidates, fmt.Sprintf("%d fixes used", c.Count), candidatesHint)
	}
	pr.Candidates++
	candidate.ID = fmt.Sprintf("c%d", pr.Candidates)
	c.seen[change] = candidate.ID
	if pr.Candidates == 1 {
		pr.Opts.Mark("first_candidate")
	}
	pr.Append(actor, &session.Proposed{Request: request, Candidate: candidate, Record: pr.recordOf(candidate.Source)})
	pr.prove(c, candidate)
	return candidate.ID, nil
}

// agreed records that another source proposes a candidate that is already there. The code
// around does not support a fix of the built-in fixer, which copies it. It does support the
// same fix of a model or a person: if the verdict asks, the fix is proved again as theirs.
func (pr *Proofs) agreed(c *Case, actor string, with *session.Agreed) {
	r, ok := pr.State().Candidate(with.Candidate)
	if _, known := c.second[with.Candidate]; !ok || known || c.Verifier == nil || !r.Source.BuiltIn() || !with.Source.Agrees() {
		pr.Append(actor, with)
		return
	}
	c.second[with.Candidate] = secondOpinion{of: with.Source}
	with.Again = r.Verdict != nil && r.Verdict.Asks() && r.Decision == ""
	pr.Append(actor, with)
	if with.Again {
		pr.proveAgain(c, r.Candidate)
	}
}

// proveAgain proves a candidate as a change of the source that has agreed.
func (pr *Proofs) proveAgain(c *Case, candidate patch.Candidate) {
	c.second[candidate.ID] = secondOpinion{of: c.second[candidate.ID].of, counts: true}
	pr.prove(c, candidate)
}

// rejected reports whether a person has rejected a candidate.
func (pr *Proofs) rejected(id string) bool {
	r, ok := pr.State().Candidate(id)
	return ok && r.Decision == session.Rejected
}

// candidatesHint says how there can be more candidates.
const candidatesHint = "--max-candidates allows more"

// recordOf is the record of a proposer on the class of the current stop; nil
// without one.
func (pr *Proofs) recordOf(s patch.Source) *session.Record {
	stop, ok := pr.State().CurrentStop()
	if pr.Opts.Fixes.Models.Record == nil || !ok || stop.Stop.Panic == nil {
		return nil
	}
	return pr.Opts.Fixes.Models.Record(string(stop.Stop.Panic.Class), s.Provider+"/"+s.Model, s.Prompt)
}

// roomFor reports whether another candidate is within the limit. Later tries do
// not count: they have a separate limit.
func (pr *Proofs) roomFor(c *Case, request string) bool {
	for _, r := range pr.State().Requests {
		if r.Asked.Request == request && r.Asked.Round > 1 {
			return true
		}
	}
	if c.Count >= pr.Opts.Fixes.MaxCandidates {
		return false
	}
	c.Count++
	return true
}

// The most that a fix may have in the log: its files, before and after, in bytes.
const (
	MaxProposedLog = 8 << 20            // of a proposal
	MaxLogged      = 8 * MaxProposedLog // of any other: generated files are large
)

// Loggable refuses edits that have more than so many bytes in the log.
func Loggable(edits []patch.Edit, most int) error {
	size := 0
	for _, e := range edits {
		size += len(e.Before) + len(e.After)
	}
	if size <= most { // JSON makes six bytes of some
		text, err := json.Marshal(edits)
		if err != nil {
			return err
		}
		size = len(text)
	}
	if size > most {
		return fmt.Errorf("its files have more than %d MB in the log, before and after: change less at a time", most>>20)
	}
	return nil
}

// caution is what the record of the proposer says against a candidate that was
// verified; empty when nothing does. That a model or a person made the same change
// outweighs it. Memory does not: a remembered fix has the record of its first proposer.
func (pr *Proofs) caution(id string, v verdict.Verdict) string {
	stop, ok := pr.State().CurrentStop()
	c, known := pr.State().Candidate(id)
	if !ok || !known || stop.Stop.Panic == nil || pr.Opts.Fixes.Models.Caution == nil || !v.Verified || slices.ContainsFunc(c.Also, patch.Source.Agrees) {
		return ""
	}
	return pr.Opts.Fixes.Models.Caution(string(stop.Stop.Panic.Class), cmp.Or(c.Source.First, c.Source.Model))
}
