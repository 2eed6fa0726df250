package trace

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maruel/panicparse/v2/stack"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
)

// parse reads a block.
func parse(block []string, race bool) (Trace, bool) {
	if race {
		return parseRace(block)
	}
	body, ancestors := apart(block)
	text := strings.Join(body, "\n") + "\n"
	t := Trace{Panic: debugger.Panic{Class: debugger.Custom, Culprit: -1}}
	if c, ok := crash.Parse([]byte(text)); ok && c.Message != "" {
		t.Panic = debugger.Panic{Class: c.Class, Message: c.Message, Fault: c.Fault(), Recovered: c.Recovered, Repanicked: c.Repanicked, Chain: c.Chain, Raised: c.Raised, Culprit: -1}
		t.Fatal, t.died = c.Fatal, true
	} else {
		t.Truncated = true // what it died of is not there
	}
	t.Goroutines = goroutines(strings.Join(body[max(slices.IndexFunc(body, isGoroutine), 0):], "\n") + "\n") // not those in its message
	if len(t.Goroutines) == 0 {
		return t, false
	}
	t.Truncated = t.Truncated || t.Goroutines[0].ID == 0
	if len(ancestors) > 0 { // the runtime prints them below the goroutine that they led to
		t.Goroutines[0].Ancestors = ancestors
	}
	return t, true
}

// goroutines are those of a text, in its order.
func goroutines(text string) []Goroutine {
	snapshot, _, err := stack.ScanSnapshot(strings.NewReader(text), io.Discard, &stack.Opts{})
	if snapshot == nil || err != nil && !errors.Is(err, io.EOF) && len(snapshot.Goroutines) == 0 {
		return nil
	}
	list := make([]Goroutine, 0, len(snapshot.Goroutines))
	for _, g := range snapshot.Goroutines {
		one := goroutine(&g.Signature)
		one.ID = debugger.GoroutineID(g.ID)
		list = append(list, one)
	}
	return list
}

func goroutine(s *stack.Signature) Goroutine {
	out := Goroutine{Elided: s.Stack.Elided}
	out.State, out.WaitReason = state(s.State)
	out.Waited = time.Duration(s.SleepMax) * time.Minute
	if s.Locked {
		out.WaitReason = strings.TrimPrefix(out.WaitReason+", locked to thread", ", ")
	}
	for i := range s.Stack.Calls {
		out.Frames = append(out.Frames, frame(i, &s.Stack.Calls[i]))
	}
	if calls := s.CreatedBy.Calls; len(calls) > 0 {
		out.CreatedBy = frame(0, &calls[0])
		if name, id, ok := strings.Cut(out.CreatedBy.Function, " in goroutine "); ok {
			n, _ := strconv.ParseInt(id, 10, 64) // 0 where it is no number
			out.CreatedBy.Function, out.Creator = name, debugger.GoroutineID(n)
		}
		out.CreatedBy.Args, out.CreatedBy.Loaded = nil, false
		out.GoAt = out.CreatedBy
	}
	out.User = outermostOf(out.Frames)
	if n := len(out.Frames); n > 0 {
		out.Start = out.Frames[n-1]
		out.Start.Args = nil
	}
	return out
}

// outermostOf is the innermost frame outside of the runtime.
func outermostOf(frames []debugger.Frame) debugger.Frame {
	for _, f := range frames {
		if !f.Runtime {
			f.Args, f.Loaded = nil, false
			return f
		}
	}
	return debugger.Frame{}
}

// state tells running goroutines from those that wait, and for what.
func state(text string) (state, reason string) {
	switch text {
	case "", "running", "runnable", "syscall", "idle", "dead", "unknown", "finished":
		return text, ""
	}
	return "waiting", text
}

func frame(index int, c *stack.Call) debugger.Frame {
	name := debugger.Unescaped(c.Func.Complete)
	f := debugger.Frame{Index: index, Function: name, File: c.RemoteSrcPath, Line: c.Line,
		Runtime: name == "panic" || strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.HasPrefix(name, "runtime/debug.") || debugger.PauseFrame(name),
		Loaded:  true, Args: words(name, &c.Args)}
	return f
}

// apart takes the stacks of ancestors out of a block.
func apart(block []string) (body []string, ancestors []debugger.Ancestor) {
	for i := 0; i < len(block); i++ {
		id := ancestorOf(block[i])
		if id == "" {
			body = append(body, block[i])
			continue
		}
		end := i + 1
		for end < len(block) && ancestorOf(block[end]) == "" && !isHeader(block[end]) && block[end] != "" {
			end++
		}
		text := "goroutine " + id + " [running]:\n" + strings.Join(block[i+1:end], "\n") + "\n"
		if list := goroutines(text); len(list) == 1 {
			ancestors = append(ancestors, debugger.Ancestor{ID: list[0].ID, Frames: list[0].Frames})
		}
		i = end - 1
	}
	return body, ancestors
}

// parseRace reads a report of the race detector.
func parseRace(block []string) (Trace, bool) {
	text := raceEnd + "\n" + strings.Join(block, "\n") + "\n"
	// The library knows goroutines by their numbers only.
	text = strings.NewReplacer("by main goroutine:", "by goroutine 1:").Replace(text)
	t := Trace{Race: true, died: true, Panic: debugger.Panic{Class: debugger.Fatal, Message: "data race", Culprit: -1}}
	snapshot, _, _ := stack.ScanSnapshot(strings.NewReader(text), io.Discard, &stack.Opts{}) // what was understood is in the snapshot
	if snapshot == nil || !snapshot.IsRace() {
		return t, false
	}
	for i, g := range snapshot.Goroutines {
		one := goroutine(&g.Signature)
		one.ID = debugger.GoroutineID(g.ID)
		one.Race = "read"
		if g.RaceWrite {
			one.Race = "write"
		}
		if i > 0 {
			one.Race = "previous " + one.Race
		}
		t.Goroutines = append(t.Goroutines, one)
	}
	if len(t.Goroutines) == 0 {
		return t, false
	}
	var parts []string
	for _, g := range t.Goroutines {
		parts = append(parts, fmt.Sprintf("%s by goroutine %d", g.Race, g.ID))
	}
	t.Panic.Message = "data race: " + strings.Join(parts, ", ")
	t.Truncated = len(t.Goroutines) < 2
	return t, true
}
