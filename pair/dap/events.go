package dap

import (
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
)

// maxHeard is how many of the last events are kept for requests that wait.
const maxHeard = 500

// follow hands what happens to the editor, until its part or the session ends.
func (s *server) follow() {
	var seq, version uint64
	for {
		u, err := s.seat.Wait(s.ctx, seq, version)
		configured := s.hear(u.Events)
		if configured {
			s.output()
		}
		for _, e := range u.Events {
			seq = e.Seq
			if configured {
				s.report(e)
			}
		}
		if configured && u.Live.Past != nil {
			s.goBack(u.Live.Past)
		}
		if (points{s}).wishing() {
			s.work.Go(points{s}.fulfill)
		}
		if err != nil {
			if s.ctx.Err() == nil {
				s.send(&dap.TerminatedEvent{Event: event("terminated")})
			}
			return
		}
		version = u.Live.Version
	}
}

// hear applies events to the state, and reports whether the editor is configured to get them.
func (s *server) hear(events []session.Event) (configured bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range events {
		s.state = s.state.Apply(e)
		s.log = append(s.log, e)
		if s.configured { // before anybody acts on the event: what follows on it comes after
			s.reportBreakpoint(e)
		}
	}
	if extra := len(s.log) - maxHeard; extra > 0 {
		s.log = append([]session.Event(nil), s.log[extra:]...)
	}
	if len(events) > 0 {
		close(s.heard)
		s.heard = make(chan struct{})
	}
	return s.configured
}

// begin sends events from now on, and first which breakpoints there are and where
// the program is.
func (s *server) begin() {
	s.mu.Lock()
	s.configured = true
	points{s}.announce()
	stop, held := s.state.CurrentStop()
	s.mu.Unlock()
	if (points{s}).wishing() { // it got the wheel while it was attaching
		s.work.Go(points{s}.fulfill)
	}
	s.output()
	if held && !stop.Stop.Ended() && (stop.Stop.Reason != debugger.ReasonFound || s.config.StopOnEntry || !s.opts.Own || !s.now().Can.Run) {
		s.stopped(stop.Stop)
	}
}

// reportBreakpoint tells the editor of an event of a breakpoint; s.mu is held.
func (s *server) reportBreakpoint(e session.Event) {
	switch b := e.Body.(type) {
	case *session.BreakpointSet:
		points{s}.tell(b.Breakpoint, e.Actor)
	case *session.BreakpointCleared:
		points{s}.cleared(b.ID)
	}
}

// hushed reports whether an event belongs to a call that the editor waits for.
func (s *server) hushed(e session.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quiet.holds(e.Seq) {
		return false
	}
	switch b := e.Body.(type) {
	case *session.Resumed:
		return true
	case *session.Stopped:
		return b.Stop.Reason == debugger.ReasonCall || b.Stop.Fault != "" // it could not be called
	}
	return false
}

// report tells the editor of an event.
func (s *server) report(e session.Event) {
	if s.hushed(e) {
		return
	}
	switch b := e.Body.(type) {
	case *session.Stopped:
		s.refs.forget()
		if b.Stop.Exit != nil {
			m := &dap.ExitedEvent{Event: event("exited")}
			m.Body.ExitCode = b.Stop.Exit.Code
			s.send(m)
			if s.opts.Own { // a session in a terminal goes on
				s.send(&dap.TerminatedEvent{Event: event("terminated")})
			}
			return
		}
		s.offerBack(b.Stop)
		s.stopped(b.Stop)
	case *session.Jumped:
		s.refs.forget()
		s.stoppedFor("goto", b.Stop)
	case *session.Resumed:
		s.refs.forget()
		m := &dap.ContinuedEvent{Event: event("continued")}
		m.Body.AllThreadsContinued = true
		s.send(m)
	case *session.Launched:
		s.process(b.PID)
		if b.Can().Reverse {
			m := &dap.CapabilitiesEvent{Event: event("capabilities")}
			m.Body.Capabilities.SupportsStepBack = true
			s.send(m)
		}
	case *session.LaunchFailed:
		s.launchFailed(b)
	case *session.BuildFailed:
		s.print("stderr", buildWords(b)+"\n")
	case *session.TracepointHit:
		s.print("console", session.Clean(hitWords(s.messageOf(b.Hit.Breakpoint), *b))+"\n")
	case *session.Evaluated:
		s.stays(b)
		if _, _, sets := console.Assignment(strings.TrimPrefix(b.Input, "set ")); sets && e.Actor != s.seat.Name && b.Err == "" {
			s.invalidated("variables") // somebody else has changed one
		}
	case *session.Notice:
		if b.To == "" || b.To == s.seat.Name {
			words := b.Text
			if b.Level == "note" {
				words = e.Actor + ": " + words
			}
			s.print("console", session.Clean(words)+"\n")
		}
	}
}

// stopped tells the editor that the program is held, and why.
func (s *server) stopped(stop debugger.Stop) { s.stoppedFor("", stop) }

// stoppedFor is stopped with another reason than that of the stop.
func (s *server) stoppedFor(reason string, stop debugger.Stop) {
	m := &dap.StoppedEvent{Event: event("stopped")}
	m.Body.ThreadId, m.Body.AllThreadsStopped = int(stop.Goroutine), true
	m.Body.Reason = "pause"
	switch {
	case reason != "":
		m.Body.Reason = reason
	case stop.Panic != nil:
		m.Body.Reason, m.Body.Description, m.Body.Text = "exception", session.Clean(string(stop.Panic.Class)), session.Clean(stop.Panic.Message)
	case stop.Reason == debugger.ReasonBreakpoint:
		m.Body.Reason = "breakpoint"
		if stop.Breakpoint != nil && stop.Breakpoint.ID != 0 {
			m.Body.HitBreakpointIds = []int{s.numberFor(stop.Breakpoint.ID)}
		}
	case stop.Watched != nil:
		m.Body.Reason, m.Body.Description = "data breakpoint", session.StopHead(stop)
		if stop.Breakpoint != nil && stop.Breakpoint.ID != 0 {
			m.Body.HitBreakpointIds = []int{s.numberFor(stop.Breakpoint.ID)}
		}
	case stop.Reason == debugger.ReasonStep:
		m.Body.Reason = "step"
	case stop.Reason == debugger.ReasonEntry, stop.Reason == debugger.ReasonFound && s.opts.Own:
		m.Body.Reason = "entry"
	}
	if stop.Fault != "" && m.Body.Text == "" {
		m.Body.Text = session.Clean(stop.Fault)
	}
	s.send(m)
}

// numberFor is the editor's number of a breakpoint.
func (s *server) numberFor(id int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.numberOf(id)
}

// maxRows is how many rows of output are sent at a time.
const maxRows = 1000

// output sends what the program printed since the last time; of much, the end.
func (s *server) output() {
	s.mu.Lock()
	defer s.mu.Unlock()
	buffer := s.seat.Output()
	if s.printed.of != buffer {
		s.printed = printed{of: buffer}
	}
	view := buffer.View(-1, maxRows)
	for i, row := range view.Rows {
		line := int64(view.Start + i)
		if view.Gap > 0 && line >= int64(view.Gap) {
			line += view.Dropped
		}
		if line >= view.Lines {
			break // it is still being written
		}
		if line >= s.printed.lines {
			s.printed.lines = line + 1
			if _, noted := buffer.Noted(line); !noted { // what tracepoints have printed is sent with their hits
				s.print("stdout", session.Clean(row)+"\n")
			}
		}
	}
}

func (s *server) print(category, text string) {
	m := &dap.OutputEvent{Event: event("output")}
	m.Body.Category, m.Body.Output = category, text
	s.send(m)
}
