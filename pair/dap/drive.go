package dap

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
)

// move carries out the requests that let the program run, or halt it.
func (s *server) move(m dap.RequestMessage) error {
	r := m.GetRequest()
	step := func(motion debugger.Motion, thread int) error {
		return s.seat.Try(engine.Run{Motion: motion, Goroutine: debugger.GoroutineID(thread)})
	}
	var err error
	var answer dap.Message
	switch m := m.(type) {
	case *dap.ContinueRequest:
		a := &dap.ContinueResponse{Response: response(r)}
		a.Body.AllThreadsContinued = true
		answer, err = a, step(debugger.Continue, 0)
	case *dap.NextRequest:
		answer, err = &dap.NextResponse{Response: response(r)}, step(debugger.Next, m.Arguments.ThreadId)
	case *dap.StepInRequest:
		answer, err = &dap.StepInResponse{Response: response(r)}, step(debugger.StepIn, m.Arguments.ThreadId)
	case *dap.StepOutRequest:
		answer, err = &dap.StepOutResponse{Response: response(r)}, step(debugger.StepOut, m.Arguments.ThreadId)
	case *dap.PauseRequest:
		answer, err = &dap.PauseResponse{Response: response(r)}, s.seat.Try(engine.Halt{})
	default:
		return errors.New("not supported")
	}
	if err != nil {
		return err
	}
	s.send(answer)
	return nil
}

// setBreakpoints makes the breakpoints of a file those that the editor shows.
func (s *server) setBreakpoints(m *dap.SetBreakpointsRequest) {
	file := m.Arguments.Source.Path
	have := map[int]debugger.Breakpoint{}
	for _, b := range s.now().Breakpoints {
		if b.File == file && b.Watch == "" {
			have[b.Line] = b
		}
	}
	a := &dap.SetBreakpointsResponse{Response: response(m.GetRequest())}
	a.Body.Breakpoints = []dap.Breakpoint{}
	for _, want := range m.Arguments.Breakpoints {
		old, known := have[want.Line]
		delete(have, want.Line)
		b, err := s.setBreakpoint(old, known, file, want)
		one := shown(b)
		if err != nil {
			one = dap.Breakpoint{Line: want.Line, Message: session.Clean(err.Error())}
		}
		a.Body.Breakpoints = append(a.Body.Breakpoints, one)
	}
	for _, b := range have {
		_ = s.seat.Try(engine.ClearBreakpoint{ID: b.ID}) // who may not keeps seeing it
	}
	s.send(a)
}

// setBreakpoint sets or changes one, and waits for what became of it.
func (s *server) setBreakpoint(old debugger.Breakpoint, known bool, file string, want dap.SourceBreakpoint) (debugger.Breakpoint, error) {
	b := old
	b.File, b.Line, b.Cond, b.HitCond = file, want.Line, want.Condition, want.HitCondition
	switch {
	case want.LogMessage != "":
		b.Trace, b.Print = true, logged(want.LogMessage)
	case s.messageOf(old.ID) != "": // else it is another participant's, and stays what it is
		b.Trace, b.Print = false, nil
	}
	same := b.Cond == old.Cond && b.HitCond == old.HitCond && b.Trace == old.Trace && slices.Equal(b.Print, old.Print)
	if known && same {
		s.keepMessage(old.ID, want.LogMessage)
		return old, nil
	}
	before := s.now().Seq
	var i engine.Intent = engine.SetBreakpoint{Breakpoint: b}
	if known {
		i = engine.AmendBreakpoint{Breakpoint: b}
	}
	if err := s.seat.Try(i); err != nil {
		return b, err
	}
	err := s.until(before, func(e session.Event) (bool, error) {
		set, ok := e.Body.(*session.BreakpointSet)
		if ok && e.Actor == s.seat.Name {
			b = set.Breakpoint
			s.keepMessage(b.ID, want.LogMessage)
		}
		return ok && e.Actor == s.seat.Name, nil
	})
	return b, err
}

// shown is a breakpoint as the editor knows it.
func shown(b debugger.Breakpoint) dap.Breakpoint {
	one := dap.Breakpoint{Id: b.ID, Verified: b.Enabled(), Line: b.Line, Message: session.Clean(b.Why)}
	if b.File != "" {
		one.Source = &dap.Source{Path: b.File}
	}
	return one
}

// evaluate reads an expression for hovers and watches; in the console it is a
// line of the command line, which only a driver gives.
func (s *server) evaluate(m *dap.EvaluateRequest) error {
	stop, err := s.held()
	if err != nil {
		return err
	}
	at := debugger.FrameRef{Goroutine: stop.Stop.Goroutine}
	if f, ok := stop.Stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	if m.Arguments.FrameId != 0 {
		if at, err = s.refs.frameOf(m.Arguments.FrameId); err != nil {
			return err
		}
	}
	a := &dap.EvaluateResponse{Response: response(m.GetRequest())}
	if m.Arguments.Context == "repl" {
		answer, err := s.line(at, m.Arguments.Expression)
		if err != nil {
			return err
		}
		a.Body.Result = strings.TrimRight(answer.Answer(), "\n")
		s.send(a)
		return nil
	}
	v, err := s.seat.Inspector().Evaluate(s.ctx, at, m.Arguments.Expression)
	if err != nil {
		return err
	}
	one := s.variable(at, v)
	a.Body.Result, a.Body.Type, a.Body.VariablesReference, a.Body.IndexedVariables = one.Value, one.Type, one.VariablesReference, one.IndexedVariables
	s.send(a)
	return nil
}

// line carries out a line of the command line and waits for its answer.
func (s *server) line(at debugger.FrameRef, input string) (answer session.Evaluated, err error) {
	before := s.now().Seq
	if err := s.seat.Try(engine.Evaluate{At: at, Input: input}); err != nil {
		return answer, err
	}
	err = s.until(before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.Evaluated:
			if e.Actor == s.seat.Name {
				answer = *b
				return true, nil
			}
		case *session.Resumed, *session.BuildStarted, *session.Launched: // a command that moves the program has no other answer
			return true, nil
		}
		return false, nil
	})
	if err == nil && answer.Err != "" {
		err = errors.New(answer.Err)
	}
	return answer, err
}

func (s *server) setVariable(m *dap.SetVariableRequest) error {
	c, err := s.refs.valueOf(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	expr := m.Arguments.Name
	if !c.frame {
		list, err := s.children(c, debugger.Page{})
		if err != nil {
			return err
		}
		expr = ""
		for _, v := range list {
			if v.Name == m.Arguments.Name {
				expr = v.Expr
			}
		}
	}
	if expr == "" || strings.ContainsAny(m.Arguments.Value, "\n\r") {
		return fmt.Errorf("%q cannot be set", m.Arguments.Name)
	}
	if _, err := s.line(c.at, "set "+expr+" = "+m.Arguments.Value); err != nil {
		return err
	}
	v, err := s.seat.Inspector().Evaluate(s.ctx, c.at, expr)
	if err != nil {
		return err
	}
	a := &dap.SetVariableResponse{Response: response(m.GetRequest())}
	a.Body.Value, a.Body.Type = words(v), session.Clean(v.Type)
	s.send(a)
	return nil
}
