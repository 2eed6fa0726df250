package dap

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"sync"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
)

// refs give numbers to frames, values, calls and lines, which are good until the program goes on.
type refs struct {
	mu     sync.Mutex
	frames []debugger.FrameRef
	values []container
	calls  []uint64        // that can be stepped into
	lines  []session.Place // that can be gone to
}

// container is what has variables: a frame's arguments or locals, the variables of its
// package, or a value.
type container struct {
	at      debugger.FrameRef
	args    bool
	frame   bool
	globals string // the package
	v       debugger.Variable
}

// maxRefs bounds what an editor can have numbered at one stop. What is beyond has
// the number 0, which an editor does not ask about.
const maxRefs = 50_000

func newRefs() *refs { return &refs{} }

func (r *refs) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames, r.values, r.calls, r.lines = nil, nil, nil, nil
}

// numbered notes a thing, and returns its number; 0 where there are too many.
func numbered[T any](r *refs, list *[]T, v T) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(*list) >= maxRefs {
		return 0
	}
	*list = append(*list, v)
	return len(*list)
}

// ofNumber is the thing of a number.
func ofNumber[T any](r *refs, list *[]T, n int, what string) (v T, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n < 1 || n > len(*list) {
		return v, fmt.Errorf("there is no %s %d at this stop", what, n)
	}
	return (*list)[n-1], nil
}

func (r *refs) frame(at debugger.FrameRef) int { return numbered(r, &r.frames, at) }
func (r *refs) value(c container) int          { return numbered(r, &r.values, c) }
func (r *refs) call(pc uint64) int             { return numbered(r, &r.calls, pc) }
func (r *refs) line(at session.Place) int      { return numbered(r, &r.lines, at) }

func (r *refs) frameOf(n int) (debugger.FrameRef, error) { return ofNumber(r, &r.frames, n, "frame") }
func (r *refs) valueOf(n int) (container, error)         { return ofNumber(r, &r.values, n, "variable") }
func (r *refs) callOf(n int) (uint64, error)             { return ofNumber(r, &r.calls, n, "call") }
func (r *refs) lineOf(n int) (session.Place, error)      { return ofNumber(r, &r.lines, n, "target") }

// looking is what an editor looks at.
type looking struct{ *server }

// page is how much is listed when an editor does not say.
const page = 100

func (s looking) threads(m *dap.ThreadsRequest) error {
	a := &dap.ThreadsResponse{Response: response(m.GetRequest())}
	a.Body.Threads = []dap.Thread{}
	stop, held := s.held()
	if held != nil { // an editor wants a thread to halt
		name := "the program"
		if s.targetless() {
			name = "the program has ended"
		}
		a.Body.Threads = append(a.Body.Threads, dap.Thread{Id: 1, Name: name})
		s.send(a)
		return nil // it is the answer for a running program
	}
	list, err := s.goroutines()
	if err != nil {
		return err
	}
	found := false
	for _, g := range list {
		if g.System && s.config.HideSystemGoroutines {
			continue
		}
		found = found || g.ID == stop.Stop.Goroutine
		at := g.User
		if at.Function == "" {
			at = g.Current
		}
		a.Body.Threads = append(a.Body.Threads, dap.Thread{Id: int(g.ID), Name: session.Clean(fmt.Sprintf("goroutine %d: %s", g.ID, session.ShortFunction(at.Function)))})
	}
	if !found && stop.Stop.Goroutine != 0 {
		a.Body.Threads = append(a.Body.Threads, dap.Thread{Id: int(stop.Stop.Goroutine), Name: fmt.Sprintf("goroutine %d", stop.Stop.Goroutine)})
	}
	s.send(a)
	return nil
}

// goroutines are the first of those that the editor wants to see.
func (s looking) goroutines() ([]debugger.Goroutine, error) {
	filters, err := console.GoroutineFilters(s.config.GoroutineFilters)
	querier, ok := s.seat.Inspector().(debugger.GoroutineQuerier)
	if err != nil || !ok || len(filters) == 0 {
		list, _, err := s.seat.Inspector().Goroutines(s.underway.ctx, debugger.Page{Count: page})
		return list, err
	}
	answer, err := querier.QueryGoroutines(s.underway.ctx, debugger.GoroutineQuery{Filters: filters, Page: debugger.Page{Count: page}})
	return answer.List, err
}

func (s looking) stackTrace(m *dap.StackTraceRequest) error {
	stop, err := s.held()
	if err != nil {
		return err
	}
	g := debugger.GoroutineID(m.Arguments.ThreadId)
	count := m.Arguments.Levels
	if most := cmp.Or(max(s.config.StackTraceDepth, 0), page); count <= 0 || count > most {
		count = most
	}
	frames, more, err := s.seat.Inspector().Frames(s.underway.ctx, g, debugger.Page{Start: max(m.Arguments.StartFrame, 0), Count: count})
	if err != nil {
		return err
	}
	a := &dap.StackTraceResponse{Response: response(m.GetRequest())}
	a.Body.StackFrames = []dap.StackFrame{}
	for _, f := range frames {
		one := dap.StackFrame{Id: s.refs.frame(debugger.FrameRef{Goroutine: g, Frame: f.Index}), Name: session.Clean(debugger.ShortFunction(f.Function)), Line: f.Line, Column: 1}
		if f.File != "" && !hides(stop.Stop, g, f) {
			one.Source = &dap.Source{Name: filepath.Base(f.File), Path: s.config.theirs(f.File)}
		}
		if f.PC != 0 {
			one.InstructionPointerReference = fmt.Sprintf("%#x", f.PC)
		}
		if !f.User {
			one.PresentationHint = "subtle"
		}
		a.Body.StackFrames = append(a.Body.StackFrames, one)
	}
	a.Body.TotalFrames = max(m.Arguments.StartFrame, 0) + len(frames)
	if more {
		a.Body.TotalFrames += page
	}
	s.send(a)
	return nil
}

// hides reports whether a frame gets no source: editors show the innermost frame that has
// one. At a panic that is to be the frame that panicked, not one of the runtime; at a failing
// test that of the test.
func hides(stop debugger.Stop, g debugger.GoroutineID, f debugger.Frame) bool {
	selected, ok := stop.SelectedFrame()
	return ok && stop.Panic != nil && g == stop.Goroutine && !f.User && f.Index < selected.Index
}

func (s looking) scopes(m *dap.ScopesRequest) error {
	at, err := s.refs.frameOf(m.Arguments.FrameId)
	if err != nil {
		return err
	}
	a := &dap.ScopesResponse{Response: response(m.GetRequest())}
	a.Body.Scopes = []dap.Scope{
		{Name: "Arguments", PresentationHint: "arguments", VariablesReference: s.refs.value(container{at: at, frame: true, args: true})},
		{Name: "Locals", PresentationHint: "locals", VariablesReference: s.refs.value(container{at: at, frame: true})},
	}
	if s.config.ShowGlobalVariables {
		if f, _, err := s.seat.Inspector().Frames(s.underway.ctx, at.Goroutine, debugger.Page{Start: at.Frame, Count: 1}); err == nil && len(f) > 0 {
			pkg := debugger.PackageOf(f[0].Function)
			a.Body.Scopes = append(a.Body.Scopes, dap.Scope{Name: "Globals (" + pkg + ")", Expensive: true, VariablesReference: s.refs.value(container{at: at, globals: pkg})})
		}
	}
	s.send(a)
	return nil
}

func (s looking) variables(m *dap.VariablesRequest) error {
	c, err := s.refs.valueOf(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	list, err := s.children(c, debugger.Page{Start: max(m.Arguments.Start, 0), Count: m.Arguments.Count})
	if err != nil {
		return err
	}
	a := &dap.VariablesResponse{Response: response(m.GetRequest())}
	a.Body.Variables = []dap.Variable{}
	for _, v := range list {
		a.Body.Variables = append(a.Body.Variables, s.variable(c.at, v))
	}
	s.send(a)
	return nil
}

// children are a page of what a container holds.
func (s looking) children(c container, p debugger.Page) ([]debugger.Variable, error) {
	if p.Count <= 0 || p.Count > page {
		p.Count = page
	}
	if c.globals != "" {
		return s.globals(c.globals, p)
	}
	if !c.frame && c.v.Expr == "" { // what a call has returned
		from := min(p.Start, len(c.v.Children))
		return c.v.Children[from:min(from+p.Count, len(c.v.Children))], nil
	}
	if !c.frame {
		return s.seat.Inspector().Children(s.underway.ctx, c.at, c.v, p)
	}
	f, err := s.seat.Inspector().Load(s.underway.ctx, c.at)
	if err != nil {
		return nil, err
	}
	list := f.Locals
	if c.args {
		list = f.Args
	}
	from := min(p.Start, len(list))
	return list[from:min(from+p.Count, len(list))], nil
}

// globals are the variables of a package.
func (s looking) globals(pkg string, p debugger.Page) ([]debugger.Variable, error) {
	symbols, ok := s.seat.Inspector().(console.Symbols)
	if !ok {
		return nil, errNotSupported
	}
	list, err := symbols.PackageVariables(s.underway.ctx, "^"+regexp.QuoteMeta(pkg)+`\.[^.]+$`, false)
	if err != nil {
		return nil, err
	}
	from := min(p.Start, len(list))
	return list[from:min(from+p.Count, len(list))], nil
}

func (s looking) variable(at debugger.FrameRef, v debugger.Variable) dap.Variable {
	if v.Type == "" && v.Kind != reflect.Invalid { // a constant, such as a length
		v.Type = v.Kind.String()
	}
	out := dap.Variable{Name: session.Clean(v.Name), Value: words(v), Type: session.Clean(v.Type), EvaluateName: v.Expr}
	if a := cmp.Or(v.Base, v.Addr); a != 0 {
		out.MemoryReference = fmt.Sprintf("%#x", a)
	}
	if v.Expandable() {
		out.VariablesReference = s.refs.value(container{at: at, v: v})
		if v.Len > page {
			out.IndexedVariables = int(min(v.Len, 1<<30))
		}
	}
	return out
}

// words are a value in one line.
func words(v debugger.Variable) string {
	switch {
	case v.Unreadable != "":
		return "(unreadable: " + session.Clean(v.Unreadable) + ")"
	case v.Nil:
		return "nil"
	case v.Kind == reflect.String:
		text := strconv.Quote(v.Value)
		if int64(len(v.Value)) < v.Len {
			text += "…"
		}
		return session.Clean(text)
	}
	return session.Clean(v.Value)
}
