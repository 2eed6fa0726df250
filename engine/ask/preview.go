package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// Preview prepares a question and shows it instead of sending it.
func (as *Asking) Preview(i intent.PreviewPrompt) {
	c := as.proofs.Open
	if c == nil {
		as.Refuse(as.noCrash())
		return
	}
	p, ok := as.profileNamed(i.Profile)
	if !ok {
		as.Refuse(fmt.Errorf("there is no profile %q", i.Profile))
		return
	}
	q := &question{c: c, chain: &chain{profile: p}, choose: as.Opts.Fixes.Models.Choose, profile: p, evidence: c.Evidence}
	q.shown = true
	q.evidence.Attempts = append(slices.Clip(q.evidence.Attempts), as.failures(q.chain, i.Reason)...)
	as.SetLive(func(l *live.State) { l.Preview = &live.Preview{Profile: p.Name} })
	as.Job(func() {
		err := q.ready(c.Ctx)
		if err == nil {
			err = q.prepare(c.Ctx, as.models)
		}
		as.Post(func() { as.previewed(q, err) })
	})
}

func (as *Asking) previewed(q *question, err error) {
	if as.proofs.Open != q.c {
		return
	}
	v := &live.Preview{Profile: q.profile.Name, Note: q.note}
	if err != nil {
		v.Err, v.Hint = err.Error(), advice.Of(err)
	} else {
		v.Draft = &q.draft
	}
	as.SetLive(func(l *live.State) { l.Preview = v })
}

// noCrash refuses to ask for fixes where the program has not crashed.
func (as *Asking) noCrash() error {
	hint := "c continues to one"
	if as.State().Phase == session.PhaseExited {
		hint = "r starts the program again"
	}
	return advice.Add(errors.New("there is no crash to fix"), hint)
}

// askDraft sends a question that a person has looked at, exactly as it is.
func (as *Asking) askDraft(c *proof.Case, i intent.Ask) {
	p, ok := as.profileNamed(i.Profile)
	if !ok {
		as.Refuse(fmt.Errorf("there is no profile %q", i.Profile))
		return
	}
	as.SetLive(func(l *live.State) { l.Preview = nil })
	for n := range max(p.Candidates, 1) {
		as.try(c, &chain{profile: p, seed: n + 1, draft: i.Draft}, i.Reason)
	}
}

// ready waits until the case has its code and its diagnosis.
func (q *question) ready(ctx context.Context) error {
	select {
	case <-q.c.Ready:
		q.evidence.Code, q.evidence.Diagnosis = q.c.Found.Code, q.c.Diagnosis()
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// prepare opens the model and renders the prompt.
func (q *question) prepare(ctx context.Context, models *Models) error {
	if err := q.resolve(ctx); err != nil {
		return err
	}
	model, screen, err := models.open(ctx, q.profile)
	if err != nil {
		return err
	}
	q.model, q.screen = model, screen
	info := model.Info()
	q.source.Provider, q.source.Model, q.source.Remote = info.Provider, info.Name, info.Remote
	if info.Remote && !q.shown {
		q.forget()
		if !models.Opts.Privacy.SendOutput {
			q.withhold()
		}
	}
	if err := q.compose(ctx, info, models.Opts.Fixes.Estimator); err != nil {
		return err
	}
	if err := models.Hooked.beforeAsk(ctx, q); err != nil {
		return err
	}
	q.source.Prompt = q.draft.Profile.Name
	q.probes = probes(q.draft.Profile, info)
	messages, err := q.draft.Messages()
	q.messages = screen.Messages(messages) // as they are sent
	return err
}

// compose makes the draft: the person's own for its first try; for later ones
// with what has failed since.
func (q *question) compose(ctx context.Context, info llm.Info, counts *prompts.Estimator) error {
	own := q.chain.draft
	if own != nil && q.chain.round == 1 {
		if info.Remote && !own.Model.Remote { // it may hold what is hidden from models elsewhere
			err := fmt.Errorf("not sent: the prompt was shown for %s on this machine, and %s runs on another", own.Model.Name, info.Name)
			return advice.Add(err, "P shows the prompt as it would be sent there")
		}
		q.draft = *own
		if s := own.Screen(); s != nil {
			q.screen = s // it knows what was taken out
		}
		return nil
	}
	gathered, err := prompts.Gather(ctx, q.evidence, q.screen.Options(info.Context))
	if err != nil {
		return fmt.Errorf("gather the context: %w", err)
	}
	if own != nil {
		q.draft = own.Same(gathered)
		return nil
	}
	profile, note, err := choosePrompt(q.evidence, q.profile.Prompt, info, gathered)
	if err != nil {
		return err
	}
	q.note = note
	q.draft = prompts.NewDraft(profile, info, gathered, counts.BytesPerToken(info))
	return nil
}

// choosePrompt finds the named prompt profile, or the next that fits the model
// and what was gathered.
func choosePrompt(c evidence.Case, name string, info llm.Info, gathered prompts.Context) (prompts.Profile, string, error) {
	library, mistakes := prompts.Scan(prompts.Dirs(c.Workspace.Root)...)
	p, note, err := library.Choose(name, prompts.Fix, gathered.Class, info, gathered)
	if len(mistakes) == 0 {
		return p, note, err
	}
	word := fmt.Errorf("a prompt profile cannot be read: %w", mistakes[0])
	if err != nil {
		return p, "", advice.Add(errors.Join(err, word), "pausetui prompts check lists every mistake")
	}
	return p, strings.TrimPrefix(note+"; "+word.Error(), "; "), nil
}

// alsoAsk asks for the further answers that the prompt profile wants, where
// the session's profile does not say how many.
func (as *Asking) alsoAsk(q *question) {
	if q.chain.round != 1 || q.chain.seed != 1 || q.profile.Candidates > 0 || as.proofs.Open != q.c {
		return
	}
	for n := 2; n <= q.draft.Profile.Options.Candidates; n++ {
		as.try(q.c, &chain{profile: q.profile, seed: n, draft: q.chain.draft}, "")
	}
}

// request is what a model is asked; the session's profile goes before the
// prompt's own options.
func (q *question) request() llm.Request {
	o := q.draft.Profile.Options
	r := llm.Request{Messages: q.messages, Temperature: q.temperature(), Seed: q.seed, MaxTokens: o.MaxTokens}
	if q.profile.Temperature == 0 && o.Temperature != nil && q.seed == 1 {
		r.Temperature = *o.Temperature
	}
	if o.Seed > 0 {
		r.Seed = o.Seed + q.seed - 1
	}
	return r
}

// observe learns from the server's own count of a prompt.
func (as *Asking) observe(q *question, r llm.Request, a llm.Answer) {
	if len(r.Tools) > 0 { // they count, too
		return
	}
	size := 0
	for _, m := range r.Messages {
		size += len(m.Text)
	}
	if err := as.Opts.Fixes.Estimator.Observe(q.model.Info(), size, a.PromptTokens); err != nil {
		as.Post(func() { as.Notice("warn", err.Error(), "the sizes of prompts are estimated less exactly") })
	}
}

// withhold leaves out of what failed before whatever the runs of candidates have
// printed: no one has read that code, and what it prints may be any file that it
// could read, in a form that no redaction knows.
func (q *question) withhold() {
	q.evidence.Attempts = slices.Clone(q.evidence.Attempts)
	for i, a := range q.evidence.Attempts {
		if a.Failure != a.Elsewhere {
			q.evidence.Attempts[i].Failure, q.withheld = a.Elsewhere, true
		}
	}
}

// forget leaves out fixes that are remembered, which no one has agreed to send
// from here: they may be of another repository.
func (q *question) forget() {
	q.evidence.Attempts = slices.DeleteFunc(slices.Clone(q.evidence.Attempts), func(a evidence.Attempt) bool { return a.Remembered })
}

// sayWithheld says that something was left out, and how it can be sent.
func (as *Asking) sayWithheld(q *question) {
	if !q.withheld {
		return
	}
	hint := "P shows the prompt with it, and sends it from there"
	if as.Opts.Target.Headless {
		hint = "--send-output sends it"
	}
	as.Notice("info", fmt.Sprintf("the output of failed checks was not sent to %s, which runs on another machine", q.source.Model), hint)
}
