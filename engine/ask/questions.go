package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// Questions answers what a person asks about the stop that the target is held at.
type Questions struct {
	*loop.Loop
	Inspection *look.Inspection
	Models     *Models
	Program    *program.Program
	Proofs     *proof.Proofs
	Runner     *target.Runner

	Current *conversation // about the current stop; nil before the first question
	asked   int           // so far
}

// conversation is about the stop that the target is held at. Its
// context ends when the target goes on.
type conversation struct {
	ctx    context.Context
	end    context.CancelCauseFunc
	first  []llm.Message // the prompt that began it
	turns  []turn        // questions that were answered after it, and the first's answer
	asking *inquiry      // the question under way; nil without one
	plain  bool          // some of it holds values that are hidden from models elsewhere
}

// turn is a question and its answer, as the model sees them again.
type turn struct{ question, answer string }

// ErrWentOn ends a conversation.
var ErrWentOn = errors.New("the program went on before the answer was there")

// CancelReply ends the answer that is being written, if there is one.
func (t *conversation) CancelReply() {
	if t != nil && t.asking != nil {
		t.asking.cancel()
	}
}

// End ends the conversation; its events remain.
func (qs *Questions) End() {
	if qs.Current != nil {
		qs.Current.end(ErrWentOn)
		qs.Current = nil
	}
}

// inquiry is one question on its way to an answer.
type inquiry struct {
	conversation *conversation
	cancel       context.CancelFunc
	id           string
	asked        intent.AskQuestion
	prompt       string // name of the prompt profile, and of its task
	counts       *prompts.Estimator
	profile      options.Profile
	source       patch.Source
	c            evidence.Case
	screen       *prompts.Screen // hides secrets from the model
	heard        *iterations
	ready        *proof.Case // whose diagnosis is waited for; nil at a stop without a panic
	code         *program.Code
	first        []llm.Message
	turns        []turn
	plain        bool // first, turns or the answer hold values that are hidden from models elsewhere
	again        bool // what was said before may not go to this model
	began        time.Time
	partial      strings.Builder // the text so far, bounded
}

// Ask begins a question about the stop.
func (qs *Questions) Ask(i intent.AskQuestion) {
	stop, ok := qs.State().CurrentStop()
	if !ok || stop.Stop.Ended() || qs.Runner.Round == nil || qs.Runner.Round.Running {
		qs.Refuse(advice.Add(errors.New("questions are about a paused program, and this one is not paused"), "halt it, or let it run to a stop"))
		return
	}
	if qs.Current != nil && qs.Current.asking != nil {
		qs.Refuse(advice.Add(errors.New("the last question is still being answered"), "ctrl+c in the conversation stops it"))
		return
	}
	q := &inquiry{asked: i, prompt: string(prompts.Ask), counts: qs.Opts.Fixes.Estimator, code: qs.Program.Code, began: qs.Opts.Now()}
	if i.Text == "" {
		q.prompt = string(prompts.Explain)
	}
	if err := qs.chooseAnswerer(q); err != nil {
		qs.Refuse(err)
		return
	}
	qs.asked++
	q.id = fmt.Sprintf("q%d", qs.asked)
	q.c = evidence.Case{Stop: stop.Stop, Inspect: qs.Inspection.HeldInspector(), Workspace: qs.Workspace}
	if c := qs.Proofs.Open; c != nil && stop.Stop.Crashed() {
		q.ready, q.c = c, c.Evidence
	}
	if qs.Current == nil {
		qs.Current = &conversation{}
		qs.Current.ctx, qs.Current.end = context.WithCancelCause(qs.Ctx)
	}
	ctx, cancel := context.WithCancel(qs.Current.ctx)
	q.conversation, q.cancel, q.first, q.turns = qs.Current, cancel, qs.Current.first, qs.Current.turns
	q.plain = qs.Current.plain
	qs.Current.asking = q
	qs.Append(qs.By(), &session.Questioned{Question: q.id, Text: i.Text, At: i.At, Source: q.source})
	q.heard = qs.Models.Hooked.iterations(q.id, 0)
	if limit, why := qs.LimitReached(); limit != "" && q.profile.Provider != nil {
		q.cancel()
		qs.answered(q, llm.Answer{}, qs.EndedBy(limit, why, loop.LimitsHint))
		return
	}
	qs.SetLive(func(l *live.State) { l.Reply = &live.Reply{Question: q.id, Since: q.began} })
	qs.Job(func() { qs.inquire(ctx, q) })
}

// chooseAnswerer takes the profile that is named, or the first; without any
// the debugger answers by itself.
func (qs *Questions) chooseAnswerer(q *inquiry) error {
	q.source = loop.BuiltinSource
	for _, p := range qs.Opts.Fixes.Profiles {
		if q.asked.Profile == "" || q.asked.Profile == p.Name {
			q.profile = p
			q.source = patch.Source{Provider: p.Source, Model: p.Model, Prompt: q.prompt}
			return nil
		}
	}
	if q.asked.Profile != "" {
		return fmt.Errorf("there is no profile %q", q.asked.Profile)
	}
	return nil
}

// chooseModel fills in the model that the profile leaves open. Where there is
// none the debugger answers by itself.
func (qs *Questions) chooseModel(ctx context.Context, q *inquiry) {
	choose := qs.Opts.Fixes.Models.Choose
	if choose == nil || q.profile.Name == "" || q.profile.Model != "" {
		return
	}
	class := ""
	if p := q.c.Stop.Panic; p != nil {
		class = string(p.Class)
	}
	if p, _, err := choose(ctx, class, q.profile); err == nil {
		q.profile = p
	}
}

// inquire runs outside Run's goroutine: it waits for what is known of the stop, asks, and
// hands the answer over.
func (qs *Questions) inquire(ctx context.Context, q *inquiry) {
	defer q.cancel()
	err := q.wait(ctx)
	if err == nil {
		qs.chooseModel(ctx, q)
	}
	var answer llm.Answer
	switch {
	case err != nil:
	case q.profile.Provider == nil:
		answer.Text, err = builtinReply(ctx, q.c, q.asked.Text, qs.Models.noModelHint())
	default:
		answer, err = qs.reply(ctx, q)
	}
	if err != nil && q.conversation.ctx.Err() != nil {
		err = context.Cause(q.conversation.ctx)
	}
	qs.Post(func() { qs.answered(q, answer, err) })
}

// wait waits until syntax, types and diagnosis of the stop are there.
func (q *inquiry) wait(ctx context.Context) error {
	if q.ready != nil {
		select {
		case <-q.ready.Ready:
			q.c.Code, q.c.Diagnosis = q.ready.Found.Code, q.ready.Diagnosis()
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	if err := q.code.Wait(ctx); err != nil {
		return err
	}
	q.c.Code = q.code.Code
	return nil
}

// reply asks the model.
func (qs *Questions) reply(ctx context.Context, q *inquiry) (llm.Answer, error) {
	model, screen, err := qs.Models.open(ctx, q.profile)
	if err != nil {
		return llm.Answer{}, err
	}
	q.screen, q.c = screen, screen.Case(q.c)
	info := model.Info()
	q.source.Provider, q.source.Model, q.source.Remote = info.Provider, info.Name, info.Remote
	q.settle(qs.Models.unscreened(info))
	messages, err := q.messages(ctx, info, qs.Models.Hooked)
	if err != nil {
		return llm.Answer{}, err
	}
	messages = screen.Messages(messages) // as they are sent
	actor := "model:" + info.ID()
	prompted := &session.Prompted{Request: q.id, Source: q.source, Prompt: PromptText(messages)}
	qs.Post(func() { qs.Append(session.EngineActor, prompted) })
	ask := func(ctx context.Context, messages []llm.Message, tools []llm.Tool) (llm.Answer, error) {
		tokens := 0
		q.partial.Reset()
		request := qs.Models.within(q.profile, llm.Request{Messages: messages, Temperature: q.profile.Temperature, Seed: 1, Tools: tools})
		q.heard.begin(info.ID(), messages)
		answer, err := model.Complete(qs.Models.patient(ctx), request, func(text string) {
			tokens++
			qs.writing(q, text, tokens)
		})
		q.heard.answered(answer, err)
		return q.profile.Priced(answer), err
	}
	if !canProbe(info) {
		return ask(ctx, messages, nil)
	}
	answer, _, err := qs.Models.lookAround(ctx, q.heard, actor, q.c, screen, messages, false, ask)
	return answer, err
}

// settle begins the conversation again where earlier questions went, as they
// were, to a model on this machine, and this one goes elsewhere.
func (q *inquiry) settle(unscreened bool) {
	if q.plain && !unscreened {
		q.first, q.turns, q.plain, q.again = nil, nil, false, true
	}
	q.plain = q.plain || unscreened
}

// writing shows how far an answer is.
func (qs *Questions) writing(q *inquiry, text string, tokens int) {
	if q.partial.Len() < maxKept {
		q.partial.WriteString(text)
	}
	shown := q.partial.String()
	qs.SetLive(func(l *live.State) {
		l.Reply = &live.Reply{Question: q.id, Text: shown, Tokens: tokens, Since: q.began}
	})
}

// answered records an answer, or what came of it.
func (qs *Questions) answered(q *inquiry, answer llm.Answer, err error) {
	qs.SetLive(func(l *live.State) {
		if l.Reply != nil && l.Reply.Question == q.id {
			l.Reply = nil
		}
	})
	if q.conversation.asking == q {
		q.conversation.asking = nil
	}
	text := answer.Text
	if err != nil {
		text = q.partial.String() // what there is of it
	}
	text = bounded(session.Clean(text))
	r := &session.Replied{Question: q.id, Source: q.source, Text: text, PromptTokens: answer.PromptTokens, Tokens: answer.Tokens, Cost: answer.Cost,
		Took: qs.Since(q.began), ModelTook: answer.Took}
	if err = qs.CutShort(err); err != nil && q.profile.Provider != nil {
		r.Failed = FailedKind(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		r.Err = session.Canceled
	case err != nil:
		r.Err, r.Hint = err.Error(), advice.Of(err)
	}
	if err == nil && qs.Current == q.conversation && len(q.first) > 0 {
		if len(qs.Current.first) == 0 || q.again {
			qs.Current.first, qs.Current.turns = q.first, nil
		}
		qs.Current.plain = q.plain
		qs.Current.turns = append(qs.Current.turns, turn{q.asked.Text, text})
	}
	actor := session.EngineActor
	if q.profile.Provider != nil {
		actor = "model:" + q.source.Provider + "/" + q.source.Model
	}
	qs.Append(actor, r)
	if q.profile.Provider != nil {
		qs.Models.Hooked.Later(q.heard.end(q.source.Provider+"/"+q.source.Model, r.Text, r.Err, r.Failed))
	}
}

// maxTurns bounds the earlier turns that a question takes along, and maxEarlier
// their size in bytes.
const (
	maxTurns   = 6
	maxEarlier = 12 << 10
)

// messages makes the prompt: of the stop and the question for the first one,
// with what was said since for those after it.
func (q *inquiry) messages(ctx context.Context, m llm.Info, h *Hooks) ([]llm.Message, error) {
	if len(q.first) == 0 {
		first, err := q.opening(ctx, m, h)
		q.first = first
		return first, err
	}
	added, err := h.beforeQuestion(ctx, q, m.ID(), nil)
	if err != nil {
		return nil, err
	}
	words := ""
	for _, s := range added {
		words += "## " + s.Title + "\n" + s.Text + "\n\n"
	}
	messages := append([]llm.Message(nil), q.first...)
	recent := q.turns[max(0, len(q.turns)-maxTurns):]
	size := 0
	for i := len(recent) - 1; i >= 0; i-- {
		if size += len(recent[i].question) + len(recent[i].answer); size > maxEarlier {
			recent = recent[i+1:]
			break
		}
	}
	switch { // roles alternate: the first question is in the first prompt
	case len(recent) == len(q.turns):
		messages = append(messages, llm.Message{Role: "assistant", Text: recent[0].answer})
		recent = recent[1:]
	default:
		messages = append(messages, llm.Message{Role: "assistant", Text: fmt.Sprintf("[… %d earlier answers left out]", len(q.turns)-len(recent))})
	}
	for _, t := range recent {
		messages = append(messages, llm.Message{Role: "user", Text: turnText(t.question)}, llm.Message{Role: "assistant", Text: t.answer})
	}
	return append(messages, llm.Message{Role: "user", Text: words + turnText(q.asked.Text)}), nil
}

func turnText(question string) string {
	if question == "" {
		question = "Explain why it stopped here, where the bad value came from, and what it should have been."
	}
	return redacted(question)
}

// opening renders the profile over the stop.
func (q *inquiry) opening(ctx context.Context, m llm.Info, h *Hooks) ([]llm.Message, error) {
	library, err := prompts.LoadFor(q.c.Workspace.Root)
	if err != nil {
		return nil, err
	}
	gathered, stack, err := q.context(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("gather the context: %w", err)
	}
	profile, _, err := library.Choose(q.prompt, prompts.Task(q.prompt), gathered.Class, m, gathered)
	if err != nil {
		return nil, err
	}
	q.source.Prompt = profile.Name
	if q.c.Stop.Panic != nil {
		gathered = profile.Fit(gathered, m, q.counts.BytesPerToken(m))
	}
	gathered.Sections, err = h.beforeQuestion(ctx, q, m.ID(), append(gathered.Sections, stack))
	if err != nil {
		return nil, err
	}
	gathered.Tokens = 0
	for _, s := range gathered.Sections {
		gathered.Tokens += s.Tokens
	}
	gathered.Question = q.screen.Plain(q.asked.Text)
	return prompts.Render(profile, gathered)
}
