package target

import (
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// Recall takes up the breakpoints that earlier sessions of this
// module have left, each where its line is now.
func (bs *Breakpoints) Recall() {
	if bs.Opts.Stores.Breakpoints == nil {
		return
	}
	list, err := bs.Opts.Stores.Breakpoints.Load(bs.Workspace.Root)
	if err != nil {
		bs.Notice("warn", err.Error(), "")
	}
	bs.recalled = map[int]bool{}
	for _, b := range list {
		b.File = bs.Workspace.Abs(b.File)
		if b.Hits = 0; b.Place == debugger.PlaceMoved { // which was an earlier session's news
			b.Place, b.Was = "", 0
		}
		bs.Last++
		b.ID = bs.Last
		bs.recalled[b.ID] = true
		bs.Append(session.EngineActor, &session.BreakpointSet{Breakpoint: Relocated(b)})
	}
	words, hint := fmt.Sprintf("%d breakpoints from earlier sessions", len(list)), "B lists them"
	if len(list) == 1 {
		words, hint = "1 breakpoint from an earlier session", "B lists it"
	}
	switch mode := bs.Opts.Target.Mode; {
	case len(list) == 0:
	case mode.Lives() && !mode.Starts(): // others may wait for what the process does
		bs.Notice("warn", words+" can stop the process", hint+", :clearall removes them")
	default:
		bs.Notice("info", words, hint)
	}
}

// betweenSaves is how often at most the breakpoints are saved: many may come at once.
const betweenSaves = 200 * time.Millisecond

// SaveSoon remembers the breakpoints for later sessions: now, or a moment after they
// were saved the last time.
func (bs *Breakpoints) SaveSoon() {
	if !bs.changed || bs.toSave {
		return
	}
	wait := betweenSaves - time.Since(bs.saved)
	if wait <= 0 {
		bs.Save()
		return
	}
	bs.toSave = true
	bs.Job(func() {
		select {
		case <-time.After(wait):
			bs.Post(func() { bs.toSave = false; bs.Save() })
		case <-bs.Ctx.Done():
		}
	})
}

// Save remembers the breakpoints: all but those on values, whose memory is gone then.
func (bs *Breakpoints) Save() {
	if bs.Opts.Stores.Breakpoints == nil || !bs.changed {
		return
	}
	bs.changed, bs.saved = false, time.Now()
	var list []debugger.Breakpoint
	for _, b := range bs.State().Breakpoints {
		if b.Watch != "" || b.Session {
			continue
		}
		b.File, b.OnGoroutine, b.Hits, b.At, b.Lines = bs.Workspace.Rel(b.File), 0, 0, debugger.FrameRef{}, nil
		list = append(list, b)
	}
	if err := bs.Opts.Stores.Breakpoints.Save(bs.Workspace.Root, list); err != nil && !bs.unsaved {
		bs.unsaved = true // once is enough
		bs.Notice("warn", err.Error(), "breakpoints are kept for this session only")
	}
}

// SetAgain sets all breakpoints in a fresh target, each where its
// line is now. Those that are lost, or on values that are not there yet,
// stay in the list and say so.
func (bs *Breakpoints) SetAgain() {
	bs.InTarget = map[int]int{}
	asBuilt := bs.AsBuilt
	bs.AsBuilt = false
	for _, b := range bs.State().Breakpoints {
		if b.OnGoroutine != 0 {
			bs.Notice("info", fmt.Sprintf("breakpoint %d was for goroutine %d of the last run; it now stops any goroutine", b.ID, b.OnGoroutine), "B changes it")
			b.OnGoroutine = 0
		}
		if b.Watch != "" {
			b.At = debugger.FrameRef{} // the frame was one of the last run
		}
		if b.Watch == "" && !asBuilt {
			was := b.Place
			if b = Relocated(b); b.Place == debugger.PlaceLost && was != debugger.PlaceLost {
				bs.Notice("warn", fmt.Sprintf("breakpoint %d is lost: its line %q is gone from %s", b.ID, b.Text, bs.Workspace.Rel(b.File)), "B lists it")
			}
		}
		if b.Place == debugger.PlaceLost && b.Watch == "" {
			bs.note(session.EngineActor, b)
			continue
		}
		b.Hits = 0
		if awaited := b.Why == LookedUpLater; awaited {
			bs.setAwaited(b)
			continue
		}
		bs.setInTarget(session.EngineActor, b, false)
	}
}

// Relocated is a breakpoint where its line is found by its text, nearest to
// where it was, or lost. One that names a function or an expression is looked
// up by that.
func Relocated(b debugger.Breakpoint) debugger.Breakpoint {
	if b.Location != "" || b.Text == "" {
		return b
	}
	line, ok := relocate(b)
	switch {
	case !ok:
		b.Place, b.Why = debugger.PlaceLost, "its line is gone"
	case line != b.Line:
		b.Place, b.Why, b.Was, b.Line = debugger.PlaceMoved, "", b.Line, line
	case b.Place == debugger.PlaceLost:
		b.Place, b.Why = "", ""
	}
	return b
}

// relocate finds the line of a breakpoint by its text, the nearest one first.
func relocate(b debugger.Breakpoint) (int, bool) {
	if b.Text == "" || workspace.Line(b.File, b.Line) == b.Text {
		return b.Line, true
	}
	data, err := regular.Read(b.File)
	if err != nil {
		return 0, false
	}
	best, found := 0, false
	for i, text := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(text) != b.Text {
			continue
		}
		if !found || distance(i+1, b.Line) < distance(best, b.Line) {
			best, found = i+1, true
		}
	}
	return best, found
}

func distance(a, b int) int { return max(a-b, b-a) }

// Carry moves breakpoints through edits that were just written: with
// their line, also where the edit has changed that line.
func (bs *Breakpoints) Carry(edits []patch.Edit) {
	for _, edit := range edits {
		file := bs.Workspace.Abs(edit.File)
		for _, b := range bs.State().Breakpoints {
			if b.File != file || b.Location != "" || b.Watch != "" || b.Place == debugger.PlaceLost {
				continue
			}
			line, ok := edit.LineAfter(b.Line)
			moved := b
			if !ok {
				moved.Place, moved.Why = debugger.PlaceLost, "the change took its line away"
				bs.Notice("warn", fmt.Sprintf("breakpoint %d is lost: the change took its line %q away", b.ID, b.Text), "B lists it")
			} else {
				moved.Line, moved.Text = line, workspace.Line(file, line)
				if line != b.Line {
					moved.Place, moved.Was = debugger.PlaceMoved, b.Line
				}
			}
			if moved.Line != b.Line || moved.Text != b.Text || moved.Place != b.Place {
				bs.note(session.EngineActor, moved)
			}
		}
	}
}

// Take puts into the list what a script, or another client of the same server, has done
// with breakpoints. Those of another client are not kept for later sessions.
func (bs *Breakpoints) Take(actor string, another bool) error {
	if bs.Runner == nil || bs.Runner.targetless() {
		return nil
	}
	set, gone, err := bs.Runner.Round.Target.TakeBreakpoints(bs.Ctx)
	if err != nil {
		return err
	}
	for _, b := range set {
		ours := bs.ours(b.ID)
		if ours == 0 {
			b.Session = another
			bs.Last++
			ours = bs.Last
		}
		bs.landed(actor, ours, b)
	}
	for _, theirs := range gone {
		if ours := bs.ours(theirs); ours != 0 {
			delete(bs.InTarget, ours)
			bs.Append(actor, &session.BreakpointCleared{ID: ours})
			bs.changed = true
		}
	}
	return nil
}
