// Package status draws what the screen says of the session next to its panes: the line
// at the top, the card of a stop, the panels of a build.
package status

import (
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/timeline"
)

// Status draws what the screen says of the session next to its panes: the lines at
// the top, the card of a stop, the panels of a build.
type Status struct {
	*common.Common
	Timeline *timeline.Timeline
}

// stateLeft is the room that what is debugged has next to what it is doing, which
// matters more.
const stateLeft = 14

// Line is the first line: what is debugged, and what it is doing.
func (st *Status) Line(w int) string {
	t := st.Ctx.Theme
	s := st.Ctx.State
	target := strings.TrimSpace(common.TargetName(s.Started) + " " + s.Started.Arguments())
	left := " " + t.FocusTitle.Render("pausetui") + "  " + text.Line(target)
	parts := []string{st.doing()}
	if words := remoteWords(s); words != "" {
		parts = append(parts, t.Warn.Render(words))
	}
	if s.Started.ID != "" && w >= 100 {
		parts = append(parts, t.Faint.Render("session "+text.Line(s.Started.ID)))
	}
	if words := text.Line(st.Ctx.Live.Status); words != "" {
		parts = append(parts, t.Faint.Render(words))
	}
	for len(parts) > 1 && text.Width(strings.Join(parts, " · "))+text.Width(left)+3 > w {
		parts = parts[:len(parts)-1]
	}
	right := text.Cut(strings.Join(parts, t.Faint.Render(" · ")), max(w-stateLeft, 1))
	return text.Sides(left, right+" ", w)
}

// doing is what the target does, with its sign.
func (st *Status) doing() string {
	t := st.Ctx.Theme
	if st.Past != nil {
		return t.WarnStrong.Render("◷ viewing an earlier stop") + t.Dim.Render(" · the program "+text.Line(st.Timeline.NowWords()))
	}
	s := st.Ctx.State
	if st.Screen() == layout.Broken && s.Phase == session.PhaseStopped {
		return t.StopStrong.Render("✗ "+common.NotRunning(s)) + t.Dim.Render(" · the program is held as it was")
	}
	switch s.Phase {
	case session.PhaseNew:
		return t.Dim.Render("◌ starting")
	case session.PhaseBuilding:
		return t.Focus.Render("◌ building")
	case session.PhaseBroken:
		return t.StopStrong.Render("✗ " + common.NotRunning(s))
	case session.PhaseStarting:
		return t.Focus.Render("◌ launching")
	case session.PhaseRunning:
		return st.running()
	case session.PhaseExited:
		return st.exited()
	case session.PhaseEnded:
		return t.Dim.Render("session ended")
	}
	return st.stoppedWords()
}

func (st *Status) running() string {
	t := st.Ctx.Theme
	words := t.Good.Render("● running")
	if !st.Ctx.Live.Running.IsZero() {
		words += " " + text.Seconds(st.Ctx.Now.Sub(st.Ctx.Live.Running))
	}
	if st.Typing && !st.Lay.Whole {
		return words + t.Dim.Render(" · typing into it, esc leaves")
	}
	return words + t.Dim.Render(" · "+st.Keys.Key(keymap.Interrupt)+" halts")
}

func (st *Status) exited() string {
	t := st.Ctx.Theme
	if e := st.Ctx.Stop.Stop.Exit; st.Ctx.Held && e != nil {
		words := pane.ExitWords(*e) + " after " + text.Duration(st.Ctx.Stop.Ran)
		if e.Signal != "" || e.Code != 0 {
			return t.WarnStrong.Render("■ " + words)
		}
		return t.Dim.Render("■ " + words)
	}
	return t.Dim.Render("■ ended")
}

func (st *Status) stoppedWords() string {
	t := st.Ctx.Theme
	stop := st.Ctx.Stop
	after := ""
	if stop.Ran > 0 {
		after = " after " + text.Duration(stop.Ran)
	}
	mode := st.Ctx.State.Started.Mode
	words := t.WarnStrong.Render("■ " + text.Cut(text.Line(session.StopHead(stop.Stop)), max(st.Width/3, 20)))
	if stop.Stop.Panic != nil && !stop.Stop.Hangs() {
		words = t.StopStrong.Render("■ stopped")
	}
	if stop.Stop.Reason == debugger.ReasonFound {
		words = t.WarnStrong.Render("■ " + mode.Found())
	}
	narrow := st.Width < 100 && stop.Stop.Panic == nil // then the place matters more
	if narrow || stop.Stop.Reason == debugger.ReasonStep || stop.Stop.Reason == debugger.ReasonFound || mode.Kind == session.ModeTrace {
		after = ""
	}
	words += t.Dim.Render(after)
	if stop.Stop.Panic == nil {
		if f, ok := stop.Stop.SelectedFrame(); ok && f.Function != "" {
			place := " · " + text.Place(f.File, f.Line)
			room := st.Width - stateLeft - text.Width(words) - text.Width(place) - 3
			if function := text.CutLeft(text.Line(text.Function(f.Function)), room); room > 1 {
				words += t.Dim.Render(" · " + function)
			}
			words += t.Dim.Render(place)
		}
	}
	if n := st.Ctx.Store.Goroutines().Living(stop.Stop.Goroutines); n > 0 && !narrow {
		words += t.Dim.Render(" · " + text.Plural(int64(n), "goroutine"))
	}
	return words
}

// moment says how far before the crash a session in the past is held.
func (st *Status) moment() string {
	if words := st.Ctx.Live.Moment; words != "" && st.Ctx.State.Phase == session.PhaseStopped {
		return ", " + words
	}
	return ""
}

// Banner is the judgement of the last applied candidate: one line that cannot
// be missed. It is empty when there is nothing to say.
func (st *Status) Banner() string {
	t := st.Ctx.Theme
	if st.Past != nil {
		return t.ChipWarn.Render(text.Fit(" "+st.Timeline.PastWords(st.Width-1), st.Width))
	}
	switch s := st.Ctx.State; {
	case common.InPast(s) && s.Phase == session.PhaseExited:
		return t.ChipWarn.Render(fitting(st.Width, " ◷ the past: the run has ended", "", " · "+st.Keys.Key(keymap.ToStop)+" returns to the present"))
	case common.InPast(s):
		middle := " · " + st.Keys.Key(keymap.RevNext) + " back"
		if st.Ctx.Live.Varies {
			middle += " · values differ from run to run"
		}
		return t.ChipWarn.Render(fitting(st.Width, " ◷ the past"+st.moment(), middle, " · "+st.Keys.Key(keymap.ToStop)+" returns"))
	}
	a, ok := st.Ctx.State.Undoable()
	if !ok || a.Judgement != "" && (a.Round != st.Ctx.State.Round || a.Stops != len(st.Ctx.State.Stops)) { // another stop is shown
		return ""
	}
	undo := st.Keys.Key(keymap.Undo) + " undoes"
	j := st.Ctx.State.Judged
	if j == nil {
		return t.ChipQuiet.Render(fitting(st.Width, " ◌ applied "+pane.Fix(a.Candidate), " · watching whether the panic comes back", " · "+undo))
	}
	evidence := text.Line(j.Evidence)
	if len(st.Ctx.State.Applied) > 1 {
		evidence = pane.Fix(a.Candidate) + ": " + evidence
	}
	switch j.Judgement {
	case session.Fixed:
		if c, ok := st.Ctx.State.Candidate(a.Candidate); ok && c.Verdict != nil && c.Verdict.Masking && !c.Verdict.Confirmed {
			return t.ChipWarn.Render(fitting(st.Width, " ⚠ no panic, but the fix "+string(c.Effect()), ": "+text.Line(c.Verdict.How), " · "+undo))
		}
		return t.ChipGood.Render(fitting(st.Width, " ✓ fixed", ": "+evidence, " · "+undo))
	case session.CameBack:
		again := " · " + st.Keys.Key(keymap.Ask) + " asks again"
		learned := again + " with what was learned"
		if words := " ✗ came back: " + evidence + learned + " · " + undo; text.Width(words) <= st.Width {
			again = learned
		}
		return t.ChipStop.Render(fitting(st.Width, " ✗ came back", ": "+evidence, again+" · "+undo))
	}
	return t.ChipWarn.Render(fitting(st.Width, " ? not reached", ": "+evidence, " · "+undo))
}

// fitting is a line of w cells whose middle is cut where it does not fit: what it
// says first, and the keys at its end, stay.
func fitting(w int, head, middle, keys string) string {
	room := max(w-text.Width(head)-text.Width(keys), 0)
	return text.Fit(head+text.Cut(middle, room)+keys, w)
}

// remoteWords names the hosts that prompts of this session may go to; empty
// when nothing leaves this machine.
func remoteWords(s session.State) string {
	var hosts []string
	seen := map[string]bool{}
	for _, c := range s.Consents {
		if last, _ := s.Consent(c.Host, c.Model); last.Given && !seen[c.Host] {
			seen[c.Host] = true
			hosts = append(hosts, text.Line(c.Host))
		}
	}
	if len(hosts) > 0 {
		return "remote: " + strings.Join(hosts, ", ")
	}
	for _, r := range s.Requests { // agreed to in an earlier session
		if r.Asked.Source.Remote && r.Answered != nil && r.Answered.Err == "" {
			return "remote: " + text.Line(r.Asked.Source.Provider)
		}
	}
	return ""
}

// Small says calmly that there is no room.
func (st *Status) Small() []string {
	minimum := strconv.Itoa(layout.MinWidth) + " × " + strconv.Itoa(layout.MinHeight)
	words := []string{"pausetui needs", minimum + " cells,", "this is " + strconv.Itoa(st.Width) + " × " + strconv.Itoa(st.Height) + ".", "Enlarge the terminal."}
	if st.Width >= 56 {
		words = []string{"This terminal is too small.", "pausetui needs " + minimum + " cells; this is " + strconv.Itoa(st.Width) + " × " + strconv.Itoa(st.Height) + "."}
	}
	words = words[:min(len(words), st.Height)]
	top := (st.Height - len(words)) / 2
	out := make([]string, st.Height)
	for i := range out {
		line := ""
		if j := i - top; j >= 0 && j < len(words) {
			line = strings.Repeat(" ", max((st.Width-text.Width(words[j]))/2, 0)) + words[j]
		}
		out[i] = text.Fit(line, st.Width)
	}
	return out
}
