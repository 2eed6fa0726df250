package dap

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// diagnosed waits a moment for what is being found out about a stop.
func (s *server) diagnosed(stop session.StopRecord) session.StopRecord {
	late := time.After(5 * time.Second)
	for {
		s.mu.Lock()
		heard := s.heard
		now, held := s.state.CurrentStop()
		s.mu.Unlock()
		switch {
		case !held:
			return stop
		case now.Diagnosis != nil:
			return now
		}
		select {
		case <-heard:
		case <-late:
			return stop
		case <-s.ctx.Done():
			return stop
		}
	}
}

func (s *server) exceptionInfo(m *dap.ExceptionInfoRequest) error {
	stop, err := s.held()
	if err != nil {
		return err
	}
	p := stop.Stop.Panic
	if p == nil {
		return fmt.Errorf("goroutine %d did not panic", m.Arguments.ThreadId)
	}
	if stop.Diagnosis == nil {
		stop = s.diagnosed(stop)
	}
	a := &dap.ExceptionInfoResponse{Response: response(m.GetRequest())}
	a.Body.ExceptionId, a.Body.Description, a.Body.BreakMode = string(p.Class), session.Clean(p.Message), "unhandled"
	if p.Recovered {
		a.Body.BreakMode = "always"
	}
	if stop.Diagnosis != nil {
		a.Body.Description += "\n" + session.Clean(stop.Diagnosis.Words())
	}
	a.Body.Details = &dap.ExceptionDetails{Message: session.Clean(p.Message), TypeName: string(p.Class), StackTrace: stackText(stop.Stop.Frames)}
	s.send(a)
	return nil
}

// stackText writes a stack as the runtime prints it.
func stackText(frames []debugger.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", session.Clean(f.Function), session.Clean(f.File), f.Line)
	}
	return b.String()
}
