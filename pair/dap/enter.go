package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// enter gives the editor its seat: the host of a session lets it in, or a session
// of its own begins. The answer is sent once the program is built.
func (s *server) enter(request string, arguments json.RawMessage, answer dap.Message) error {
	if s.seat != nil {
		return errors.New("it takes part in a session already")
	}
	config, err := configOf(request, arguments)
	if err != nil {
		return err
	}
	seat, err := s.join(s.ctx, Client{Name: s.client.ClientID}, config)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.seat, s.config = seat, config
	s.mu.Unlock()
	s.work.Go(func() {
		defer s.part() // it is over
		s.follow()
		if s.opts.Own { // it has heard so, and disconnects
			select {
			case <-s.ctx.Done():
			case <-time.After(leavePatience):
			}
		}
	})
	if err := s.caughtUp(seat.State().Seq); err != nil {
		return err
	}
	if err := s.ready(); err != nil {
		return err
	}
	s.mu.Lock()
	s.converse()
	s.mu.Unlock()
	s.send(answer)
	s.send(&dap.InitializedEvent{Event: event("initialized")})
	return nil
}

// leavePatience is how long an editor may take to leave after its session has ended.
const leavePatience = 5 * time.Second

// ready waits until the program of an editor's own session is built, or found.
func (s *server) ready() error {
	if !s.opts.Own {
		return nil
	}
	built := s.now().Started.Mode.Builds()
	found := !s.now().Started.Mode.Starts()
	return s.until(0, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.BuildFinished:
			return built, nil
		case *session.BuildFailed:
			return true, advice.Add(errors.New(buildWords(b)), b.Hint)
		case *session.LaunchFailed:
			return true, advice.Add(errors.New(b.Message), b.Hint)
		case *session.Stopped:
			return found, nil
		}
		return !built && !found, nil
	})
}

// buildWords says why a build failed, with what the compiler says.
func buildWords(b *session.BuildFailed) string {
	var w strings.Builder
	w.WriteString(session.Clean(b.Message))
	for i, d := range b.Diagnostics {
		if i == 10 {
			fmt.Fprintf(&w, "\nand %d more", len(b.Diagnostics)-i)
			break
		}
		fmt.Fprintf(&w, "\n%s:%d:%d: %s", session.Clean(d.File), d.Line, d.Column, session.Clean(d.Message))
	}
	return w.String()
}

// launchFailed tells the editor that the program could not be started.
func (s *server) launchFailed(b *session.LaunchFailed) {
	s.print("stderr", session.Clean(b.Message)+"\n")
	if b.Hint != "" {
		s.print("console", session.Clean(b.Hint)+"\n")
	}
	if s.opts.Own {
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
	}
}

// process tells the editor which process is debugged.
func (s *server) process(pid int) {
	st := s.now()
	m := &dap.ProcessEvent{Event: event("process")}
	name := st.Started.Target()
	if name == "." {
		name = filepath.Base(st.Started.Dir)
	}
	m.Body.Name, m.Body.SystemProcessId, m.Body.IsLocalProcess = session.Clean(name), pid, true
	m.Body.StartMethod = Launch
	if !st.Started.Mode.Starts() {
		m.Body.StartMethod = Attach
	}
	s.send(m)
}

// letGo lets the program of the editor's own session run, which has waited for the
// editor's breakpoints.
func (s *server) letGo() {
	if s.opts.Begin != nil {
		s.opts.Begin()
	}
	stop, held := s.now().CurrentStop()
	if held && stop.Stop.Reason == debugger.ReasonFound && !s.config.StopOnEntry && s.now().Can.Run {
		_ = s.seat.Try(intent.Run{Motion: debugger.Continue}) // the editor hears a refusal as a notice
	}
}

// leave ends the editor's own session.
func (s *server) leave(a *dap.DisconnectArguments) {
	if s.seat == nil || !s.opts.Own {
		return
	}
	s.seat.Do(intent.Quit{Kill: a != nil && a.TerminateDebuggee})
}

// terminate ends the program of the editor's own session, and with it the session.
func (s *server) terminate(m *dap.TerminateRequest) error {
	if !s.opts.Own {
		return advice.Add(errors.New("the session is not the editor's"), "disconnect leaves it as it is")
	}
	s.send(&dap.TerminateResponse{Response: response(m.GetRequest())})
	s.seat.Do(intent.Quit{Kill: true})
	return nil
}
