package dap

import (
	"fmt"
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
	case *dap.RestartRequest:
		answer, err = &dap.RestartResponse{Response: response(r)}, s.seat.Try(engine.Restart{})
	default:
		return errNotSupported
	}
	if err != nil {
		return err
	}
	s.send(answer)
	return nil
}

func (s *server) setVariable(m *dap.SetVariableRequest) error {
	c, err := s.refs.valueOf(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	expr := m.Arguments.Name
	if !c.frame {
		list, err := looking{s}.children(c, debugger.Page{})
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
