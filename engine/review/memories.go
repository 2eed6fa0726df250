package review

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/memory"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Memories offers fixes that helped at the same fault before, and keeps those
// that help now.
type Memories struct {
	*loop.Loop
	Proofs *proof.Proofs
}

// Recall proposes what is remembered of the stop's fingerprint. Reading the store
// takes a while, so the request is recorded only when there is something.
func (m *Memories) Recall(c *proof.Case, stop debugger.Stop) {
	if m.Opts.Stores.Memory == nil || stop.Panic == nil || stop.Panic.Fingerprint == "" {
		return
	}
	began := m.Opts.Now()
	m.Job(func() {
		fixes, err := m.Opts.Stores.Memory.Get(c.Ctx, ask.MemoryKey(stop))
		candidates := memory.Offer(fixes, m.Opts.Now(), memory.ReadIn(m.Workspace.Root))
		m.Post(func() {
			if m.Proofs.Open != c || c.Ctx.Err() != nil {
				return
			}
			if err != nil {
				m.Notice("warn", "remembered fixes cannot be read: "+err.Error(), "")
				return
			}
			if len(candidates) == 0 {
				return
			}
			request := m.Proofs.Asked(loop.MemorySource, 1)
			answered := &session.Answered{Request: request, Took: m.Since(began), Candidates: len(candidates)}
			for _, candidate := range candidates {
				if _, leftOut := m.Proofs.Proposed(c, request, session.EngineActor, candidate); leftOut != nil {
					answered.Err, answered.Hint, answered.Failed = leftOut.Error(), advice.Of(leftOut), ask.FailedKind(leftOut)
				}
			}
			m.Append(session.EngineActor, answered)
		})
	})
}

// learnTime bounds the time that storing a fix takes, also after the end.
const learnTime = 5 * time.Second

// Learn keeps the candidate that was judged fixed, if a person approved it and no test
// spoke against it.
func (m *Memories) Learn(id string) {
	if c, _ := m.State().Candidate(id); c.Decision == session.Approved && !opposed(c) {
		m.change(id, memory.Learn, "the fix is not remembered: ")
	}
}

// opposed reports whether a check of a candidate failed, or its tests ended with a warning:
// some fail now without the panic, are skipped or are gone.
func opposed(c session.CandidateRecord) bool {
	return slices.ContainsFunc(c.Checks, func(k verdict.Check) bool {
		return k.Status == verdict.Fail || k.Name == verdict.Tests && k.Status == verdict.Warn
	})
}

// Forget takes back what was learned of a candidate: it did not hold, or was
// undone.
func (m *Memories) Forget(id string) { m.change(id, memory.Unlearn, "the fix is still remembered: ") }

// change changes what is stored of a candidate; failed begins the words on an error.
func (m *Memories) change(id string, change func(context.Context, memory.Store, memory.Fix) error, failed string) {
	f, ok := m.fix(id)
	if m.Opts.Stores.Memory == nil || !ok {
		return
	}
	m.Job(func() {
		// fix ends the session as soon as it is judged
		ctx, cancel := context.WithTimeout(context.WithoutCancel(m.Ctx), learnTime)
		defer cancel()
		if err := change(ctx, m.Opts.Stores.Memory, f); err != nil {
			m.Post(func() { m.Notice("warn", failed+err.Error(), "") })
		}
	})
}

// fix is a candidate with the stop that it fixed.
func (m *Memories) fix(id string) (memory.Fix, bool) {
	for _, stop := range m.State().Stops {
		if stop.Stop.Panic == nil || stop.Stop.Panic.Fingerprint == "" {
			continue
		}
		for _, c := range stop.Candidates {
			if c.ID != id {
				continue
			}
			f := memory.Fix{Fingerprint: ask.MemoryKey(stop.Stop), Class: string(stop.Stop.Panic.Class), Module: m.Workspace.MainPath(),
				Session: m.Log.ID(), At: m.Opts.Now(), By: m.Opts.Actor, Source: c.Source, Title: c.Title, Explanation: c.Explanation,
				Effect: string(c.Effect()), Edits: c.Edits}
			if at, ok := stop.Stop.SelectedFrame(); ok {
				f.Function, f.Dir = at.Function, path.Dir(m.Workspace.Rel(at.File))
			}
			if c.Verdict != nil {
				for _, e := range c.Verdict.Evidence {
					f.Evidence = append(f.Evidence, string(e.Kind)+": "+e.Detail)
				}
			}
			return f, true
		}
	}
	return memory.Fix{}, false
}
