package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// host is the engine as the commands see it. Its methods run outside Run's goroutine.
type host struct{ e *Engine }

var _ console.Host = host{}

// State implements console.Host.
func (h host) State() session.State { return h.e.State() }

// Rel implements console.Host.
func (h host) Rel(file string) string { return h.e.loop.Workspace.Rel(file) }

// Location implements console.Host.
func (h host) Location(text string) string { return h.e.loop.Workspace.Location(text) }

// Target implements console.Host.
func (h host) Target() (console.Target, error) {
	t, err := h.e.inspection.Target()
	if err != nil {
		return nil, err
	}
	switch h.State().Phase {
	case session.PhaseStopped:
		return h.e.runner.Past.Holding(t, h.State()), nil
	case session.PhaseRunning, session.PhaseStarting:
		return nil, debugger.ErrRunning
	}
	return nil, debugger.ErrGone
}

// post has Run's goroutine do something in the name of who gave the line.
func (h host) post(do func()) {
	by := h.e.shell.writer()
	h.e.loop.Post(func() { h.e.loop.As(by, do) })
}

// act has Run's goroutine do something. It returns the number of the last event
// before, and what the engine refused.
func (h host) act(ctx context.Context, do func()) (uint64, error) {
	type outcome struct {
		before  uint64
		refused error
	}
	done := make(chan outcome, 1)
	h.post(func() {
		o := outcome{before: h.e.State().Seq}
		h.e.loop.Refused = func(err error) { o.refused = errors.Join(o.refused, err) }
		do()
		h.e.loop.Refused = nil
		done <- o
	})
	select {
	case o := <-done:
		return o.before, o.refused
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// until waits for an event after a number.
func (h host) until(ctx context.Context, after uint64, is func(session.Event) (bool, error)) error {
	for {
		u, err := h.e.loop.Wait(ctx, after, math.MaxUint64)
		if err != nil {
			return err
		}
		for _, event := range u.Events {
			after = event.Seq
			if found, err := is(event); found || err != nil {
				return err
			}
			if ended, ok := event.Body.(*session.Ended); ok {
				return fmt.Errorf("the session has ended: %s", ended.Outcome)
			}
		}
	}
}

// failed makes an error of a notice that says that something failed.
func failed(event session.Event) error {
	n, ok := event.Body.(*session.Notice)
	if !ok || n.Level != "error" {
		return nil
	}
	err := errors.New(n.Text)
	if len(n.Candidates) > 0 {
		err = &debugger.Ambiguous{Location: n.Offer.Location, Candidates: n.Candidates}
	}
	return advice.Add(err, n.Hint)
}

// Move implements console.Host.
func (h host) Move(ctx context.Context, m debugger.Move, wait bool) (stop debugger.Stop, err error) {
	before, err := h.act(ctx, func() { h.e.runner.Resume(m) })
	if err != nil || !wait {
		return stop, err
	}
	err = h.until(ctx, before, func(event session.Event) (bool, error) {
		if b, ok := event.Body.(*session.Stopped); ok {
			stop = b.Stop
			return true, nil
		}
		return false, failed(event)
	})
	return stop, err
}

// Restart implements console.Host.
func (h host) Restart(ctx context.Context, how console.Restart) error {
	_, err := h.act(ctx, func() {
		if len(how.Unoptimized) > 0 {
			h.e.rebuildUnoptimized(how.Unoptimized)
			return
		}
		h.e.handle(intent.Restart{NoBuild: how.NoBuild, NoInput: how.NoInput, From: how.From, SetArgs: how.SetArgs, Args: how.Args})
	})
	return err
}

// Jump implements console.Host.
func (h host) Jump(ctx context.Context, at debugger.FrameRef, location string) error {
	before, err := h.act(ctx, func() { h.e.handle(intent.Jump{At: at, Location: location}) })
	if err != nil {
		return err
	}
	return h.until(ctx, before, func(event session.Event) (bool, error) {
		_, ok := event.Body.(*session.Jumped)
		return ok, failed(event)
	})
}

// SetBreakpoint implements console.Host.
func (h host) SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	return h.breakpoint(ctx, intent.SetBreakpoint{Breakpoint: b})
}

// AmendBreakpoint implements console.Host.
func (h host) AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	return h.breakpoint(ctx, intent.AmendBreakpoint{Breakpoint: b})
}

// Hits implements console.Host.
func (h host) Hits(ctx context.Context) map[int]uint64 {
	t, err := h.e.inspection.Target()
	if err != nil {
		return h.e.loop.LastHits()
	}
	hits := map[int]uint64{}
	theirs, err := t.BreakpointHits(ctx)
	if err != nil { // it runs, or is gone
		return h.e.loop.LastHits()
	}
	_, _ = h.act(ctx, func() {
		_ = h.e.breaks.Take(session.EngineActor, true) // as they were, if it cannot be asked
		for id, their := range h.e.breaks.InTarget {
			hits[id] = theirs[their]
		}
	})
	return hits
}

func (h host) breakpoint(ctx context.Context, i intent.Intent) (set debugger.Breakpoint, err error) {
	before, err := h.act(ctx, func() { h.e.handle(i) })
	if err != nil {
		return set, err
	}
	err = h.until(ctx, before, func(event session.Event) (bool, error) {
		if b, ok := event.Body.(*session.BreakpointSet); ok {
			set = b.Breakpoint
			return true, nil
		}
		return false, failed(event)
	})
	return set, err
}

// ClearBreakpoint implements console.Host.
func (h host) ClearBreakpoint(ctx context.Context, id int) error {
	_, err := h.act(ctx, func() { h.e.handle(intent.ClearBreakpoint{ID: id}) })
	return err
}

// SubstitutePaths implements console.Host.
func (h host) SubstitutePaths(rules [][2]string) {
	if t, err := h.e.inspection.Target(); err == nil {
		t.SubstitutePaths(rules)
	}
}

// Display implements console.Host.
func (h host) Display(list []session.Display) {
	h.post(func() { h.e.loop.Append(h.e.loop.By(), &session.Displayed{List: list}) })
}

// Script implements console.Host.
func (h host) Script(ctx context.Context, path string, run debugger.ScriptHost) error {
	return h.e.shell.scripts().Execute(ctx, path, run)
}

// Look implements console.Host; see agent.Tools.RunScript. Hooks do not concern what
// people look at.
func (h host) Look(ctx context.Context, code string) (string, error) {
	c, err := h.e.caseNow(ctx)
	if err != nil {
		return "", err
	}
	return h.e.outsideTools(c).RunScript(ctx, code, h.e.loop.ScriptLimits())
}

func (h host) delveTarget() (*delve.Target, error) {
	held, err := h.Target()
	if err != nil {
		return nil, err
	}
	if then, ok := held.(target.PastTarget); ok {
		held = then.Target
	}
	t, ok := held.(*delve.Target)
	if !ok {
		return nil, errors.New("scripts need a program of Delve's")
	}
	return t, nil
}

// Ask implements console.Host.
func (h host) Ask(at debugger.FrameRef, question string) {
	h.e.DoAs(h.e.shell.writer(), intent.AskQuestion{At: at, Text: question})
}

// Note implements console.Host.
func (h host) Note(text string) { h.e.DoAs(h.e.shell.writer(), intent.Note{Text: text}) }

// Quit implements console.Host.
func (h host) Quit(kill bool) { h.e.DoAs(h.e.shell.writer(), intent.Quit{Kill: kill}) }

// Progress implements console.Host.
func (h host) Progress(words string) {
	h.e.loop.SetLive(func(l *live.State) {
		if l.Command != nil {
			c := *l.Command
			c.Progress = words
			l.Command = &c
		}
	})
}

// TakeBreakpoints implements console.Host.
func (h host) TakeBreakpoints(ctx context.Context) (numbers map[int]int, err error) {
	_, refused := h.act(ctx, func() {
		err = h.e.breaks.Take(h.e.loop.By(), false)
		numbers = maps.Clone(h.e.breaks.InTarget)
	})
	if refused != nil {
		return nil, refused
	}
	return numbers, err
}

// keepSnapshot keeps a snapshot; notices say what became of it.
func (e *Engine) keepSnapshot() {
	e.loop.Job(func() {
		if err := (host{e}).Snapshot(e.loop.Ctx); err != nil {
			e.loop.Notice("error", err.Error(), advice.Of(err))
		}
	})
}

// Snapshot implements console.Host.
func (h host) Snapshot(ctx context.Context) error {
	t, err := h.Target()
	if err != nil {
		return err
	}
	sn, binary := h.e.snapshots, ""
	if _, err := h.act(ctx, func() {
		var why error
		if binary, why = sn.Binary(); why != nil {
			sn.Refuse(why)
		}
	}); err != nil {
		return err
	}
	f, err := sn.Dump(ctx, t, binary, func(words string) { h.Progress("dumping memory: " + words) })
	if err != nil {
		return err
	}
	h.Progress("compressing")
	path, err := sn.Pack(f)
	if err == nil {
		sn.Kept(path)
	}
	return err
}
