package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// shell carries the lines of the command line out, in their order, outside Run's goroutine.
type shell struct {
	*console.Shell
	*loop.Loop
	inspection *look.Inspection
	mu         sync.Mutex
	queue      []target.Line
	lines      uint64      // given so far
	now        target.Line // the line under way; zero without one
	busy       bool
	cancel     context.CancelFunc // of the line under way; nil without one
	kept       []*session.Listing // long answers in memory, the newest last
	stopped    selection
	selected   map[string]selection // since then, by the names of the participants

	scripts    func() *delve.Scripts
	timeTravel timeTravel
}

// keptListings is how many long answers stay in memory.
const keptListings = 8

func newShell(e *Engine) *shell {
	s := &shell{Shell: console.NewShell(host{e}, e.loop.Opts.Console), Loop: e.loop, inspection: e.inspection, selected: map[string]selection{}}
	s.scripts = sync.OnceValue(func() *delve.Scripts { return delve.NewScripts(host{e}.delveTarget) })
	s.Added = func(t console.Table) { e.loop.SetLive(func(l *live.State) { l.Commands = &t }) }
	return s
}

// Why lines that waited are not carried out.
const (
	byInterrupt = "not run: ctrl+c ended the line before it"
	byPast      = "not run: the line before it led into the past"
)

// command carries out a line of the command line after those before it.
func (s *shell) command(i intent.Evaluate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i.Seen = cmp.Or(i.Seen, s.State().Seq)
	s.lines++
	s.queue = append(s.queue, target.Line{Evaluate: i, By: s.Author, Number: s.lines})
	if s.busy {
		s.tellWaiting()
		return
	}
	s.busy = true
	s.Job(func() {
		for {
			next, ctx, ok := s.next(s.Ctx)
			if !ok {
				return
			}
			s.carryOut(ctx, next)
		}
	})
}

// next takes the next line; false when there is none; no goroutine looks any more then.
func (s *shell) next(base context.Context) (target.Line, context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	if len(s.queue) == 0 || base.Err() != nil {
		s.busy, s.now = false, target.Line{}
		return target.Line{}, nil, false
	}
	i := s.queue[0]
	s.queue = s.queue[1:]
	i.At = s.frame(i)
	ctx, cancel := context.WithCancel(base)
	s.cancel, s.now = cancel, i
	if i.By.Guest {
		ctx = console.ForGuest(ctx)
	}
	return i, ctx, true
}

// cancelCommand ends the line under way and drops those after it.
func (s *shell) cancelCommand() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(byInterrupt, func(target.Line) bool { return true })
	if s.cancel != nil {
		s.cancel()
	}
}

// drop has lines that wait answered with why they are not carried out, and returns them. The
// lock is held.
func (s *shell) drop(why string, which func(target.Line) bool) (lines []string) {
	for i := range s.queue {
		if l := &s.queue[i]; l.Dropped == "" && which(*l) {
			l.Dropped = why
			lines = append(lines, l.Input)
		}
	}
	s.tellWaiting()
	return lines
}

// leaves drops the lines behind the one under way, which leads its author into the past:
// they were meant for there, or for before. Those of others stay, as their authors do.
func (s *shell) leaves() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drop(byPast, func(l target.Line) bool { return l.By.Name == s.now.By.Name })
}

// tellWaiting shows the lines that wait behind the one under way. The lock is held.
func (s *shell) tellWaiting() {
	s.SetLive(func(l *live.State) {
		if l.Command != nil {
			c := *l.Command
			c.Waiting = s.waiting()
			l.Command = &c
		}
	})
}

// waiting are the lines that wait. The lock is held.
func (s *shell) waiting() (lines []string) {
	for _, l := range s.queue {
		if l.Dropped == "" {
			lines = append(lines, l.Input)
		}
	}
	return lines
}

// writer is the author of the line under way.
func (s *shell) writer() intent.Author {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.By
}

// dismiss drops the lines of one participant.
func (s *shell) dismiss(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = slices.DeleteFunc(s.queue, func(l target.Line) bool { return l.By.Name == name })
	s.tellWaiting()
	if s.cancel != nil && s.now.By.Name == name {
		s.cancel()
	}
}

func (s *shell) carryOut(ctx context.Context, i target.Line) {
	if i.Dropped != "" {
		s.Post(func() { notRun(s.Loop, i, i.Dropped) })
		return
	}
	s.mu.Lock()
	s.SetLive(func(l *live.State) {
		l.Command = &live.Command{Line: i.Input, Since: s.Opts.Now(), Waiting: s.waiting(), Number: i.Number}
	})
	s.mu.Unlock()
	answer, quiet := s.Exec(ctx, i.At, i.Input)
	s.selects(i.By.Name, answer.Select)
	s.Post(func() {
		s.SetLive(func(l *live.State) {
			if l.Command != nil && l.Command.Number == i.Number { // the next line may be under way
				l.Command = nil
			}
		})
		if quiet {
			return
		}
		s.keep(answer.Whole)
		s.As(i.By, func() { s.Append(s.By(), &answer) })
		s.recorded(i.By.Name, answer.Select)
	})
}

// notRun answers a line that is not carried out. Only Run's goroutine calls it.
func notRun(c *loop.Loop, l target.Line, why string) {
	c.As(l.By, func() { c.Append(c.By(), &session.Evaluated{Input: l.Input, At: l.At, Err: why}) })
}

// keep lets the oldest of the long answers go.
func (s *shell) keep(l *session.Listing) {
	if l == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, l)
	if len(s.kept) > keptListings {
		s.kept[0].Release()
		s.kept = slices.Delete(s.kept, 0, 1)
	}
}

// atBreakpoint carries out the lines that belong to the breakpoint of a stop.
func (s *shell) atBreakpoint(stop debugger.Stop) {
	if stop.Breakpoint == nil {
		return
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine}
	if f, ok := stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	for _, b := range s.State().Breakpoints {
		if b.ID != stop.Breakpoint.ID {
			continue
		}
		for _, line := range b.Commands {
			s.command(intent.Evaluate{At: at, Input: line})
		}
	}
}

// redisplay evaluates the displayed expressions at a stop.
func (s *shell) redisplay(stop debugger.Stop) {
	list := slices.Clone(s.State().Displays)
	if len(list) == 0 || stop.Ended() {
		return
	}
	at := debugger.FrameRef{Goroutine: stop.Goroutine}
	if f, ok := stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	target, err := s.inspection.Target()
	if err != nil {
		return
	}
	s.Job(func() {
		for i, d := range list {
			list[i] = console.Evaluate(s.Ctx, target, at, d)
		}
		s.Post(func() {
			if same(list, s.State().Displays) {
				s.Append(session.EngineActor, &session.Displayed{List: list})
			}
		})
	})
}

// same reports whether two lists display the same expressions.
func same(a, b []session.Display) bool {
	return slices.EqualFunc(a, b, func(a, b session.Display) bool { return a.ID == b.ID && a.Expr == b.Expr && a.Verb == b.Verb })
}
