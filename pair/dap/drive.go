package dap

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// move carries out the requests that let the program run, or halt it.
func (s *server) move(m dap.RequestMessage) error {
	r := m.GetRequest()
	step := func(motion debugger.Motion, thread int) error {
		return s.seat.Try(intent.Run{Motion: motion, Goroutine: debugger.GoroutineID(thread)})
	}
	var err error
	var answer dap.Message
	switch m := m.(type) {
	case *dap.ContinueRequest:
		a := &dap.ContinueResponse{Response: response(r)}
		a.Body.AllThreadsContinued = true
		answer, err = a, step(debugger.Continue, 0)
	case *dap.NextRequest:
		answer, err = &dap.NextResponse{Response: response(r)}, step(byGranularity(debugger.Next, m.Arguments.Granularity), m.Arguments.ThreadId)
	case *dap.StepInRequest:
		answer, err = &dap.StepInResponse{Response: response(r)}, s.stepIn(m.Arguments)
	case *dap.StepOutRequest:
		answer, err = &dap.StepOutResponse{Response: response(r)}, step(debugger.StepOut, m.Arguments.ThreadId)
	case *dap.StepBackRequest:
		answer, err = &dap.StepBackResponse{Response: response(r)}, step(byGranularity(debugger.ReverseNext, m.Arguments.Granularity), m.Arguments.ThreadId)
	case *dap.ReverseContinueRequest:
		answer, err = &dap.ReverseContinueResponse{Response: response(r)}, step(debugger.Rewind, 0)
	case *dap.PauseRequest:
		answer, err = &dap.PauseResponse{Response: response(r)}, s.seat.Try(intent.Halt{})
	case *dap.RestartRequest:
		answer, err = &dap.RestartResponse{Response: response(r)}, s.seat.Try(intent.Restart{})
	default:
		return errNotSupported
	}
	if err != nil {
		return err
	}
	s.send(answer)
	return nil
}

// byInstruction are the motions over instructions.
var byInstruction = map[debugger.Motion]debugger.Motion{debugger.Next: debugger.NextInstruction, debugger.StepIn: debugger.StepInstruction,
	debugger.ReverseNext: debugger.ReverseNextInstruction}

func byGranularity(m debugger.Motion, g dap.SteppingGranularity) debugger.Motion {
	if g == "instruction" {
		return byInstruction[m]
	}
	return m
}

// stepIn steps into the next call, or into one of those that were offered.
func (s *server) stepIn(a dap.StepInArguments) error {
	run := intent.Run{Motion: byGranularity(debugger.StepIn, a.Granularity), Goroutine: debugger.GoroutineID(a.ThreadId)}
	if a.TargetId != 0 {
		pc, err := s.refs.callOf(a.TargetId)
		if err != nil {
			return err
		}
		run.Motion, run.Callee = debugger.StepCall, pc
	}
	return s.seat.Try(run)
}

// exprOf is the expression of a variable of a container.
func (s looking) exprOf(c container, name string) (string, error) {
	if c.frame {
		return name, nil
	}
	list, err := s.children(c, debugger.Page{})
	for _, v := range list {
		if v.Name == name {
			return v.Expr, err
		}
	}
	return "", err
}

func (s *server) setVariable(m *dap.SetVariableRequest) error {
	c, err := s.refs.valueOf(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	expr, err := (looking{s}).exprOf(c, m.Arguments.Name)
	if err != nil {
		return err
	}
	if expr == "" {
		return fmt.Errorf("%q cannot be set", m.Arguments.Name)
	}
	v, err := s.assign(c.at, expr, m.Arguments.Value)
	if err != nil {
		return err
	}
	a := &dap.SetVariableResponse{Response: response(m.GetRequest())}
	a.Body.Value, a.Body.Type = words(v), session.Clean(v.Type)
	s.send(a)
	return nil
}

func (s *server) setExpression(m *dap.SetExpressionRequest) error {
	at, err := s.frameFor(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	v, err := s.assign(at, m.Arguments.Expression, m.Arguments.Value)
	if err != nil {
		return err
	}
	one := looking{s}.variable(at, v)
	a := &dap.SetExpressionResponse{Response: response(m.GetRequest())}
	a.Body.Value, a.Body.Type, a.Body.VariablesReference = one.Value, one.Type, one.VariablesReference
	s.send(a)
	return nil
}

// assign sets an expression, and returns its new value.
func (s *server) assign(at debugger.FrameRef, expr, value string) (v debugger.Variable, err error) {
	if strings.ContainsAny(expr+value, "\n\r") {
		return v, fmt.Errorf("%q cannot be set", expr)
	}
	if _, err := s.quietly(at, "set "+expr+" = "+value); err != nil {
		return v, err
	}
	return s.seat.Inspector().Evaluate(s.ctx, at, expr)
}
