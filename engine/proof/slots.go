package proof

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/verdict"
)

// headStart is how long a screen has a stop to itself before proofs take all
// processors:
// values, stacks and the first goroutines are read and drawn meanwhile.
const headStart = 100 * time.Millisecond

// listingStart is what many goroutines have at most: 100,000 take about a second,
// and three while proofs run.
const listingStart = 2 * time.Second

// proofsAtOnce candidates are proved at the same time: each builds on all processors
// and runs programs. With two processors it is one: two would bring the first
// verdict later, and leave nothing to the screen.
var proofsAtOnce = min(max(1, runtime.NumCPU()/2), 4)

// slowProof is when a proof lets the next candidate begin as well: a target
// that hangs would keep them all waiting, each time until its limit.
const slowProof = 5 * time.Second

// prove has a candidate checked, after those that came before it.
func (pr *Proofs) prove(c *Case, candidate patch.Candidate) {
	if c.Verifier == nil {
		pr.proved(c, candidate.ID, verdict.Verdict{}, errors.New("there is nothing to prove it with"))
		return
	}
	if second := c.second[candidate.ID]; second.counts {
		candidate.Source = second.of
	}
	c.unproved = append(c.unproved, candidate)
	pr.proveNext(c)
}

// proveNext runs the checks of the candidates that wait, the first proposed
// first, as many at a time as there are slots.
func (pr *Proofs) proveNext(c *Case) {
	if c.Verifier != nil {
		c.Verifier.Expect(c.unproved...)
	}
	for c.proving < proofsAtOnce && len(c.unproved) > 0 && pr.fits(c) {
		candidate := c.unproved[0]
		c.unproved = c.unproved[1:]
		c.proving++
		verifier := c.Verifier
		slot := &slot{of: c}
		pr.Job(func() {
			pr.giveHeadStart(c)
			defer time.AfterFunc(slowProof, func() { pr.Post(func() { pr.shareSlot(c, slot) }) }).Stop()
			verdict, err := verifier.Check(c.Ctx, candidate, func(k verdict.Check) { pr.checked(c, candidate.ID, k) })
			pr.Post(func() {
				if pr.Open == c && verifier != c.Verifier && hindered(verdict, pr.State().Allowed) {
					c.unproved = append(c.unproved, candidate) // the sandbox was opened meanwhile
					pr.SetLive(func(l *live.State) { delete(l.Proving, candidate.ID); delete(l.Began, candidate.ID) })
				} else {
					pr.proved(c, candidate.ID, verdict, err)
				}
				slot.leave()
				pr.proveMore(c)
				pr.compareNext(c)
			})
		})
	}
}

// fits reports whether one more proof fits in this machine's memory: each may need as much as
// the program holds.
func (pr *Proofs) fits(c *Case) bool {
	if c.proving+c.slow == 0 {
		return true
	}
	held, free := memoryOf(pr.State().PID)
	if held <= free {
		return true
	}
	if !c.crowded {
		c.crowded = true
		pr.Append(session.EngineActor, &session.Notice{Level: "info", Text: fmt.Sprintf("fixes are proved one at a time: the program holds %s, and %s are free", catalog.Bytes(held), catalog.Bytes(free))})
	}
	return false
}

// memoryOf is how much memory a process holds, and how much is free, in bytes.
var memoryOf = func(pid int) (held, free int64) {
	if free = supervise.Available(); free == 0 {
		return 0, 0
	}
	return supervise.Resident(pid), free
}

// proveMore is proveNext, if the case is still open.
func (pr *Proofs) proveMore(c *Case) {
	if pr.Open == c {
		pr.proveNext(c)
	}
}

// shareSlot lets the next proof begin next to a slow one: at once, or when fewer
// slots are shared.
func (pr *Proofs) shareSlot(c *Case, s *slot) {
	if !s.share() && pr.Open == c {
		time.AfterFunc(slowProof/5, func() { pr.Post(func() { pr.shareSlot(c, s) }) })
	}
	pr.proveMore(c)
}

// slot is what a proof runs in. Only Run's goroutine uses it.
type slot struct {
	of     *Case
	shared bool
	left   bool
}

// share lets another proof have the slot, too; false where as many are shared
// as there are.
func (s *slot) share() bool {
	switch {
	case s.left:
		return true
	case s.of.slow == proofsAtOnce:
		return false
	}
	s.shared = true
	s.of.slow++
	s.of.proving--
	return true
}

// leave gives the slot back.
func (s *slot) leave() {
	s.left = true
	if s.shared {
		s.of.slow--
	} else {
		s.of.proving--
	}
}

// giveHeadStart waits until the screen has had it, or the case is closed.
func (pr *Proofs) giveHeadStart(c *Case) {
	if pr.Opts.Target.Headless {
		return
	}
	for wait := headStart - time.Since(c.opened); ; wait = look.BetweenPages {
		select {
		case <-time.After(wait):
		case <-c.Ctx.Done():
			return
		}
		if !pr.Inspection.Listed.GoesOn() || time.Since(c.opened) > listingStart {
			return
		}
	}
}

// checked hands a check over to Run.
func (pr *Proofs) checked(c *Case, id string, k verdict.Check) {
	pr.Post(func() {
		if pr.Open == c {
			pr.Append(session.EngineActor, &session.Checked{Candidate: id, Check: k})
		}
	})
}

func (pr *Proofs) proved(c *Case, id string, v verdict.Verdict, err error) {
	pr.SetLive(func(l *live.State) { delete(l.Proving, id); delete(l.Began, id); delete(l.Tested, id) })
	if pr.Open != c {
		return
	}
	if err != nil {
		v.Checks = append(v.Checks, verdict.Check{Name: verdict.Rerun, Status: verdict.Inconclusive, Detail: err.Error()})
		v.Verified = false
	}
	if r, ok := pr.State().Candidate(id); ok && v.Asks() && c.second[id].of.Provider != "" && !c.second[id].counts {
		pr.proveAgain(c, r.Candidate)
		return
	}
	explainMasking(&v, pr.State().Stops[pr.State().CaseIndex()].Diagnosis)
	v.Caution = pr.caution(id, v)
	pr.Append(session.EngineActor, &session.Proved{Candidate: id, Verdict: v})
	if v.Verified {
		pr.Opts.Mark("verified")
	}
	pr.Failed(c, id)
}

// explainMasking adds to a label that asks what it is about: where the bad value comes from.
func explainMasking(v *verdict.Verdict, d *evidence.Diagnosis) {
	if d == nil || d.Origin == "" || v.Verified {
		return
	}
	for i, k := range v.Checks {
		if k.Name == verdict.Masking && v.Asks() {
			v.Checks[i].Detail = k.Detail + session.Without + d.Words()
		}
	}
}
