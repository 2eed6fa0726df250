package console

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// ErrUsage is returned by a command that was given the wrong arguments.
var ErrUsage = errors.New("wrong arguments")

// Host is what commands act on. Its methods may be called from any goroutine.
type Host interface {
	// State is the session's state now.
	State() session.State
	// Target is the held target, or why there is none.
	Target() (Target, error)
	// Rel writes the path of a file as people want to read it.
	Rel(file string) string
	// Location completes the file of a location as a person types it.
	Location(text string) string

	// Move lets the target run; with wait it returns its next stop, else at once.
	Move(ctx context.Context, m debugger.Move, wait bool) (debugger.Stop, error)
	Restart(ctx context.Context, how Restart) error
	Jump(ctx context.Context, at debugger.FrameRef, location string) error

	SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error)
	AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error)
	ClearBreakpoint(ctx context.Context, id int) error
	// TakeBreakpoints puts into the list what a script, or another client of the same
	// server, has done with breakpoints. It returns the debugger's numbers, by the list's.
	TakeBreakpoints(ctx context.Context) (map[int]int, error)
	// Hits counts how often each breakpoint was reached, by its number.
	Hits(ctx context.Context) map[int]uint64

	// SubstitutePaths says where directories of the target's source are on this
	// machine: pairs of theirs and ours.
	SubstitutePaths(rules [][2]string)

	// Display replaces the expressions that are shown at every stop.
	Display(list []session.Display)
	// Script runs a Starlark script, whose commands and output go to run.
	Script(ctx context.Context, path string, run debugger.ScriptHost) error
	// Look runs a script over the read-only functions that models have, and returns
	// what it printed.
	Look(ctx context.Context, code string) (string, error)
	Ask(at debugger.FrameRef, question string)
	// Why runs the program once more, and returns the history of a value in a frame; of the
	// one that made it panic where the expression is empty.
	Why(ctx context.Context, at debugger.FrameRef, expr string) (evidence.History, error)
	// Back shows an earlier moment of the program in a run of its own: that of a row of the
	// last history, counted from 1, or of a checkpoint (c1); or where a motion backward leads;
	// or without these, before the statement that failed.
	Back(ctx context.Context, motion debugger.Motion, where string) error
	// LeadsBack reports whether a motion backward needs such a run: the program was not recorded.
	LeadsBack(m debugger.Motion) bool
	Note(text string)
	// Snapshot keeps the target as it is in a file; a notice says which.
	Snapshot(ctx context.Context) error
	// Quit ends the session; kill also ends a program that was not started here.
	Quit(kill bool)
	// Progress says how far a long command has come.
	Progress(words string)
}

// Restart says how to start the target again.
type Restart struct {
	NoBuild     bool
	NoInput     bool     // what was typed before is not typed again
	From        string   // a checkpoint of a recorded target
	Args        []string // of the target, where SetArgs
	SetArgs     bool
	Unoptimized []string // package patterns to be compiled without optimization from now on
}

// Shell carries out lines, one at a time. The zero value is not usable.
type Shell struct {
	host Host
	// Added is called when the commands or settings have changed; may be nil.
	Added func(Table)

	mu       sync.Mutex
	table    Table
	made     []Command // by scripts
	settings Settings
	script   *transcript
	nested   int
}

// NewShell returns a shell.
func NewShell(host Host, settings Settings) *Shell {
	s := &Shell{host: host, settings: settings.withDefaults()}
	s.table = NewTable().Alias(s.settings.Aliases)
	return s
}

// Table returns the commands as they are now.
func (s *Shell) Table() Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table
}

// Call is one command being carried out.
type Call struct {
	context.Context
	*Shell
	Command Command
	At      debugger.FrameRef
	Args    string
	Out     *Output
	Back    bool // after "rev"
	Waits   bool // the answer is needed before the next line: scripts, counts
}

// Exec carries out a line of the command line and returns its answer; quiet is
// one that other events give.
func (s *Shell) Exec(ctx context.Context, at debugger.FrameRef, line string) (answer session.Evaluated, quiet bool) {
	line = strings.TrimSpace(line)
	out := &Output{At: at, answer: session.Evaluated{Input: line, At: at}}
	err := s.run(&Call{Context: ctx, Shell: s, At: at, Out: out}, line)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("canceled")
	}
	return s.transcribe(out.finish(err)), out.quiet(err)
}

// run carries out a line within a call, whose frame it takes.
func (s *Shell) run(c *Call, line string) error {
	command, args, ok := s.Table().Split(line)
	if !ok {
		return dataCall{c}.evaluate(line)
	}
	sub := *c
	sub.Command, sub.Args = command, args
	err := c.guestMay(command, args)
	if err == nil {
		err = command.Run(&sub)
	}
	if errors.Is(err, ErrUsage) {
		c.Out.answer.Usage = command.Usages()
	}
	if err != nil && !strings.HasPrefix(err.Error(), command.Name+" ") { // "watch x: …" names it
		return fmt.Errorf("%s: %w", command.Name, err)
	}
	return err
}

// in carries a line out in another frame, with its answer in this one's.
func (c *Call) in(at debugger.FrameRef, line string) error {
	sub := *c
	sub.At = at
	return c.run(&sub, line)
}

// target is the held target.
func (c *Call) target() (Target, error) {
	t, err := c.host.Target()
	if errors.Is(err, debugger.ErrGone) {
		return nil, advice.Add(err, "r starts it again")
	}
	return t, err
}

// quick is how long a step is waited for, so that what is typed next finds it
// done; a longer one goes on by itself.
const quick = 2 * time.Second

// move lets the target run and, where that is wanted, waits for the stop.
func (c *Call) move(m debugger.Move) error {
	if c.host.LeadsBack(m.Motion) {
		return c.goBack(m.Motion, "")
	}
	if m.Motion == debugger.Continue || m.Motion == debugger.ContinueTo || m.Motion == debugger.Rewind {
		if !c.Waits {
			c.Out.moved = true
			_, err := c.host.Move(c, c.onGoroutine(m), false)
			return err
		}
	}
	_, _, err := c.moved(m)
	return err
}

// goBack leads into the past, or in it to a checkpoint.
func (c *Call) goBack(to debugger.Motion, where string) error {
	c.Out.moved = true
	s := c.host.State()
	stop, held := s.CurrentStop()
	other := held && s.Started.Mode.Kind != session.ModePast && where == "" && c.At.Goroutine != 0 && c.At.Goroutine != stop.Stop.Goroutine
	err := c.host.Back(c, to, where)
	if err == nil && other {
		c.Out.Say("this is the past of goroutine %d, which stopped; goroutine %d cannot be found in another run", stop.Stop.Goroutine, c.At.Goroutine)
	}
	c.Out.left = err == nil && c.host.State().Started.Mode.Kind != session.ModePast
	return err
}

// moved is move, and returns where the target is held; false where it still runs.
func (c *Call) moved(m debugger.Move) (stop debugger.Stop, held bool, err error) {
	c.Out.moved = true
	ctx := context.Context(c)
	if !c.Waits {
		var cancel func()
		ctx, cancel = context.WithTimeout(c, quick)
		defer cancel()
	}
	stop, err = c.host.Move(ctx, c.onGoroutine(m), true)
	if errors.Is(err, context.DeadlineExceeded) && c.Err() == nil {
		return stop, false, nil
	}
	if err == nil {
		c.landed(stop)
	}
	return stop, err == nil, err
}

// onGoroutine has a move be one of the goroutine that is looked at.
func (c *Call) onGoroutine(m debugger.Move) debugger.Move {
	if stop, ok := c.host.State().CurrentStop(); m.Goroutine == 0 && ok && c.At.Goroutine != stop.Stop.Goroutine {
		m.Goroutine = c.At.Goroutine
	}
	return m
}

// landed makes the frame of a stop that of the lines that follow.
func (c *Call) landed(stop debugger.Stop) {
	at := debugger.FrameRef{Goroutine: stop.Goroutine}
	if f, ok := stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	c.At, c.Out.At = at, at
}

// as makes a command's Run of a method of its family: a type that adds the
// methods of some commands to those that all calls have.
func as[F ~struct{ *Call }](run func(F) error) func(*Call) error {
	return func(c *Call) error { return run(F{c}) }
}
