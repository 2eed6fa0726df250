package mcp

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

type (
	continueIn struct {
		To      string `json:"to,omitempty" jsonschema:"run to a location instead of the next stop: file.go:12, or a function"`
		Seconds int    `json:"seconds,omitempty" jsonschema:"how long to wait for a stop; at most 600, 50 when left out"`
	}
	stepIn struct {
		How   string `json:"how,omitempty" jsonschema:"over (when left out), into, out, or instruction"`
		Count int    `json:"count,omitempty" jsonschema:"at most 100; 1 when left out"`
	}
	restartIn struct {
		Args    []string `json:"args,omitempty" jsonschema:"new arguments of the program; those of a test begin with -test., as -test.run"`
		Seconds int      `json:"seconds,omitempty" jsonschema:"how long to wait for a stop; at most 600, 50 when left out"`
	}
	breakpointIn struct {
		Location  string `json:"location,omitempty" jsonschema:"where to stop: file.go:12, main.main, (*T).Method"`
		Watch     string `json:"watch,omitempty" jsonschema:"instead of a location: a variable at whose next writes to stop"`
		Condition string `json:"condition,omitempty" jsonschema:"a Go expression without calls; stops only where it is true"`
		Hits      string `json:"hits,omitempty" jsonschema:"stops only at these hits, as in > 3, == 5 or % 10"`
		Change    int    `json:"change,omitempty" jsonschema:"the number of a breakpoint to give another condition or other hits instead"`
		Remove    int    `json:"remove,omitempty" jsonschema:"the number of a breakpoint to remove instead"`
	}
	breakpointOut struct {
		Number    int    `json:"number"`
		Place     string `json:"place"`
		Condition string `json:"condition,omitempty"`
		Hits      string `json:"hits,omitempty"`
	}
	breakpointsOut struct {
		Breakpoints []breakpointOut `json:"breakpoints" jsonschema:"all that there are now"`
	}
	setIn struct {
		Name  string `json:"name" jsonschema:"a variable, field or element, as in x.n or list[2]"`
		Value string `json:"value" jsonschema:"a number, a text in quotes, true, false or nil"`
		Frame *int   `json:"frame,omitempty" jsonschema:"a frame's number as stack gives it; the frame that stopped when left out"`
	}
	disassembleIn struct {
		Location string `json:"location,omitempty" jsonschema:"a function, or file.go:12; where the program is held when left out"`
	}
	disassembleOut struct {
		Code string `json:"code"`
	}
)

// addRun adds the tools that run the program.
func (f *front) addRun() {
	add(f, "continue", "Lets the program run on to its next stop, or to a location. Answers when it stops.", changes(false), (*server).goOn)
	add(f, "step", "Steps: over calls, into them, out of the function, or one instruction. Answers where it stops.", changes(false), (*server).step)
	add(f, "pause", "Halts the running program.", changes(true), (*server).pause)
	add(f, "restart", "Starts the program again from its beginning, built again if sources changed. Answers when it stops.", changes(false), (*server).restart)
	add(f, "breakpoint", "Sets a breakpoint or a watchpoint, or removes one; lists all.", changes(true), (*server).breakpoint)
	add(f, "set_variable", "Changes a variable of the paused program.", changes(true), (*server).set)
	add(f, "disassemble", "The instructions of a function.", looks(), (*server).disassemble)
}

// drives refuses what runs the program to who does not drive, and asks for the wheel.
func (s *server) drives() error {
	if s.seat.RoleNow().Drives() {
		return nil
	}
	if err := s.seat.WantWheel(); err != nil {
		return err
	}
	return s.seat.RoleNow().Check(intent.Run{})
}

// move has the program run, and waits for its next stop for so many seconds.
func (s *server) move(ctx context.Context, r *mcp.CallToolRequest, i intent.Intent, seconds int) error {
	if err := s.drives(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience(seconds))
	defer cancel()
	defer progress(ctx, r, func() string { return string(s.seat.State().Phase) })()
	before := s.seat.State().Seq
	if err := s.seat.Try(i); err != nil {
		return err
	}
	err := s.follow(ctx, before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.Stopped, *session.BuildFailed, *session.LaunchFailed, *session.Ended:
			return true, nil
		case *session.Notice:
			if b.To == s.seat.Name && b.Level == "error" {
				return true, s.refusal(b)
			}
		}
		return false, nil
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil // the answer says that it runs
	}
	return err
}

// patience is how long a call waits.
func patience(seconds int) time.Duration {
	if seconds <= 0 {
		return usualWait
	}
	return min(time.Duration(seconds)*time.Second, longestWait)
}

// moved is move, with where that has led to.
func (s *server) moved(ctx context.Context, r *mcp.CallToolRequest, i intent.Intent, seconds int) (*mcp.CallToolResult, contextOut, error) {
	if err := s.move(ctx, r, i, seconds); err != nil {
		return nil, contextOut{}, err
	}
	return nil, s.contextNow(ctx), ctx.Err()
}

func (s *server) goOn(ctx context.Context, r *mcp.CallToolRequest, in continueIn) (*mcp.CallToolResult, contextOut, error) {
	run := intent.Run{Motion: debugger.Continue}
	if in.To != "" {
		run = intent.Run{Motion: debugger.ContinueTo, Location: in.To}
	}
	return s.moved(ctx, r, run, in.Seconds)
}

func (s *server) step(ctx context.Context, r *mcp.CallToolRequest, in stepIn) (*mcp.CallToolResult, contextOut, error) {
	motion, known := map[string]debugger.Motion{"": debugger.Next, "over": debugger.Next, "into": debugger.StepIn, "out": debugger.StepOut, "instruction": debugger.StepInstruction}[in.How]
	if !known {
		return nil, contextOut{}, fmt.Errorf("how is %q: want over, into, out or instruction", in.How)
	}
	for range min(max(in.Count, 1), 100) {
		run := intent.Run{Motion: motion}
		stop, held := s.seat.State().CurrentStop()
		if held && (motion == debugger.StepOut || stop.Stop.Reason == debugger.ReasonTest) { // the test's own code steps, not what reports its failure
			run.Frame = s.frame(nil).Frame
		}
		if err := s.move(ctx, r, run, 0); err != nil {
			return nil, contextOut{}, err
		}
		if stop, held := s.seat.State().CurrentStop(); !held || stop.Stop.Reason != debugger.ReasonStep {
			break
		}
	}
	return nil, s.contextNow(ctx), ctx.Err()
}

func (s *server) pause(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, contextOut, error) {
	if s.seat.State().Phase != session.PhaseRunning {
		return nil, s.contextNow(ctx), s.drives()
	}
	return s.moved(ctx, r, intent.Halt{}, 0)
}

func (s *server) restart(ctx context.Context, r *mcp.CallToolRequest, in restartIn) (*mcp.CallToolResult, contextOut, error) {
	if err := writesNothing(in.Args, s.seat.State().Started.Test); err != nil {
		return nil, contextOut{}, err
	}
	return s.moved(ctx, r, intent.Restart{SetArgs: in.Args != nil, Args: in.Args}, in.Seconds)
}

// writers are the flags of every test binary that name a file or directory to write to, or
// have it keep inputs in one.
var writers = []string{"artifacts", "blockprofile", "coverprofile", "cpuprofile", "fuzz", "fuzzcachedir", "gocoverdir", "memprofile", "mutexprofile", "outputdir", "testlogfile", "trace"}

// writesNothing refuses arguments that have any test write files, wherever the agent wants.
// A binary may be one of tests, too: it knows them by their whole names.
func writesNothing(args []string, test bool) error {
	for _, a := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		name, whole := strings.CutPrefix(name, "test.")
		if strings.HasPrefix(a, "-") && (test || whole) && slices.Contains(writers, name) {
			return fmt.Errorf("%s writes files: only a person starts tests with it", a)
		}
	}
	return nil
}

func (s *server) breakpoint(ctx context.Context, r *mcp.CallToolRequest, in breakpointIn) (*mcp.CallToolResult, breakpointsOut, error) {
	i, err := s.breakpointIntent(in)
	if i == nil || err != nil {
		return nil, s.breakpoints(), err
	}
	if err := s.drives(); err != nil {
		return nil, breakpointsOut{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, usualWait)
	defer cancel()
	before := s.seat.State().Seq
	if err := s.seat.Try(i); err != nil {
		return nil, breakpointsOut{}, err
	}
	err = s.follow(ctx, before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.BreakpointSet, *session.BreakpointCleared:
			return e.Actor == s.seat.Name, nil
		case *session.Notice:
			if b.To == s.seat.Name && b.Level == "error" {
				return true, s.refusal(b)
			}
		}
		return false, nil
	})
	return nil, s.breakpoints(), err
}

// breakpointIntent is what is to be done about breakpoints; nil for nothing.
func (s *server) breakpointIntent(in breakpointIn) (intent.Intent, error) {
	for _, expr := range []string{in.Condition, in.Watch} {
		if expr == "" {
			continue
		}
		if err := s.seat.Unseen(expr); err != nil {
			return nil, err
		}
	}
	switch {
	case in.Remove != 0:
		return intent.ClearBreakpoint{ID: in.Remove}, nil
	case in.Change != 0:
		for _, b := range s.seat.State().Breakpoints {
			if b.ID == in.Change {
				b.Cond, b.HitCond = in.Condition, in.Hits
				return intent.AmendBreakpoint{Breakpoint: b}, nil
			}
		}
		return nil, fmt.Errorf("there is no breakpoint %d", in.Change)
	case in.Watch != "":
		return intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Watch: in.Watch, WatchKind: debugger.WatchWrite, HitCond: in.Hits, Cond: in.Condition, At: s.frame(nil), Session: true}}, nil
	case in.Location != "":
		return intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: in.Location, Cond: in.Condition, HitCond: in.Hits, At: s.frame(nil), Session: true}}, nil
	}
	return nil, nil
}

// breakpoints are all there are.
func (s *server) breakpoints() breakpointsOut {
	st := s.seat.State()
	out := breakpointsOut{Breakpoints: []breakpointOut{}}
	for _, b := range st.Breakpoints {
		place := b.Location
		switch {
		case b.Watch != "":
			place = "writes of " + b.Watch
		case b.File != "":
			place = st.Started.Workspace.Rel(b.File) + ":" + strconv.Itoa(b.Line)
		}
		out.Breakpoints = append(out.Breakpoints, breakpointOut{b.ID, s.text(place), s.text(b.Cond), b.HitCond})
	}
	return out
}

// frame is the frame that the stop is about, or the one of a number.
func (s *server) frame(number *int) (at debugger.FrameRef) {
	stop, held := s.seat.State().CurrentStop()
	if !held {
		return at
	}
	at.Goroutine = stop.Stop.Goroutine
	if f, ok := stop.Stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	if number != nil && *number >= 0 {
		at.Frame = *number
	}
	return at
}

func (s *server) set(ctx context.Context, _ *mcp.CallToolRequest, in setIn) (*mcp.CallToolResult, doneOut, error) {
	if err := s.drives(); err != nil {
		return nil, doneOut{}, err
	}
	if err := s.seat.Unseen(in.Name); err != nil {
		return nil, doneOut{}, err
	}
	if !literal(in.Value) {
		return nil, doneOut{}, fmt.Errorf("the value is %q: want a number, a text in quotes, true, false or nil", in.Value)
	}
	if _, err := s.line(ctx, s.frame(in.Frame), "set "+in.Name+" = "+in.Value); err != nil {
		return nil, doneOut{}, err
	}
	return nil, doneOut{in.Name + " is " + in.Value + " now"}, nil
}

// literal reports whether a text is one value of Go that is written out: another one
// could be a part of a secret.
func literal(text string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false" || e.Name == "nil"
	}
	return false
}

// maxCode bounds what disassemble answers, in bytes.
const maxCode = 24 << 10

func (s *server) disassemble(ctx context.Context, _ *mcp.CallToolRequest, in disassembleIn) (*mcp.CallToolResult, disassembleOut, error) {
	if err := s.drives(); err != nil {
		return nil, disassembleOut{}, err
	}
	line := "disassemble"
	if in.Location != "" {
		line += " -l " + in.Location
	}
	a, err := s.line(ctx, s.frame(nil), line)
	if err != nil {
		return nil, disassembleOut{}, err
	}
	return nil, disassembleOut{s.bounded(s.seat.ScreenedCode(a).Answer(), maxCode)}, nil
}

// line carries out a line of the command line and waits for its answer.
func (s *server) line(ctx context.Context, at debugger.FrameRef, input string) (answer session.Evaluated, err error) {
	ctx, cancel := context.WithTimeout(ctx, usualWait)
	defer cancel()
	before := s.seat.State().Seq
	if err := s.seat.Try(intent.Evaluate{At: at, Input: input}); err != nil {
		return answer, err
	}
	err = s.follow(ctx, before, func(e session.Event) (bool, error) {
		b, ok := e.Body.(*session.Evaluated)
		if !ok || e.Actor != s.seat.Name {
			return false, nil
		}
		answer = *b
		return true, nil
	})
	if err == nil && answer.Err != "" {
		err = errors.New(s.text(answer.Err))
	}
	return answer, err
}
