package ask

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/session"
)

// lastHooks is how long hooks that decide nothing may go on once the session ends.
const lastHooks = hooks.DefaultTimeout

// Later runs the hooks of a point that decides nothing, in the background, one
// event after another.
func (h *Hooks) Later(e hooks.Event) {
	if !h.Opts.Hooks.At(e.Hook) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queue = append(h.queue, e)
	if !h.running {
		h.running = true
		h.Job(h.runQueue)
	}
}

func (h *Hooks) runQueue() {
	ctx, cancel := outlasting(h.Ctx, lastHooks)
	defer cancel()
	for {
		h.mu.Lock()
		if len(h.queue) == 0 {
			h.running = false
			h.mu.Unlock()
			return
		}
		e := h.queue[0]
		h.queue = h.queue[1:]
		h.mu.Unlock()
		h.decide(ctx, e)
	}
}

// outlasting is a context that ends some time after its parent has.
func outlasting(parent context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		late := time.AfterFunc(by, cancel)
		context.AfterFunc(ctx, func() { late.Stop() })
	})
	return ctx, func() { stop(); cancel() }
}

// iterations tells the hooks of on_round of each iteration of a question, whole: the
// prompt, the answer, and what the model looked at because of it. The last one waits
// for its candidates. It is for one goroutine at a time.
type iterations struct {
	hooked  *Hooks
	request string
	round   int // of the question's chain
	count   int
	now     hooks.Event // the newest; hooks get it when the next begins
}

func (h *Hooks) iterations(request string, round int) *iterations {
	it := &iterations{hooked: h, request: request, round: round}
	it.now = it.event()
	return it
}

func (it *iterations) event() hooks.Event {
	return hooks.Event{Hook: hooks.OnRound, Request: it.request, Round: it.round, Iteration: it.count}
}

// begin is called before a model is asked.
func (it *iterations) begin(model string, messages []llm.Message) {
	if it.count > 0 {
		it.hooked.Later(it.now)
	}
	it.count++
	it.now = it.event()
	it.now.Model, it.now.Prompt = model, PromptText(messages)
}

// answered is called with what it answered.
func (it *iterations) answered(answer llm.Answer, err error) {
	it.now.Answer = bounded(session.Clean(answer.Text))
	if err != nil {
		it.now.Error = session.Clean(err.Error())
	}
}

// looked is called with what the model looked at.
func (it *iterations) looked(s agent.Step) {
	l := hooks.Lookup{Tool: s.Call.Name, Arguments: s.Call.Arguments, Result: s.Result}
	if s.Err != nil {
		l.Error = s.Err.Error()
	}
	it.now.Lookups = append(it.now.Lookups, l)
}

// end is the event of the last iteration, with what became of the question.
func (it *iterations) end(model, text, err string, failed session.Failed) hooks.Event {
	e := it.now
	e.Model, e.Answer, e.Error, e.Failed, e.Last = model, text, err, string(failed), true
	return e
}

// endedRound is a question that was answered, and whose candidates are being proved.
type endedRound struct {
	c          *proof.Case
	event      hooks.Event
	candidates []string
}

// roundEnded has the hooks hear of a question's last iteration once its candidates are
// proved, or are not proved any more.
func (as *Asking) roundEnded(q *question, a *session.Answered, candidates []string) {
	if !as.Opts.Hooks.At(hooks.OnRound) {
		return
	}
	e := q.heard.end(q.source.Provider+"/"+q.source.Model, a.Text, a.Err, a.Failed)
	as.rounds = append(as.rounds, endedRound{q.c, e, candidates})
	as.TellRounds()
}

// TellRounds tells of the rounds of which all is known.
func (as *Asking) TellRounds() {
	var left []endedRound
	for _, r := range as.rounds {
		known := true
		for _, id := range r.candidates {
			c, ok := as.State().Candidate(id)
			if !ok { // it was left out
				continue
			}
			known = known && c.Verdict != nil
			r.event.Candidates = append(r.event.Candidates, hookRecord(as.State(), c))
		}
		if known || as.proofs.Open != r.c {
			as.models.Hooked.Later(r.event)
		} else {
			r.event.Candidates = nil
			left = append(left, r)
		}
	}
	as.rounds = left
}

// hookRecord is a candidate with what is known of it.
func hookRecord(s session.State, c session.CandidateRecord) hooks.Candidate {
	out := *HookCandidate(c.Candidate)
	out.Failed, out.Effect, out.Verified = string(c.Failed()), string(c.Effect()), c.Verified()
	for _, a := range s.Applied {
		if a.Candidate == c.ID {
			out.Judgement = string(a.Judgement)
		}
	}
	return out
}
