package dap_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	godap "github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/session"
)

// editor is a client that shows breakpoints as VS Code and nvim-dap do: it takes up
// those that it is told of, and sends all of a file when one of them changes.
type editor struct {
	t    *testing.T
	name string
	seat *pair.Seat
	conn net.Conn
	done chan struct{}

	mu        sync.Mutex
	seq       int
	responses map[int]dap.ResponseMessage
	events    []dap.EventMessage
	heard     chan struct{}
	lines     []*line
	deaf      bool // shows only its own breakpoints
}

// line is a breakpoint that an editor shows.
type line struct {
	dap.SourceBreakpoint
	id       int
	verified bool
	message  string
}

const file = "/src/main.go"

// attach has an editor come in, with the breakpoints that it shows already.
func attach(t *testing.T, room *pair.Room, name string, drives bool, shows ...dap.SourceBreakpoint) *editor {
	t.Helper()
	ours, theirs := net.Pipe()
	e := &editor{t: t, name: name, conn: theirs, done: make(chan struct{}), responses: map[int]dap.ResponseMessage{}, heard: make(chan struct{})}
	for _, b := range shows {
		e.lines = append(e.lines, &line{SourceBreakpoint: b})
	}
	join := func(context.Context, godap.Client, godap.Config) (*pair.Seat, error) {
		seat, err := room.Enter(pair.Newcomer{Name: name, Via: "editor"})
		if err == nil && drives {
			err = room.Host().GiveWheel(seat.Name)
		}
		e.seat = seat
		return seat, err
	}
	go func() {
		defer close(e.done)
		_ = godap.Serve(t.Context(), join, godap.Options{}, ours)
		_ = ours.Close()
	}()
	go e.read()
	e.ask(&dap.InitializeRequest{Request: e.request("initialize")})
	e.ask(&dap.AttachRequest{Request: e.request("attach")})
	e.event("initialized")
	if len(shows) > 0 {
		e.send()
	}
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	return e
}

func (e *editor) request(command string) dap.Request {
	e.seq++
	return dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: e.seq, Type: "request"}, Command: command}
}

func (e *editor) read() {
	in := bufio.NewReader(e.conn)
	for {
		m, err := dap.ReadProtocolMessage(in)
		if err != nil {
			return
		}
		e.mu.Lock()
		switch m := m.(type) {
		case dap.ResponseMessage:
			e.responses[m.GetResponse().RequestSeq] = m
		case dap.EventMessage:
			e.events = append(e.events, m)
			if b, ok := m.(*dap.BreakpointEvent); ok {
				e.take(b)
			}
		}
		close(e.heard)
		e.heard = make(chan struct{})
		e.mu.Unlock()
	}
}

// take takes up what it is told of a breakpoint; e.mu is held.
func (e *editor) take(b *dap.BreakpointEvent) {
	at := slices.IndexFunc(e.lines, func(l *line) bool { return l.id == b.Body.Breakpoint.Id })
	switch one := b.Body.Breakpoint; {
	case b.Body.Reason == "new" && e.deaf:
	case b.Body.Reason == "new": // as nvim-dap: what was at that line is replaced, with its condition
		e.lines = slices.DeleteFunc(e.lines, func(l *line) bool { return l.Line == one.Line })
		e.lines = append(e.lines, &line{SourceBreakpoint: dap.SourceBreakpoint{Line: one.Line}, id: one.Id, verified: one.Verified})
	case at < 0:
	case b.Body.Reason == "removed":
		e.lines = slices.Delete(e.lines, at, at+1)
	default:
		l := e.lines[at]
		l.Line, l.verified, l.message = one.Line, one.Verified, one.Message
	}
}

// ask sends a request and returns its response.
func (e *editor) ask(m dap.RequestMessage) dap.ResponseMessage {
	e.t.Helper()
	if err := dap.WriteProtocolMessage(e.conn, m); err != nil {
		e.t.Fatal(err)
	}
	var r dap.ResponseMessage
	e.until(m.GetRequest().Command, func() bool { r = e.responses[m.GetRequest().Seq]; return r != nil })
	return r
}

// event waits for an event that was not waited for before.
func (e *editor) event(name string) (found dap.EventMessage) {
	e.t.Helper()
	e.until(name, func() bool {
		at := slices.IndexFunc(e.events, func(m dap.EventMessage) bool { return m.GetEvent().Event == name })
		if at >= 0 {
			found, e.events = e.events[at], e.events[at+1:]
		}
		return at >= 0
	})
	return found
}

func (e *editor) until(what string, holds func() bool) {
	e.t.Helper()
	late := time.After(testsupport.Patience)
	for {
		e.mu.Lock()
		ok, heard := holds(), e.heard
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-heard:
		case <-late:
			e.t.Fatalf("%s waits for %s", e.name, what)
		}
	}
}

// send sends all breakpoints of the file.
func (e *editor) send() []dap.Breakpoint {
	e.t.Helper()
	r := &dap.SetBreakpointsRequest{Request: e.request("setBreakpoints"), Arguments: dap.SetBreakpointsArguments{Source: dap.Source{Path: file}}}
	e.mu.Lock()
	sent := slices.Clone(e.lines)
	for _, l := range sent {
		r.Arguments.Breakpoints = append(r.Arguments.Breakpoints, l.SourceBreakpoint)
	}
	e.mu.Unlock()
	list := e.ask(r).(*dap.SetBreakpointsResponse).Body.Breakpoints
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, b := range list {
		sent[i].id, sent[i].verified, sent[i].message = b.Id, b.Verified, b.Message
	}
	return list
}

// toggle sets or clears a breakpoint at a line.
func (e *editor) toggle(at int, condition string) {
	e.t.Helper()
	e.mu.Lock()
	was := len(e.lines)
	e.lines = slices.DeleteFunc(e.lines, func(l *line) bool { return l.Line == at })
	if len(e.lines) == was {
		e.lines = append(e.lines, &line{SourceBreakpoint: dap.SourceBreakpoint{Line: at, Condition: condition}})
	}
	e.mu.Unlock()
	e.send()
}

// leave disconnects.
func (e *editor) leave() {
	e.t.Helper()
	e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
	<-e.done
	_ = e.conn.Close()
	e.seat.Leave()
}

// shown are the lines of the editor's breakpoints, those that hold in bold type.
func (e *editor) shown() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []string
	for _, l := range e.lines {
		text := fmt.Sprint(l.Line)
		if !l.verified {
			text += "?"
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// world answers as the engine does to what is wanted of breakpoints.
type world struct {
	*pairtest.Engine
	mu   sync.Mutex
	last int
	list []debugger.Breakpoint
}

func newWorld(t *testing.T) (*world, *pair.Room) {
	t.Helper()
	w := &world{Engine: pairtest.New()}
	w.OnDo = w.answer
	room := pair.New(w, pair.Options{Host: "anna"})
	room.Expect()
	return w, room
}

func (w *world) answer(by intent.Author, i intent.Intent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch i := i.(type) {
	case intent.SetBreakpoint:
		if i.Breakpoint.Line > 90 {
			w.Add("engine", &session.Notice{Level: "error", Text: "there is no code", To: by.Name})
			return
		}
		w.last++
		i.Breakpoint.ID = w.last
		w.list = append(w.list, i.Breakpoint)
		w.Add(by.Name, &session.BreakpointSet{Breakpoint: i.Breakpoint})
	case intent.AmendBreakpoint:
		for n := range w.list {
			if w.list[n].ID == i.Breakpoint.ID {
				w.list[n] = i.Breakpoint
			}
		}
		w.Add(by.Name, &session.BreakpointSet{Breakpoint: i.Breakpoint})
	case intent.ClearBreakpoint:
		w.list = slices.DeleteFunc(w.list, func(b debugger.Breakpoint) bool { return b.ID == i.ID })
		w.Add(by.Name, &session.BreakpointCleared{ID: i.ID})
	case intent.Restart:
		for _, b := range w.list {
			w.Add("engine", &session.BreakpointSet{Breakpoint: b})
		}
	}
}

// set sets a breakpoint as the host does.
func (w *world) set(room *pair.Room, at int, condition string) {
	room.Host().Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: at, Cond: condition}})
}

// has are the session's breakpoints, with their conditions.
func (w *world) has() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for _, b := range slices.SortedFunc(slices.Values(w.list), func(a, b debugger.Breakpoint) int { return cmp.Compare(a.Line, b.Line) }) {
		list = append(list, fmt.Sprint(b.Line, b.Cond))
	}
	return fmt.Sprint(list)
}

// shows waits until an editor shows breakpoints.
func (e *editor) shows(want string) {
	e.t.Helper()
	testsupport.Until(e.t, func() string {
		if got := e.shown(); got != want {
			return fmt.Sprintf("%s shows %s, want %s", e.name, got, want)
		}
		return ""
	})
}

func TestAnEditorIsToldOfAllBreakpoints(t *testing.T) {
	w, room := newWorld(t)
	w.set(room, 10, "i == 3")
	w.set(room, 20, "")
	e := attach(t, room, "nvim", true)
	e.shows("[10 20]")
	w.set(room, 30, "")
	e.shows("[10 20 30]")
	e.toggle(40, "j > 1") // what is not its own stays, with the condition that it does not know
	e.shows("[10 20 30 40]")
	if got := w.has(); got != "[10i == 3 20 30 40j > 1]" {
		t.Errorf("after 40 was set there is %s", got)
	}
	e.toggle(20, "")
	if got := w.has(); got != "[10i == 3 30 40j > 1]" {
		t.Errorf("after 20 was cleared there is %s", got)
	}
	e.leave()
}

// An editor that does not show what it is told of clears nothing of it.
func TestAnEditorThatShowsItsOwnClearsNoOthers(t *testing.T) {
	w, room := newWorld(t)
	w.set(room, 10, "")
	w.set(room, 20, "")
	e := attach(t, room, "hx", true)
	e.mu.Lock()
	e.lines, e.deaf = nil, true
	e.mu.Unlock()
	for _, tt := range []struct {
		toggle int
		want   string
	}{{70, "[10 20 70]"}, {71, "[10 20 70 71]"}, {70, "[10 20 71]"}, {71, "[10 20]"}} {
		e.toggle(tt.toggle, "")
		if got := w.has(); got != tt.want {
			t.Errorf("after %d there is %s, want %s", tt.toggle, got, tt.want)
		}
	}
	e.leave()
}

// While an editor attaches it sends what it has, before it knows what there is.
func TestTheHandshakeClearsNothing(t *testing.T) {
	w, room := newWorld(t)
	w.set(room, 10, "i == 3")
	e := attach(t, room, "code", true, dap.SourceBreakpoint{Line: 30})
	if got := w.has(); got != "[10i == 3 30]" {
		t.Errorf("there is %s", got)
	}
	e.leave()
}

func TestBreakpointsOfAViewerAreSetWithTheWheel(t *testing.T) {
	w, room := newWorld(t)
	w.set(room, 10, "")
	e := attach(t, room, "code", false, dap.SourceBreakpoint{Line: 30, Condition: "x > 1"}, dap.SourceBreakpoint{Line: 10, Condition: "y"})
	e.shows("[10 30?]")
	e.toggle(50, "")
	e.toggle(60, "")
	e.toggle(60, "") // it thought better of it
	w.set(room, 50, "z")
	e.shows("[10 30? 50]")
	if got := w.has(); got != "[10 50z]" {
		t.Errorf("a viewer has set %s", got)
	}
	if err := room.Host().GiveWheel("code"); err != nil {
		t.Fatal(err)
	}
	e.shows("[10 30 50]")
	testsupport.Until(t, func() string {
		if got := w.has(); got != "[10y 30x > 1 50z]" {
			return "there is " + got
		}
		return ""
	})
	e.toggle(30, "")
	if got := w.has(); got != "[10y 50z]" {
		t.Errorf("after 30 was cleared there is %s", got)
	}
	e.leave()
}

// What a viewer clears comes back to it: it is there.
func TestAViewerClearsNothing(t *testing.T) {
	w, room := newWorld(t)
	w.set(room, 10, "")
	e := attach(t, room, "code", false)
	e.shows("[10]")
	e.toggle(10, "")
	e.shows("[10]")
	e.leave()
}

func TestARestartChangesNoCondition(t *testing.T) {
	w, room := newWorld(t)
	e := attach(t, room, "nvim", true)
	e.toggle(67, "i == 3")
	e.ask(&dap.RestartRequest{Request: e.request("restart")})
	e.toggle(64, "")
	e.shows("[64 67]")
	if got := w.has(); got != "[64 67i == 3]" {
		t.Errorf("there is %s", got)
	}
	e.leave()
}

func TestALineWithoutCode(t *testing.T) {
	_, room := newWorld(t)
	e := attach(t, room, "code", true)
	e.toggle(99, "")
	e.mu.Lock()
	if l := e.lines[0]; l.verified || l.message != "there is no code" {
		t.Errorf("%+v", l)
	}
	e.mu.Unlock()
	e.leave()
}

// TestAFieldOfAnotherTypeFailsItsRequest, and the editor stays.
func TestAFieldOfAnotherTypeFailsItsRequest(t *testing.T) {
	room := pair.New(pairtest.New(), pair.Options{Host: "anna"})
	room.Expect()
	e := attach(t, room, "vim", false)
	content := `{"seq":900,"type":"request","command":"stackTrace","arguments":{"threadId":"one"}}`
	if _, err := fmt.Fprintf(e.conn, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		t.Fatal(err)
	}
	var answer dap.ResponseMessage
	e.until("the answer", func() bool { answer = e.responses[900]; return answer != nil })
	if r := answer.GetResponse(); r.Success || r.Command != "stackTrace" {
		t.Errorf("%+v", r)
	}
	if !e.ask(&dap.ThreadsRequest{Request: e.request("threads")}).GetResponse().Success {
		t.Error("the editor is not answered any more")
	}
}
