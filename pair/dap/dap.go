// Package dap is the door for editors: the Debug Adapter Protocol over a seat in
// a session. An editor attaches to the session that runs; it sees the stops,
// breakpoints and output of all participants, and drives where its seat has the
// wheel. Nothing it asks for bypasses the seat.
package dap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
)

// maxMessage bounds a message with its header, in bytes.
const maxMessage = 4<<20 + 4096

// Serve serves one editor until it leaves, or its part ends.
func Serve(ctx context.Context, seat *pair.Seat, conn net.Conn) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{ctx: ctx, seat: seat, out: conn, refs: newRefs(), state: session.NewState(), heard: make(chan struct{}), messages: map[int]string{}}
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	work.Go(func() {
		defer cancel() // the editor's part is over
		s.follow()
	})
	limited := &perMessage{from: conn}
	in := bufio.NewReader(limited)
	for {
		limited.left = maxMessage
		m, err := dap.ReadProtocolMessage(in)
		var unknown *dap.DecodeProtocolMessageFieldError
		switch {
		case errors.As(err, &unknown): // a request that is not known: the editor goes on without
			s.fail(&dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: unknown.Seq}, Command: unknown.FieldValue}, errors.New("not supported"))
			continue
		case err != nil && seat.Why() != nil:
			return seat.Why()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the editor: %w", err)
		}
		if r, ok := m.(dap.RequestMessage); ok && !s.handle(r) {
			return nil
		}
	}
}

// perMessage lets so many bytes through.
type perMessage struct {
	from io.Reader
	left int
}

// Read implements io.Reader.
func (p *perMessage) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errors.New("the message is too long")
	}
	n, err := p.from.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}

// server is what an editor talks to. Requests are handled one after another.
type server struct {
	ctx  context.Context
	seat *pair.Seat
	refs *refs

	write sync.Mutex // guards out and seq
	out   io.Writer
	seq   int

	mu         sync.Mutex // guards all below
	state      session.State
	heard      chan struct{} // closed and replaced when events came
	log        []session.Event
	configured bool // the editor wants events
	outputOf   *output.Buffer
	printed    int64          // lines of it that were sent
	messages   map[int]string // log messages of the editor's breakpoints, by their id
}

// send writes a message to the editor.
func (s *server) send(m dap.Message) {
	s.write.Lock()
	defer s.write.Unlock()
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = s.seq
	case dap.EventMessage:
		m.GetEvent().Seq = s.seq
	}
	if err := dap.WriteProtocolMessage(s.out, m); err != nil {
		return // the reader notices
	}
}

func response(r *dap.Request) dap.Response {
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: r.Seq, Success: true, Command: r.Command}
}

func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// fail answers a request with why it was not carried out.
func (s *server) fail(r *dap.Request, err error) {
	words := session.Clean(err.Error())
	if hint := advice.Of(err); hint != "" {
		words += " — " + session.Clean(hint)
	}
	m := &dap.ErrorResponse{Response: response(r)}
	m.Success, m.Message = false, words
	m.Body.Error = &dap.ErrorMessage{Id: 1, Format: "{words}", Variables: map[string]string{"words": words}, ShowUser: true}
	s.send(m)
}

// handle carries a request out; false when it was the last.
func (s *server) handle(m dap.RequestMessage) bool {
	r := m.GetRequest()
	var err error
	switch m := m.(type) {
	case *dap.InitializeRequest:
		s.initialize(m)
	case *dap.AttachRequest:
		s.send(&dap.AttachResponse{Response: response(r)})
		s.send(&dap.InitializedEvent{Event: event("initialized")})
	case *dap.LaunchRequest:
		err = advice.Add(errors.New("the session has started the program"), "use a configuration with \"request\": \"attach\"")
	case *dap.SetBreakpointsRequest:
		s.setBreakpoints(m)
	case *dap.SetExceptionBreakpointsRequest:
		s.send(&dap.SetExceptionBreakpointsResponse{Response: response(r)})
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: response(r)})
		s.begin()
	case *dap.ThreadsRequest:
		err = s.threads(m)
	case *dap.StackTraceRequest:
		err = s.stackTrace(m)
	case *dap.ScopesRequest:
		err = s.scopes(m)
	case *dap.VariablesRequest:
		err = s.variables(m)
	case *dap.EvaluateRequest:
		err = s.evaluate(m)
	case *dap.SetVariableRequest:
		err = s.setVariable(m)
	case *dap.ExceptionInfoRequest:
		err = s.exceptionInfo(m)
	case *dap.DisconnectRequest:
		s.send(&dap.DisconnectResponse{Response: response(r)})
		return false
	default:
		err = s.move(m)
	}
	if err != nil {
		s.fail(r, err)
	}
	return true
}

func (s *server) initialize(m *dap.InitializeRequest) {
	a := &dap.InitializeResponse{Response: response(m.GetRequest())}
	a.Body.SupportsConfigurationDoneRequest = true
	a.Body.SupportsConditionalBreakpoints = true
	a.Body.SupportsHitConditionalBreakpoints = true
	a.Body.SupportsLogPoints = true
	a.Body.SupportsEvaluateForHovers = true
	a.Body.SupportsSetVariable = true
	a.Body.SupportsExceptionInfoRequest = true
	a.Body.SupportsDelayedStackTraceLoading = true
	s.send(a)
}

// now is the state as far as the editor has heard.
func (s *server) now() session.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// held is the stop that the program is held at.
func (s *server) held() (session.StopRecord, error) {
	st := s.now()
	stop, ok := st.CurrentStop()
	if !ok || stop.Stop.Ended() {
		return stop, debugger.ErrRunning
	}
	return stop, nil
}

// until waits for an event after a number.
func (s *server) until(after uint64, is func(session.Event) (bool, error)) error {
	for {
		s.mu.Lock()
		list, heard := s.log, s.heard
		s.mu.Unlock()
		for _, e := range list {
			if e.Seq <= after {
				continue
			}
			after = e.Seq
			if n, ok := e.Body.(*session.Notice); ok && n.To == s.seat.Name {
				return advice.Add(errors.New(n.Text), n.Hint)
			}
			if done, err := is(e); done || err != nil {
				return err
			}
		}
		select {
		case <-heard:
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
}
