// Package dap lets editors take part in a session: it serves the Debug Adapter Protocol
// from a seat. An editor attaches to the session that runs; it sees the stops,
// breakpoints and output of all participants, and drives where its seat has the wheel.
// Nothing it asks for bypasses the seat.
//
// In a session of its own (pausetui dap) the editor has the host's seat, and the program
// waits at options.Target.Gate until the editor has sent its breakpoints. What the
// protocol has no words for, a frontend of package lines says in the debug console:
// Options.Beside leaves out what an editor shows itself.
package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/google/go-dap"
	"golang.org/x/sync/semaphore"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
)

// maxMessage bounds a message with its header, in bytes. What is decoded of it can take
// thirty times as much.
const maxMessage = 1<<20 + 4096

// Client is an editor, as it calls itself.
type Client struct{ Name string } // "neovim"; empty where it does not say

// Join waits until an editor is let in, or a session of its own has begun, and
// returns its seat.
type Join func(context.Context, Client, Config) (*pair.Seat, error)

// Options are the settings of what is served.
type Options struct {
	// Calls lets watches and hovers of an editor that drives call functions.
	Calls bool
	// Console tells in the editor's console what the protocol has no events for, and
	// reads lines of it, until ctx ends; nil for none. Knows says which lines these are.
	Console func(ctx context.Context, seat *pair.Seat, lines io.Reader, to io.Writer)
	Knows   func(line string) bool
	// Own: the session is the editor's own. It ends when the editor leaves.
	Own bool
	// Begin lets the program of its own session start; nil where it has.
	Begin func()
}

// What waits for the request that is carried out, in requests and in bytes.
const (
	maxWaiting      = 64
	maxWaitingBytes = 2 * maxMessage
)

// waiting is a request with the size of its message.
type waiting struct {
	dap.RequestMessage
	size int64
}

// Serve serves one editor until it leaves, or its part ends. It answers
// "initialize" at once; join is called for "attach" and "launch".
func Serve(ctx context.Context, join Join, o Options, conn io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	s := newServer(ctx, cancel, o, &wire{out: conn})
	s.join = join
	defer s.work.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	requests := make(chan waiting, maxWaiting)
	defer close(requests)
	room := semaphore.NewWeighted(maxWaitingBytes)
	s.work.Go(func() {
		for m := range requests {
			if ctx.Err() == nil && !s.carryOut(m.RequestMessage) {
				cancel()
			}
			room.Release(m.size)
		}
	})
	leaves, err := s.read(conn, func(m dap.RequestMessage, size int) {
		if _, halt := m.(*dap.PauseRequest); halt && isCalling(s) { // it is what ends the wait of those before it
			s.handle(m)
			return
		}
		if c, ok := m.(*dap.CancelRequest); ok {
			s.cancel(c)
			return
		}
		if room.Acquire(ctx, int64(size)) != nil {
			return // it is over
		}
		select {
		case requests <- waiting{m, int64(size)}:
		case <-ctx.Done():
		}
	})
	if leaves {
		<-ctx.Done() // once that is carried out
	}
	s.mu.Lock()
	seat := s.seat // which the requests before have set
	s.mu.Unlock()
	if seat != nil && seat.Why() != nil {
		return seat.Why()
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// isCalling reports whether a function is called, in the present or in the past.
func isCalling(s *server) bool {
	v := s.past.Load()
	return s.calling.Load() || v != nil && v.calling.Load()
}

// read hands each request over, until there are no more: disconnect is the last.
func (s *server) read(conn io.Reader, each func(m dap.RequestMessage, size int)) (leaves bool, err error) {
	limited := &perMessage{from: conn}
	in := bufio.NewReader(limited)
	for {
		limited.left = maxMessage
		m, size, err := readMessage(in)
		var unknown *dap.DecodeProtocolMessageFieldError
		var wrong *json.UnmarshalTypeError
		asked, request := m.(dap.RequestMessage)
		switch {
		case errors.As(err, &unknown): // a request that is not known: the editor goes on without
			s.fail(&dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: unknown.Seq}, Command: unknown.FieldValue}, errNotSupported)
			continue
		case errors.As(err, &wrong) && request: // of this request alone
			s.fail(asked.GetRequest(), fmt.Errorf("%s is a %s, and has to be a %s", wrong.Field, wrong.Value, wrong.Type))
			continue
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("read from the editor: %w", err)
		}
		if request {
			each(asked, size)
		}
		if _, last := m.(*dap.DisconnectRequest); last {
			return true, nil
		}
	}
}

func readMessage(in *bufio.Reader) (m dap.Message, size int, err error) {
	text, err := dap.ReadBaseMessage(in)
	if err != nil {
		return nil, 0, err
	}
	m, err = codec.DecodeMessage(text)
	return m, len(text), err
}

// errNotSupported refuses a request that there is nothing for.
var errNotSupported = errors.New("not supported")

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
	ctx     context.Context
	part    context.CancelFunc // ends the editor's part
	work    sync.WaitGroup
	opts    Options
	join    Join
	client  dap.InitializeRequestArguments
	seat    *pair.Seat // nil until it takes part; set under mu, by the goroutine that carries requests out
	config  Config     // … with it
	lines   io.Writer  // … with it: to options.Session.Console
	refs    *refs
	calling atomic.Bool // a function is called: the next requests wait

	*wire

	backward

	mu         sync.Mutex // guards all below
	state      session.State
	heard      chan struct{} // closed and replaced when events came
	log        []session.Event
	configured bool // the editor wants events
	quiet      span // of a call that the editor waits for
	printed    printed
	messages   map[int]string // log messages of the editor's breakpoints, by their id
	breaks     breaks

	underway underway

	setting sync.Mutex // held while breakpoints are set; before mu
}

func newServer(ctx context.Context, part context.CancelFunc, o Options, w *wire) *server {
	return &server{ctx: ctx, part: part, opts: o, wire: w, refs: newRefs(), state: session.NewState(), heard: make(chan struct{}),
		messages: map[int]string{}, underway: underway{dropped: map[int]bool{}}, breaks: newBreaks()}
}

// printed is what of the program's output was sent.
type printed struct {
	of    *output.Buffer
	lines int64
}

// wire is the connection to the editor.
type wire struct {
	write sync.Mutex // guards the rest
	out   io.Writer
	seq   int
}

// send writes a message to the editor.
func (w *wire) send(m dap.Message) {
	w.write.Lock()
	defer w.write.Unlock()
	w.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = w.seq
	case dap.EventMessage:
		m.GetEvent().Seq = w.seq
	}
	if err := dap.WriteProtocolMessage(w.out, m); err != nil {
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
	switch {
	case ok && stop.Stop.Ended():
		return stop, advice.Add(debugger.ErrGone, "restart starts it again")
	case !ok:
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
