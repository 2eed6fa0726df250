package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// Hooks runs the person's hooks, and records what became of each. What it records is
// appended at once, from any goroutine: runs that end with the session count, too.
type Hooks struct {
	*loop.Loop

	mu      sync.Mutex // guards what follows
	queue   []hooks.Event
	running bool // a job works on the queue
}

// errHookRefused is returned for what a hook does not let happen.
var errHookRefused = errors.New("a hook refused it")

// decide runs the hooks of a point and waits for them, outside Run's goroutine.
func (h *Hooks) decide(ctx context.Context, e hooks.Event) hooks.Decision {
	if !h.Opts.Hooks.At(e.Hook) {
		return hooks.Decision{}
	}
	e.Session, e.Root = h.Log.ID(), h.Workspace.Root
	return h.Opts.Hooks.Do(ctx, e, h.recordRun)
}

// Last runs the hooks at the end of the session, on Run's goroutine: nothing
// comes after them.
func (h *Hooks) Last(outcome string) {
	e := hooks.Event{Hook: hooks.OnEnd, Outcome: outcome, Session: h.Log.ID(), Root: h.Workspace.Root}
	h.Opts.Hooks.Do(context.WithoutCancel(h.Ctx), e, h.recordRun)
}

func (h *Hooks) recordRun(r hooks.Run) {
	ran := &session.HookRan{Hook: string(r.Hook.Point), Name: bounded(session.Clean(r.Hook.Name)), Took: r.Took,
		Output: cutTo(session.Clean(r.Output), maxProbe), Refused: cutTo(session.Clean(r.Decision.Refuse), maxProbe)}
	if r.Err != nil {
		ran.Err = session.Clean(r.Err.Error())
	}
	d := r.Decision
	for _, s := range d.Add {
		ran.Changed = append(ran.Changed, "added "+cutTo(session.Clean(s.Title), 200))
	}
	for _, key := range d.Remove {
		ran.Changed = append(ran.Changed, "removed "+cutTo(session.Clean(key), 200))
	}
	if d.Arguments != nil {
		ran.Changed = append(ran.Changed, "other arguments")
	}
	if d.Result != nil {
		ran.Changed = append(ran.Changed, "another result")
	}
	h.Append(session.EngineActor, ran)
	if r.Err != nil {
		h.Notice("warn", fmt.Sprintf("the hook %s failed: %s: %v", r.Hook.Point, session.Clean(r.Hook.Name), r.Err), "")
	}
}

// OnStop runs the hooks of a crash.
func (h *Hooks) OnStop(stop debugger.Stop) {
	if !h.Opts.Hooks.At(hooks.OnStop) {
		return
	}
	text, err := json.Marshal(stop)
	if err == nil {
		h.Later(hooks.Event{Hook: hooks.OnStop, Stop: text})
	}
}

// beforeAsk lets hooks add sections to a prompt, and remove some. A prompt that a person has
// looked at is sent as it was shown.
func (h *Hooks) beforeAsk(ctx context.Context, q *question) error {
	if q.shown || !h.Opts.Hooks.At(hooks.BeforeAsk) {
		return nil
	}
	e := hooks.Event{Hook: hooks.BeforeAsk, Request: q.id, Model: q.model.Info().ID()}
	for _, s := range q.draft.Sections {
		e.Sections = append(e.Sections, hooks.Section{Key: s.Key, Title: s.Title, Text: s.Text})
	}
	d := h.decide(ctx, e)
	if len(d.Remove) > 0 {
		q.draft = q.draft.Without(append(d.Remove, q.draft.Dropped...)...)
	}
	for _, s := range d.Add {
		q.draft = q.draft.Adding(s.Title, s.Text)
	}
	return notAsked(d)
}

// notAsked is the error of a question that a hook refuses.
func notAsked(d hooks.Decision) error {
	if d.Refuse == "" {
		return nil
	}
	return fmt.Errorf("%w: not asked: %s", errHookRefused, session.Clean(d.Refuse))
}

// beforeQuestion is beforeAsk for what a person asks about the stop. A further question of a
// conversation has no sections; what is added goes before it.
func (h *Hooks) beforeQuestion(ctx context.Context, q *inquiry, model string, sections []prompts.Section) ([]prompts.Section, error) {
	if !h.Opts.Hooks.At(hooks.BeforeAsk) {
		return sections, nil
	}
	e := hooks.Event{Hook: hooks.BeforeAsk, Request: q.id, Model: model, Prompt: q.screen.Plain(q.asked.Text)}
	for _, s := range sections {
		e.Sections = append(e.Sections, hooks.Section{Key: s.Key, Title: s.Title, Text: s.Text})
	}
	d := h.decide(ctx, e)
	left := slices.DeleteFunc(slices.Clone(sections), func(s prompts.Section) bool { return slices.Contains(d.Remove, s.Key) })
	for _, s := range d.Add {
		text := prompts.ManyLines(q.screen.Plain(s.Text))
		left = append(left, prompts.Section{Key: prompts.SectionAdded, Title: prompts.OneLine(q.screen.Plain(s.Title)), Text: text, Tokens: prompts.Tokens(text)})
	}
	return left, notAsked(d)
}

// afterAnswer drops the candidates that a hook refuses.
func (h *Hooks) afterAnswer(ctx context.Context, q *question, answer llm.Answer, candidates []patch.Candidate) ([]patch.Candidate, error) {
	if !h.Opts.Hooks.At(hooks.AfterAnswer) {
		return candidates, nil
	}
	var left []patch.Candidate
	var refused error
	for _, c := range candidates {
		d := h.decide(ctx, hooks.Event{Hook: hooks.AfterAnswer, Request: q.id, Model: q.model.Info().ID(), Answer: answer.Text, Candidate: HookCandidate(c)})
		if d.Refuse != "" {
			refused = fmt.Errorf("%w: after_answer dropped %q: %s", errHookRefused, c.Title, d.Refuse)
			continue
		}
		left = append(left, c)
	}
	return left, refused
}

// HookCandidate is a candidate as hooks get it.
func HookCandidate(c patch.Candidate) *hooks.Candidate {
	return &hooks.Candidate{ID: c.ID, Title: c.Title, Explanation: c.Explanation, Files: c.Files(), Diff: c.Diff()}
}

// Around lets hooks change or refuse what a model looks at and gets, with tools and in
// scripts. What they put in is screened as the program's own values are; it is fenced
// where the text goes to a model.
func (h *Hooks) Around(request, model string, screen *prompts.Screen) agent.Around {
	if !h.Opts.Hooks.At(hooks.BeforeLookup) && !h.Opts.Hooks.At(hooks.AfterLookup) {
		return nil
	}
	return func(ctx context.Context, c llm.Call, run func(context.Context, llm.Call) (string, error)) (string, error) {
		e := hooks.Event{Hook: hooks.BeforeLookup, Request: request, Model: model, Lookup: &hooks.Lookup{Tool: c.Name, Arguments: c.Arguments}}
		d := h.decide(ctx, e)
		if d.Refuse != "" {
			return "", fmt.Errorf("%s: refused: %s", c.Name, screen.Plain(d.Refuse))
		}
		if d.Arguments != nil {
			c.Arguments = d.Arguments
		}
		text, err := run(ctx, c)
		if err != nil {
			return text, err
		}
		e.Hook, e.Lookup = hooks.AfterLookup, &hooks.Lookup{Tool: c.Name, Arguments: c.Arguments, Result: text}
		switch d := h.decide(ctx, e); {
		case d.Refuse != "":
			return "", fmt.Errorf("%s: refused: %s", c.Name, screen.Plain(d.Refuse))
		case d.Result != nil:
			return screen.Plain(*d.Result), nil
		}
		return text, nil
	}
}

// MayApply calls next, on Run's goroutine, with why a hook vetoes a candidate; empty if none
// does.
func (h *Hooks) MayApply(c session.CandidateRecord, next func(veto string)) {
	if !h.Opts.Hooks.At(hooks.BeforeApply) {
		next("")
		return
	}
	e := hooks.Event{Hook: hooks.BeforeApply, Candidate: HookCandidate(c.Candidate)}
	h.Job(func() {
		d := h.decide(h.Ctx, e)
		h.Post(func() { next(d.Refuse) })
	})
}
