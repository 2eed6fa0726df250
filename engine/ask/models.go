package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

// errElsewhere is returned for a model that runs on another machine and has
// not been agreed to.
var errElsewhere = errors.New("the model runs on another machine: the prompt, with values of your program, would leave this one")

// errDeclined is returned when a person has said no.
var errDeclined = errors.New("not sent: the model runs on another machine, and that was declined")

// waiting is a question that waits for a consent.
type waiting struct {
	wanted live.Wanted
	answer chan<- bool // takes one without being waited for
}

// Models is the only way to a model: what is sent goes through redaction, and
// leaves this machine only with consent.
type Models struct {
	*loop.Loop
	Hooked      *Hooks
	waiting     []waiting // for a person to agree that a prompt leaves this machine
	AskedByHand bool      // since the last such answer
}

// open opens a profile's model so that nothing reaches it but through
// redaction, nor leaves this machine without consent. Whatever is sent to a
// model goes through what open returns; screen is what hides secrets from it.
func (ma *Models) open(ctx context.Context, p options.Profile) (llm.Model, *prompts.Screen, error) {
	m, err := p.Provider.Open(ctx, p.Model)
	if err != nil {
		return nil, nil, err
	}
	r := redact.Off()
	if !ma.unscreened(m.Info()) {
		r = redact.New(ma.Opts.Privacy.Redact, slices.Concat(os.Environ(), ma.Opts.Target.Env))
	}
	g := &guarded{Model: m, models: ma, screen: prompts.NewScreen(r), wanted: live.Wanted{Host: hostOf(p, m.Info()), Model: m.Info().ID()}}
	return g, g.screen, nil
}

// unscreened reports whether a model sees prompts as they are.
func (ma *Models) unscreened(m llm.Info) bool {
	return !m.Remote && ma.Opts.Privacy.RedactLocalOff
}

// hostOf is where a model runs, as well as it is known.
func hostOf(p options.Profile, info llm.Info) string {
	if info.Host != "" {
		return info.Host
	}
	if at, ok := llm.Find[interface {
		llm.Provider
		Host() string
	}](p.Provider); ok {
		return at.Host()
	}
	return p.Source
}

// guarded is a model that is reached only through consent and redaction.
type guarded struct {
	llm.Model
	models *Models
	screen *prompts.Screen
	wanted live.Wanted
}

// Complete implements llm.Model.
func (g *guarded) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	if g.Info().Remote {
		if err := g.models.agreed(ctx, g.wanted); err != nil {
			return llm.Answer{}, err
		}
	}
	r.Messages = g.screen.Messages(r.Messages)
	return g.Model.Complete(ctx, r, onText)
}

// agreed returns once the person has agreed that prompts leave this machine,
// now or earlier. It runs outside Run's goroutine.
func (ma *Models) agreed(ctx context.Context, w live.Wanted) error {
	if ma.Opts.Privacy.AllowRemote {
		ma.Post(func() {
			ma.consented(ma.Opts.Actor, &session.Consented{Host: w.Host, Model: w.Model, Given: true, Once: true})
		})
		return nil
	}
	var earlier bool
	var err error
	if ma.Opts.Privacy.Consents != nil {
		earlier, err = ma.Opts.Privacy.Consents.Given(ma.placeOfConsent(w))
	}
	switch {
	case earlier:
		return nil
	case ma.Opts.Target.Headless:
		return advice.Add(fmt.Errorf("%q at %s: %w", w.Model, w.Host, errors.Join(errElsewhere, err)), "--allow-remote allows it for this run")
	}
	answer := make(chan bool, 1)
	ma.Post(func() { ma.want(w, answer) })
	select {
	case yes := <-answer:
		if yes {
			return nil
		}
		return advice.Add(errDeclined, "f asks again")
	case <-ctx.Done():
		ma.Post(func() { ma.forget(answer) })
		return ctx.Err()
	}
}

func (ma *Models) placeOfConsent(w live.Wanted) userstate.Consent {
	ws := ma.State().Started.Workspace
	return userstate.Consent{Module: ws.MainPath(), Root: ws.Root, Host: w.Host, Model: w.Model}
}

// want asks the person, unless that was answered in this session.
func (ma *Models) want(w live.Wanted, answer chan<- bool) {
	if c, ok := ma.State().Consent(w.Host, w.Model); ok && (c.Given || !ma.AskedByHand) {
		answer <- c.Given
		return
	}
	ma.waiting = append(ma.waiting, waiting{w, answer})
	ma.showWanted()
}

// forget drops a question whose asker has stopped waiting.
func (ma *Models) forget(answer chan<- bool) {
	ma.waiting = slices.DeleteFunc(ma.waiting, func(x waiting) bool { return x.answer == answer })
	ma.showWanted()
}

// showWanted shows the consent that has been waited for longest.
func (ma *Models) showWanted() {
	ma.SetLive(func(l *live.State) {
		l.Consent = nil
		if len(ma.waiting) > 0 {
			first := ma.waiting[0].wanted
			l.Consent = &first
		}
	})
}

// Consent takes the person's answer: yes is remembered for the project, no for
// the session, until fixes are asked for by hand.
func (ma *Models) Consent(i intent.Consent) {
	w := live.Wanted{Host: i.Host, Model: i.Model}
	if !slices.ContainsFunc(ma.waiting, func(x waiting) bool { return x.wanted == w }) {
		return // it is not waited for any more
	}
	c := &session.Consented{Host: i.Host, Model: i.Model, Given: i.Given}
	if i.Given && ma.Opts.Privacy.Consents != nil {
		if err := ma.Opts.Privacy.Consents.Give(ma.placeOfConsent(w), ma.Opts.Now()); err != nil {
			c.Once = true
			ma.Notice("warn", "agreed to for this session only: "+err.Error(), advice.Of(err))
		}
	}
	ma.AskedByHand = false
	ma.consented(ma.By(), c)
	for _, x := range ma.waiting {
		if x.wanted == w {
			x.answer <- i.Given
		}
	}
	ma.waiting = slices.DeleteFunc(ma.waiting, func(x waiting) bool { return x.wanted == w })
	ma.showWanted()
}

// consented records an answer, unless it says nothing new.
func (ma *Models) consented(actor string, c *session.Consented) {
	if old, ok := ma.State().Consent(c.Host, c.Model); ok && old == *c {
		return
	}
	ma.Append(actor, c)
}
func (ma *Models) noModelHint() string {
	if ma.Opts.Fixes.StatusLine != "" {
		return ma.Opts.Fixes.StatusLine
	}
	return "start Ollama and pull a model, or name one: --model ollama/NAME"
}

// within completes a request with what the session and the profile set.
func (ma *Models) within(p options.Profile, r llm.Request) llm.Request {
	r.FirstToken, r.Total = ma.Opts.Fixes.Limits.FirstToken, ma.Opts.Fixes.Limits.Total
	if p.MaxTokens > 0 {
		r.MaxTokens = p.MaxTokens
	}
	return r
}

// patient reports the waits before a busy model is asked again.
func (ma *Models) patient(ctx context.Context) context.Context {
	return retry.Notify(ctx, func(w retry.Wait) {
		text := fmt.Sprintf("%v; asking again in %s (%d of %d)", w.Err, printable.Duration(w.After), w.Attempt, w.Of)
		ma.Post(func() { ma.Notice("info", text, advice.Of(w.Err)) })
	})
}

// Look has the models found, outside Run's goroutine.
func (ma *Models) Look() {
	if ma.Opts.Fixes.Models.Look == nil {
		return
	}
	ma.Job(func() {
		found := ma.Opts.Fixes.Models.Look(ma.Ctx)
		if ma.Ctx.Err() != nil {
			return
		}
		ma.Post(func() {
			ma.SetLive(func(l *live.State) { l.Status = found.Status })
			for _, w := range found.Words {
				ma.Append(session.EngineActor, &w)
			}
		})
		if found.Then != nil {
			found.Then(ma.Ctx)
		}
	})
}
