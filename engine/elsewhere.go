package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

// Consents remembers what was agreed to, beyond this session; userstate.Consents is one.
type Consents interface {
	Given(userstate.Consent) (bool, error)
	Give(c userstate.Consent, at time.Time) error
}

// ErrElsewhere is returned for a model that runs on another machine and has
// not been agreed to.
var ErrElsewhere = errors.New("the model runs on another machine: the prompt, with values of your program, would leave this one")

// errDeclined is returned when a person has said no.
var errDeclined = errors.New("not sent: the model runs on another machine, and that was declined")

// Wanted is a consent that is waited for: the prompt, with values of the
// program, would leave this machine for Host.
type Wanted struct{ Host, Model string }

// waiting is a question that waits for a consent.
type waiting struct {
	wanted Wanted
	answer chan<- bool // takes one without being waited for
}

// open opens a profile's model so that nothing reaches it but through
// redaction, nor leaves this machine without consent. Whatever is sent to a
// model goes through what open returns; screen is what hides secrets from it.
func (e *Engine) open(ctx context.Context, p Profile) (llm.Model, *prompts.Screen, error) {
	m, err := p.Provider.Open(ctx, p.Model)
	if err != nil {
		return nil, nil, err
	}
	r := redact.Off()
	if !e.unscreened(m.Info()) {
		r = redact.New(e.opts.Redact, slices.Concat(os.Environ(), e.opts.Env))
	}
	g := &guarded{Model: m, engine: e, screen: prompts.NewScreen(r), wanted: Wanted{Host: hostOf(p, m.Info()), Model: m.Info().ID()}}
	return g, g.screen, nil
}

// unscreened tells whether a model sees prompts as they are.
func (e *Engine) unscreened(m llm.Info) bool { return !m.Remote && e.opts.RedactLocalOff }

// hostOf is where a model runs, as well as it is known.
func hostOf(p Profile, info llm.Info) string {
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

// guarded is a model behind consent and redaction.
type guarded struct {
	llm.Model
	engine *Engine
	screen *prompts.Screen
	wanted Wanted
}

// Complete implements llm.Model.
func (g *guarded) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	if g.Info().Remote {
		if err := g.engine.agreed(ctx, g.wanted); err != nil {
			return llm.Answer{}, err
		}
	}
	r.Messages = g.screen.Messages(r.Messages)
	return g.Model.Complete(ctx, r, onText)
}

// agreed returns once the person has agreed that prompts leave this machine,
// now or earlier. It runs beside Run.
func (e *Engine) agreed(ctx context.Context, w Wanted) error {
	if e.opts.AllowRemote {
		e.post(func() {
			e.consented(e.opts.Actor, &session.Consented{Host: w.Host, Model: w.Model, Given: true, Once: true})
		})
		return nil
	}
	var earlier bool
	var err error
	if e.opts.Consents != nil {
		earlier, err = e.opts.Consents.Given(e.placeOfConsent(w))
	}
	switch {
	case earlier:
		return nil
	case e.opts.Headless:
		return advice.Add(fmt.Errorf("%q at %s: %w", w.Model, w.Host, errors.Join(ErrElsewhere, err)), "--allow-remote allows it for this run")
	}
	answer := make(chan bool, 1)
	e.post(func() { e.want(w, answer) })
	select {
	case yes := <-answer:
		if yes {
			return nil
		}
		return advice.Add(errDeclined, "f asks again")
	case <-ctx.Done():
		e.post(func() { e.unwant(answer) })
		return ctx.Err()
	}
}

func (e *Engine) placeOfConsent(w Wanted) userstate.Consent {
	ws := e.State().Started.Workspace
	module := ""
	for _, m := range ws.Modules {
		if m.Dir == ws.Root {
			module = m.Path
		}
	}
	return userstate.Consent{Module: module, Root: ws.Root, Host: w.Host, Model: w.Model}
}

// want asks the person, unless that was answered in this session.
func (e *Engine) want(w Wanted, answer chan<- bool) {
	if c, ok := e.State().Consent(w.Host, w.Model); ok && (c.Given || !e.askedByHand) {
		answer <- c.Given
		return
	}
	e.wanting = append(e.wanting, waiting{w, answer})
	e.showWanted()
}

// unwant forgets a question that nobody waits for any more.
func (e *Engine) unwant(answer chan<- bool) {
	e.wanting = slices.DeleteFunc(e.wanting, func(x waiting) bool { return x.answer == answer })
	e.showWanted()
}

// showWanted shows the consent that has been waited for longest.
func (e *Engine) showWanted() {
	e.setLive(func(l *Live) {
		l.Consent = nil
		if len(e.wanting) > 0 {
			first := e.wanting[0].wanted
			l.Consent = &first
		}
	})
}

// consent takes the person's answer: yes is remembered for the project, no for
// the session, until fixes are asked for by hand.
func (e *Engine) consent(i Consent) {
	w := Wanted{i.Host, i.Model}
	if !slices.ContainsFunc(e.wanting, func(x waiting) bool { return x.wanted == w }) {
		return // nobody waits for it any more
	}
	c := &session.Consented{Host: i.Host, Model: i.Model, Given: i.Given}
	if i.Given && e.opts.Consents != nil {
		if err := e.opts.Consents.Give(e.placeOfConsent(w), e.opts.Now()); err != nil {
			c.Once = true
			e.notice("warn", "agreed to for this session only: "+err.Error(), advice.Of(err))
		}
	}
	e.askedByHand = false
	e.consented(e.opts.Actor, c)
	for _, x := range e.wanting {
		if x.wanted == w {
			x.answer <- i.Given
		}
	}
	e.wanting = slices.DeleteFunc(e.wanting, func(x waiting) bool { return x.wanted == w })
	e.showWanted()
}

// consented records an answer, unless it says nothing new.
func (e *Engine) consented(actor string, c *session.Consented) {
	if old, ok := e.State().Consent(c.Host, c.Model); ok && old == *c {
		return
	}
	e.append(actor, c)
}
