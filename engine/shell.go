package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
)

// shell carries the lines of the command line out, in their order, outside Run's goroutine.
type shell struct {
	*console.Shell
	*core
	inspection *inspection
	mu         sync.Mutex
	queue      []authored
	now        authored // the line under way; zero without one
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
	s := &shell{Shell: console.NewShell(host{e}, e.opts.Console), core: e.core, inspection: e.inspection, selected: map[string]selection{}}
	s.scripts = sync.OnceValue(func() *delve.Scripts { return delve.NewScripts(host{e}.delveTarget) })
	s.Added = func(t console.Table) { e.setLive(func(l *Live) { l.Commands = &t }) }
	return s
}

// authored is a line with who gave it.
type authored struct {
	Evaluate
	by Author
}

// command carries out a line of the command line after those before it.
func (s *shell) command(i Evaluate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i.Seen = cmp.Or(i.Seen, s.State().Seq)
	s.queue = append(s.queue, authored{i, s.author})
	if s.busy {
		return
	}
	s.busy = true
	s.job(func() {
		for {
			next, ctx, ok := s.next(s.ctx)
			if !ok {
				return
			}
			s.carryOut(ctx, next)
		}
	})
}

// next takes the next line; false when there is none; no goroutine looks any more then.
func (s *shell) next(base context.Context) (authored, context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	if len(s.queue) == 0 || base.Err() != nil {
		s.busy, s.now = false, authored{}
		return authored{}, nil, false
	}
	i := s.queue[0]
	s.queue = s.queue[1:]
	i.At = s.frame(i)
	ctx, cancel := context.WithCancel(base)
	s.cancel, s.now = cancel, i
	if i.by.Guest {
		ctx = console.ForGuest(ctx)
	}
	return i, ctx, true
}

// cancelCommand ends the line under way and drops those after it.
func (s *shell) cancelCommand() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = nil
	if s.cancel != nil {
		s.cancel()
	}
}

// writer is the author of the line under way.
func (s *shell) writer() Author {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.by
}

// dismiss drops the lines of one participant.
func (s *shell) dismiss(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = slices.DeleteFunc(s.queue, func(l authored) bool { return l.by.Name == name })
	if s.cancel != nil && s.now.by.Name == name {
		s.cancel()
	}
}

func (s *shell) carryOut(ctx context.Context, i authored) {
	s.setLive(func(l *Live) { l.Command = &Command{Line: i.Input, Since: s.opts.Now()} })
	answer, quiet := s.Exec(ctx, i.At, i.Input)
	s.selects(i.by.Name, answer.Select)
	s.post(func() {
		s.setLive(func(l *Live) { l.Command = nil })
		if quiet {
			return
		}
		s.keep(answer.Whole)
		s.as(i.by, func() { s.append(s.by(), &answer) })
		s.recorded(i.by.Name, answer.Select)
	})
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
			s.command(Evaluate{At: at, Input: line})
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
	target, err := s.inspection.target()
	if err != nil {
		return
	}
	s.job(func() {
		for i, d := range list {
			list[i] = console.Evaluate(s.ctx, target, at, d)
		}
		s.post(func() {
			if same(list, s.State().Displays) {
				s.append(actorEngine, &session.Displayed{List: list})
			}
		})
	})
}

// same reports whether two lists display the same expressions.
func same(a, b []session.Display) bool {
	return slices.EqualFunc(a, b, func(a, b session.Display) bool { return a.ID == b.ID && a.Expr == b.Expr && a.Verb == b.Verb })
}
