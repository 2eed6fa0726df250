// Package ask asks models for fixes and answers a person's questions. Whatever goes to a
// model goes through it: with secrets hidden, elsewhere only with consent, and through
// the person's hooks.
package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// Asking asks models for candidates, and sends what fails back to them.
type Asking struct {
	*loop.Loop
	models *Models
	proofs *proof.Proofs

	given []options.Profile   // the profiles selected at the start
	tries map[string][]*chain // by candidate: the chains that go on should it fail
	// proposers are, by candidate, the chains that go on should a person reject it.
	proposers map[string][]*chain
	cancels   map[string]context.CancelFunc // by request under way
	rounds    []endedRound                  // that hooks have not heard of
}

// NewAsking returns what asks the profiles of a session.
func NewAsking(c *loop.Loop, models *Models, p *proof.Proofs) *Asking {
	return &Asking{Loop: c, models: models, proofs: p, given: c.Opts.Fixes.Profiles, tries: map[string][]*chain{}, proposers: map[string][]*chain{},
		cancels: map[string]context.CancelFunc{}}
}

// AskAll asks all selected profiles.
func (as *Asking) AskAll(c *proof.Case) {
	for _, p := range as.Opts.Fixes.Profiles {
		as.askProfile(c, p, "")
	}
}

// Ask asks the profiles of an intent for candidates.
func (as *Asking) Ask(i intent.Ask) {
	c := as.proofs.Open
	if c == nil {
		as.Refuse(as.noCrash())
		return
	}
	if len(i.Profiles) > 0 && !as.pick(i.Profiles) {
		return
	}
	if len(as.Opts.Fixes.Profiles) == 0 {
		as.Notice("info", "no model to ask", as.models.noModelHint())
		return
	}
	if i.Draft != nil {
		as.askDraft(c, i)
		return
	}
	found := false
	for _, p := range as.Opts.Fixes.Profiles {
		if i.Profile == "" || i.Profile == p.Name {
			found = true
			as.askProfile(c, p, i.Reason)
		}
	}
	if !found {
		as.Refuse(fmt.Errorf("there is no profile %q", i.Profile))
	}
}

// Cancel stops whatever models are being asked.
func (as *Asking) Cancel() {
	for _, cancel := range as.cancels {
		cancel()
	}
}

// question is one request to a model, from prompt to candidates.
type question struct {
	c        *proof.Case
	chain    *chain
	id       string
	profile  options.Profile
	source   patch.Source
	evidence evidence.Case
	model    llm.Model
	screen   *prompts.Screen // hides secrets from the model
	draft    prompts.Draft
	note     string                                                                          // why another prompt than the profile's own was chosen
	why      string                                                                          // why this model and prompt
	choose   func(context.Context, string, options.Profile) (options.Profile, string, error) // Models.Choose
	resolved bool                                                                            // nothing of the profile is open any more
	messages []llm.Message
	seed     int
	heard    *iterations
	probes   bool // the model may look around in the target before it answers
	shown    bool // a person sees the prompt before it is sent
	withheld bool // what failed checks have printed is left out
}

// askProfile asks a profile's model for as many answers as it says.
func (as *Asking) askProfile(c *proof.Case, p options.Profile, reason string) {
	for n := range max(p.Candidates, 1) {
		as.try(c, &chain{profile: p, seed: n + 1}, reason)
	}
}

// askModel asks for one answer, outside Run's goroutine.
func (as *Asking) askModel(c *proof.Case, ch *chain, failed []evidence.Attempt) {
	ctx, cancel := context.WithCancel(c.Ctx)
	q := &question{c: c, chain: ch, choose: as.Opts.Fixes.Models.Choose, profile: ch.profile, seed: ch.seed, evidence: c.Evidence,
		why: ch.why, resolved: ch.round > 1 && ch.profile.Model != "",
		source: sourceOf(ch.profile)}
	q.evidence.Attempts = append(slices.Clip(q.evidence.Attempts), failed...)
	q.id = as.proofs.Asked(q.source, ch.round)
	q.heard = as.models.Hooked.iterations(q.id, ch.round)
	as.cancels[q.id] = cancel
	as.Job(func() { as.question(ctx, cancel, q) })
}

// sourceOf names a profile's model as well as it is known before it is opened.
func sourceOf(p options.Profile) patch.Source {
	return patch.Source{Provider: p.Source, Model: cmp.Or(p.Model, p.Name), Prompt: p.Prompt}
}

// question runs outside Run's goroutine: it gathers, asks, and hands the candidates over.
func (as *Asking) question(ctx context.Context, cancel context.CancelFunc, q *question) {
	defer cancel()
	if err := q.ready(ctx); err != nil {
		as.Post(func() { as.answered(q, llm.Answer{}, nil, err) })
		return
	}
	err := q.prepare(ctx, as.models)
	prompted := &session.Prompted{Request: q.id, Source: q.source, Prompt: PromptText(q.messages), Why: q.why}
	as.Post(func() {
		q.settled()
		as.Append(session.EngineActor, prompted)
		if q.note != "" {
			as.Notice("info", q.note, "pausetui prompts list shows what each prompt requires")
		}
		as.sayWithheld(q)
		as.alsoAsk(q)
		as.SetLive(func(l *live.State) { l.Waiting = live.Put(l.Waiting, q.id, as.Opts.Now()) })
	})
	var answer llm.Answer
	var candidates []patch.Candidate
	if err == nil {
		if q.c.Verifier != nil { // the model takes its time
			q.c.Verifier.Prepare(q.c.Ctx)
		}
		answer, candidates, err = as.converse(ctx, q)
	}
	if err == nil {
		candidates, err = as.models.Hooked.afterAnswer(ctx, q, answer, candidates)
	}
	as.Post(func() { as.answered(q, answer, candidates, err) })
}

// converse asks, and once more with the exact reason when the reply cannot be
// used.
func (as *Asking) converse(ctx context.Context, q *question) (llm.Answer, []patch.Candidate, error) {
	answer, err := as.firstAnswer(ctx, q)
	if err != nil {
		return answer, nil, err
	}
	candidates, err := q.screen.Candidates(answer.Text, q.evidence, q.source)
	if err == nil || ctx.Err() != nil {
		return answer, candidates, err
	}
	first := err
	complaint, _ := q.screen.OfFix(q.draft.Profile.Complaint(first))
	q.messages = append(q.messages, llm.Message{Role: "assistant", Text: answer.Text}, llm.Message{Role: "user", Text: complaint})
	again, err := as.complete(ctx, q, nil)
	if err != nil {
		return answer, nil, fmt.Errorf("%w; asked again: %w", first, err)
	}
	again.PromptTokens += answer.PromptTokens
	again.Tokens += answer.Tokens
	again.Took += answer.Took
	again.Cost += answer.Cost
	candidates, err = q.screen.Candidates(again.Text, q.evidence, q.source)
	if err != nil {
		return again, nil, fmt.Errorf("asked twice, the %w: %w", errUnusable, err)
	}
	return again, candidates, nil
}

// errUnusable is returned for a reply that holds no candidate.
var errUnusable = errors.New("reply cannot be used")

// FailedKind is the name of what kept a question from giving candidates.
func FailedKind(err error) session.Failed {
	switch kind := loop.FailedKind(err); {
	case kind != "":
		return kind
	case errors.Is(err, ErrWentOn):
		return session.FailedAborted
	case errors.Is(err, errUnusable), errors.Is(err, agent.ErrNoAnswer):
		return session.FailedUnusable
	case errors.Is(err, agent.ErrGaveUp):
		return session.FailedGaveUp
	case errors.Is(err, errElsewhere), errors.Is(err, errDeclined), errors.Is(err, errHookRefused):
		return session.FailedRefused
	}
	return session.FailedProvider
}

// firstAnswer asks for a fix; a model that may look around does so before.
func (as *Asking) firstAnswer(ctx context.Context, q *question) (llm.Answer, error) {
	if !q.probes {
		return as.complete(ctx, q, nil)
	}
	ask := func(ctx context.Context, messages []llm.Message, tools []llm.Tool) (llm.Answer, error) {
		q.messages = messages
		return as.complete(ctx, q, tools)
	}
	answer, messages, err := as.models.lookAround(ctx, q.heard, "model:"+q.model.Info().ID(), q.evidence, q.screen, q.messages, slices.Contains(q.draft.Profile.Offers, prompts.Scripts), ask)
	q.messages = messages
	return answer, err
}

// tailOfStream bounds the text of an answer that is shown while it comes.
const tailOfStream = 2000

func (as *Asking) complete(ctx context.Context, q *question, tools []llm.Tool) (llm.Answer, error) {
	since := as.Opts.Now()
	request := as.models.within(q.profile, q.request())
	request.Tools = tools
	tokens, tail := 0, ""
	q.heard.begin(q.model.Info().ID(), q.messages)
	answer, err := q.model.Complete(as.models.patient(ctx), request, func(text string) {
		tokens++
		tail += text
		if len(tail) > tailOfStream {
			tail = strings.ToValidUTF8(tail[len(tail)-tailOfStream:], "")
		}
		as.SetLive(func(l *live.State) {
			delete(l.Waiting, q.id)
			l.Streams = live.Put(l.Streams, q.id, live.Stream{Model: q.source.Model, Tokens: tokens, Tail: tail, Since: since})
		})
	})
	q.heard.answered(answer, err)
	if err == nil {
		as.observe(q, request, answer)
	}
	return q.profile.Priced(answer), err
}

// temperature gives variety to answers after the first.
func (q *question) temperature() float64 {
	if q.profile.Temperature > 0 || q.seed == 1 {
		return q.profile.Temperature
	}
	return 0.7
}

func (as *Asking) answered(q *question, answer llm.Answer, candidates []patch.Candidate, err error) {
	as.SetLive(func(l *live.State) { delete(l.Waiting, q.id); delete(l.Streams, q.id) })
	delete(as.cancels, q.id)
	if as.proofs.Open != q.c { // the target went on: the answer comes too late
		candidates, err = nil, context.Canceled
	}
	actor := "model:" + q.source.Provider + "/" + q.source.Model
	var ids []string
	err = as.CutShort(err)
	for _, c := range candidates {
		id, leftOut := as.proofs.Proposed(q.c, q.id, actor, c)
		ids, err = append(ids, id), cmp.Or(err, leftOut)
	}
	a := &session.Answered{Request: q.id, Text: bounded(session.Clean(answer.Text)), PromptTokens: answer.PromptTokens, Tokens: answer.Tokens, Cost: answer.Cost,
		Took: answer.Took, Candidates: len(candidates)}
	switch {
	case errors.Is(err, context.Canceled):
		a.Err, a.Failed = session.Canceled, FailedKind(err)
	case err != nil:
		a.Err, a.Hint, a.Failed = err.Error(), advice.Of(err), FailedKind(err)
	}
	as.Append(actor, a)
	as.roundEnded(q, a, ids)
	for _, id := range ids {
		as.followUp(q.c, q.chain, id)
	}
}

// maxKept bounds an answer in the journal, in bytes.
const maxKept = 64 << 10

func bounded(text string) string {
	if len(text) <= maxKept {
		return text
	}
	return strings.ToValidUTF8(text[:maxKept], "") + fmt.Sprintf("\n[… %d bytes left out]", len(text)-maxKept)
}

// PromptText is a prompt as the journal keeps it.
func PromptText(messages []llm.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "=== %s ===\n%s\n", m.Role, m.Text)
	}
	return b.String()
}

// notAsked records a question that a limit does not let be asked.
func (as *Asking) notAsked(ch *chain, limit session.Limit, why, hint string) {
	id := as.proofs.Asked(sourceOf(ch.profile), ch.round+1)
	err := as.EndedBy(limit, why, hint)
	as.Append(session.EngineActor, &session.Answered{Request: id, Err: err.Error(), Hint: hint, Failed: FailedKind(err)})
}
