package tour

import (
	"context"
	"errors"
	"io"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
)

// guide says what comes next, as the session goes on.
type guide struct {
	engine *engine.Engine
	steps  []step
	seen   map[int]bool
}

// follow reads the session until it ends.
func (g *guide) follow() {
	after := uint64(0)
	for {
		u, err := g.engine.Wait(context.Background(), after, ^uint64(0))
		for _, e := range u.Events {
			after = e.Seq
			g.event(e)
		}
		if errors.Is(err, io.EOF) || err != nil {
			return
		}
	}
}

func (g *guide) event(e session.Event) {
	switch b := e.Body.(type) {
	case *session.Stopped:
		if b.Stop.Crashed() {
			g.say(0)
		}
	case *session.Proved:
		if b.Verdict.Verified {
			g.say(1)
		}
	case *session.Judged:
		if b.Judgement == session.Fixed {
			g.say(2)
		}
	case *session.Undone:
		g.say(3)
	}
}

// say says a step once.
func (g *guide) say(step int) {
	if !g.seen[step] {
		g.seen[step] = true
		g.engine.Say(g.steps[step].text, g.steps[step].hint)
	}
}

// done reports whether the person came to the end. Call it after follow has returned.
func (g *guide) done() bool { return g.seen[len(g.steps)-1] }

// end is what the person is left with.
func (g *guide) end() string {
	if !g.done() {
		return "The tour has more steps: pausetui tour begins it again.\n"
	}
	return `That was the tour. In a module of yours:

  pausetui debug ./cmd/app    the same with your program
  pausetui test ./store       with the tests of a package
  pausetui models             which models can be asked, too

Demos, in a clone of https://github.com/pausetui/pausetui, each with a README:

  pausetui debug ./examples/calculator                what is typed is replayed
  pausetui debug ./examples/recordimport              a default for a missing key
  pausetui debug ./examples/shopservice -- -load 20   a server, until nothing fails
  pausetui debug ./examples/blockimport               it goes on where it failed
`
}
