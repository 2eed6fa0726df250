package target

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/session"
)

// Bounds of what is written down of tracepoints: of a loop that passes one a
// million times, the log holds the first hits and then one in a while. All of
// them go to the output, which is bounded itself.
const (
	traceBurst  = 40                     // hits written down at once
	traceEvery  = 250 * time.Millisecond // … and then one in this time
	traceQuiet  = 100 * time.Millisecond // without a hit: the newest is written down, too
	traceMost   = 1000                   // in a session
	traceValues = 20                     // values of one hit
	traceValue  = 200                    // characters of one
)

// Tracepoints are the hits of tracepoints on their way to the output and the log.
// They come from the target's goroutine, as fast as the target runs.
type Tracepoints struct {
	*loop.Loop
	breaks *Breakpoints

	mu      sync.Mutex
	tokens  int
	filled  time.Time
	written int
	missed  map[int]uint64            // by the debugger's number: not written down since the last that was
	last    map[int]debugger.TraceHit // … and the newest of them
	newest  time.Time                 // when that was
	waiting bool                      // for a quiet moment
}

// NewTracepoints returns the tracepoints of a session.
func NewTracepoints(c *loop.Loop, breaks *Breakpoints) *Tracepoints {
	return &Tracepoints{Loop: c, breaks: breaks, tokens: traceBurst, missed: map[int]uint64{}, last: map[int]debugger.TraceHit{}}
}

// Into returns what takes the hits of a round.
func (t *Tracepoints) Into(buffer *output.Buffer) func(debugger.TraceHit) {
	return func(hit debugger.TraceHit) {
		hit = cutHit(hit)
		var of any = hit
		for line := range strings.Lines(traceWords(hit)) {
			buffer.Note(strings.TrimSuffix(line, "\n"), of)
			of = nil // the frames are a part of it
		}
		if missed, ok := t.take(hit); ok {
			t.Post(func() { t.writeTrace(hit, missed) })
		} else if t.startsWaiting() {
			t.Post(t.awaitQuiet)
		}
	}
}

// startsWaiting reports whether the caller is to wait for a quiet moment: nobody waits yet.
func (t *Tracepoints) startsWaiting() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting || t.written >= traceMost {
		return false
	}
	t.waiting = true
	return true
}

// awaitQuiet flushes as soon as no more hits come. A stop flushes, too.
func (t *Tracepoints) awaitQuiet() {
	t.Job(func() {
		for quiet := false; !quiet; {
			select {
			case <-t.Ctx.Done():
				return
			case <-time.After(traceQuiet):
			}
			t.mu.Lock()
			quiet = t.Opts.Now().Sub(t.newest) >= traceQuiet || len(t.missed) == 0
			t.waiting = !quiet
			t.mu.Unlock()
		}
		t.Post(t.Flush)
	})
}

// take reports whether a hit is to be written down, and how many were not since
// the last that was.
func (t *Tracepoints) take(hit debugger.TraceHit) (missed uint64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.Opts.Now()
	if n := int(now.Sub(t.filled) / traceEvery); n > 0 {
		t.tokens, t.filled = min(t.tokens+n, traceBurst), now
	}
	id := hit.Breakpoint
	t.newest = now
	if t.tokens == 0 || t.written >= traceMost {
		t.missed[id]++
		t.last[id] = hit
		return 0, false
	}
	t.tokens--
	t.written++
	missed = t.missed[id]
	delete(t.missed, id)
	delete(t.last, id)
	return missed, true
}

// Flush writes down what is still owed: the newest hit of each tracepoint, with
// the number of those before it.
func (t *Tracepoints) Flush() {
	t.mu.Lock()
	missed, last := t.missed, t.last
	t.missed, t.last = map[int]uint64{}, map[int]debugger.TraceHit{}
	t.written += len(last)
	t.mu.Unlock()
	for id, n := range missed {
		t.writeTrace(last[id], n-1)
	}
}

func (t *Tracepoints) writeTrace(hit debugger.TraceHit, missed uint64) {
	hit.Breakpoint = t.breaks.ours(hit.Breakpoint)
	t.Append(session.EngineActor, &session.TracepointHit{Hit: hit, Missed: missed})
}

// cutHit is a hit without control sequences, and of a size that can be kept. Strings keep
// theirs: they are quoted where they are shown.
func cutHit(hit debugger.TraceHit) debugger.TraceHit {
	hit.Values = hit.Values[:min(len(hit.Values), traceValues)]
	for i, v := range hit.Values {
		// In one line, as it will be shown; to look into a value, stop there.
		if v.Kind != reflect.String {
			v.Value = session.Clean(v.Value)
		}
		hit.Values[i] = debugger.Variable{Name: v.Name, Type: v.Type, Kind: v.Kind, Nil: v.Nil, Len: v.Len,
			Value: cut(v.Value), Unreadable: cut(session.Clean(v.Unreadable))}
	}
	return hit
}

func cut(text string) string {
	if utf8.RuneCountInString(text) <= traceValue {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == traceValue {
			return text[:i] + "…"
		}
	}
	return text
}

// traceWords is what a tracepoint reports, for people: a line, and one more for
// each frame that was asked for.
func traceWords(hit debugger.TraceHit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "▷ %s", session.TraceLine(hit))
	for _, f := range hit.Stack {
		fmt.Fprintf(&b, "\n    %s  %s:%d", session.ShortFunction(f.Function), f.File, f.Line)
	}
	return b.String()
}
