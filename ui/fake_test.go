package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/updates"
)

// opened is when the sessions of the tests begin.
var opened = time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)

// fakeEngine replays scripted events and keeps the intents it was given.
type fakeEngine struct {
	mu      sync.Mutex
	changed chan struct{}
	events  []session.Event
	live    live.State
	over    bool
	intents []intent.Intent
	inspect fakeInspector
	sources fakeSources
	out     *output.Buffer
	kept    map[string]string // source texts of earlier stops, by name
	clock   time.Time
	// onDo answers an intent, for tests that play the engine.
	onDo func(intent.Intent)
}

func newFake() *fakeEngine {
	return &fakeEngine{changed: make(chan struct{}), out: output.New(0, nil), clock: opened, inspect: newFakeInspector()}
}

// now is the clock of the tests: the time of the last event and a bit.
func (f *fakeEngine) now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.clock
}

func (f *fakeEngine) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// add appends events, each a second after the one before.
func (f *fakeEngine) add(bodies ...session.Body) []session.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := len(f.events)
	for _, b := range bodies {
		f.clock = f.clock.Add(time.Second)
		f.events = append(f.events, session.Event{Seq: uint64(len(f.events) + 1), At: f.clock, Actor: "engine", Body: b})
	}
	f.wake()
	return f.events[from:]
}

func (f *fakeEngine) setLive(change func(*live.State)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.live)
	f.live.Version++
	f.wake()
}

// update is everything so far.
func (f *fakeEngine) update() updates.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	return updates.Msg{Update: live.Update{Events: slices.Clone(f.events), Live: f.live}}
}

func (f *fakeEngine) Do(i intent.Intent) {
	f.mu.Lock()
	f.intents = append(f.intents, i)
	answer := f.onDo
	f.mu.Unlock()
	if answer != nil {
		answer(i)
	}
}

// last is the intent given last; nil without one. That a person looks at a fix decides
// nothing.
func (f *fakeEngine) last() intent.Intent {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, i := range slices.Backward(f.intents) {
		if _, looks := i.(intent.Compare); !looks {
			return i
		}
	}
	return nil
}

func (f *fakeEngine) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	for {
		f.mu.Lock()
		fresh := f.events[min(int(after), len(f.events)):]
		u := live.Update{Events: slices.Clone(fresh), Live: f.live}
		over, changed := f.over, f.changed
		f.mu.Unlock()
		if len(fresh) > 0 || u.Live.Version > version {
			return u, nil
		}
		if over {
			return live.Update{}, io.EOF
		}
		select {
		case <-ctx.Done():
			return live.Update{}, ctx.Err()
		case <-changed:
		}
	}
}

func (f *fakeEngine) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	f.wake()
}

func (f *fakeEngine) Inspector() debugger.Inspector { return f.inspect }

func (f *fakeEngine) Output() *output.Buffer { return f.out }

func (f *fakeEngine) Sources() live.Sources { return f.sources }

func (f *fakeEngine) SourceOf(name string) ([]byte, error) {
	if text, ok := f.kept[name]; ok {
		return []byte(text), nil
	}
	return nil, session.ErrNotKept
}

// fakeInspector answers from maps.
type fakeInspector struct {
	stacks     map[debugger.GoroutineID][]debugger.Frame
	goroutines []debugger.Goroutine
	children   map[string]int // by expression: how many elements there are
	code       []debugger.Instruction
	defers     map[int][]debugger.Deferred // by frame
	origin     debugger.Origin
	ancestors  []debugger.Ancestor // none: they are not recorded
}

func (f fakeInspector) Stack(_ context.Context, g debugger.GoroutineID, q debugger.StackQuery) (list []debugger.StackFrame, more bool, err error) {
	for _, frame := range f.stacks[g][:min(q.Depth+1, len(f.stacks[g]))] {
		list = append(list, debugger.StackFrame{Frame: frame, Defers: f.defers[frame.Index]})
	}
	return list, false, nil
}

func (f fakeInspector) Origin(context.Context, debugger.GoroutineID) (debugger.Origin, error) {
	return f.origin, nil
}

func (f fakeInspector) Ancestors(context.Context, debugger.GoroutineID, int, int) ([]debugger.Ancestor, error) {
	if len(f.ancestors) == 0 {
		return nil, advice.Add(errors.New("no ancestors"), "start the program with GODEBUG=tracebackancestors=10 (--env)")
	}
	return f.ancestors, nil
}

func newFakeInspector() fakeInspector {
	return fakeInspector{stacks: map[debugger.GoroutineID][]debugger.Frame{}, children: map[string]int{}}
}

func cutPage[T any](list []T, p debugger.Page) ([]T, bool) {
	start := min(p.Start, len(list))
	end := min(start+p.Count, len(list))
	return list[start:end], end < len(list)
}

func (f fakeInspector) Frames(_ context.Context, g debugger.GoroutineID, p debugger.Page) ([]debugger.Frame, bool, error) {
	list, more := cutPage(f.stacks[g], p)
	out := slices.Clone(list)
	for i := range out {
		out[i].Args, out[i].Locals, out[i].Loaded = nil, nil, false
	}
	return out, more, nil
}

func (f fakeInspector) Load(_ context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	for _, fr := range f.stacks[at.Goroutine] {
		if fr.Index == at.Frame {
			fr.Loaded = true
			return fr, nil
		}
	}
	return debugger.Frame{}, fmt.Errorf("no frame %d", at.Frame)
}

func (f fakeInspector) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	switch expr {
	case "len(x.docs)":
		return integer(expr, "3"), nil
	case "x.docs[1].Name":
		return text1(expr, "b.txt"), nil
	}
	return debugger.Variable{}, debugger.ErrRunning
}

func (f fakeInspector) Children(_ context.Context, _ debugger.FrameRef, v debugger.Variable, p debugger.Page) ([]debugger.Variable, error) {
	var out []debugger.Variable
	for i := p.Start; i < min(p.Start+p.Count, f.children[v.Expr]); i++ {
		out = append(out, debugger.Variable{Name: fmt.Sprintf("[%d]", i), Expr: fmt.Sprintf("%s[%d]", v.Expr, i), Type: "int", Value: fmt.Sprint(i * i)})
	}
	return out, nil
}

func (f fakeInspector) Goroutines(_ context.Context, p debugger.Page) ([]debugger.Goroutine, bool, error) {
	list, more := cutPage(f.goroutines, p)
	return list, more, nil
}

func (f fakeInspector) Disassemble(context.Context, debugger.FrameRef, debugger.Code, string) ([]debugger.Instruction, error) {
	return f.code, nil
}
