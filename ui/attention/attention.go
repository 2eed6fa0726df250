// Package attention knows whether the person looks at the screen, and calls them back
// when a long run stops or a long proof ends.
package attention

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/text"
)

// Attention knows whether the person is looking, and since when something is
// under way.
type Attention struct {
	*common.Common
	reported bool   // the terminal reports its focus
	blurred  bool   // it has none
	terminal string // as it names itself
	Running  time.Time
	proving  time.Time
}

// Ask has the terminal say what it is and whether it reports its focus.
func (at *Attention) Ask() tea.Cmd {
	return tea.Batch(tea.RequestTerminalVersion, tea.Raw(ansi.RequestModeFocusEvent))
}

// Heard takes what the terminal says of itself.
func (at *Attention) Heard(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.FocusMsg:
		at.reported, at.blurred = true, false
	case tea.BlurMsg:
		at.reported, at.blurred = true, true
	case tea.TerminalVersionMsg:
		at.terminal = msg.Name
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeFocusEvent && !msg.Value.IsNotRecognized() {
			at.reported = true
		}
	}
}

// away reports whether a notice may be of use: the person looks elsewhere, or the
// terminal cannot tell.
func (at *Attention) away() bool { return !at.reported || at.blurred }

// Noticed follows what is under way; it calls the person when a long run stops
// or a long proof ends.
func (at *Attention) Noticed(events []session.Event) tea.Cmd {
	var words string
	for _, e := range events {
		switch b := e.Body.(type) {
		case *session.Resumed, *session.Launched:
			if at.Running.IsZero() {
				at.Running = e.At
			}
		case *session.Stopped:
			if at.long(at.Running, e.At) {
				words = common.StoppedBriefly(b.Stop)
			}
			at.Running = time.Time{}
		case *session.Proposed:
			if at.proving.IsZero() {
				at.proving = e.At
			}
		case *session.Proved:
			if at.unproved() > 0 {
				continue
			}
			if at.long(at.proving, e.At) && words == "" {
				words = at.provedBriefly()
			}
			at.proving = time.Time{}
		}
	}
	if words == "" || !at.away() {
		return nil
	}
	return tea.Raw(at.call(words))
}

// long reports whether something that began then has taken long enough.
func (at *Attention) long(began, now time.Time) bool {
	return at.Opts.Notify.After > 0 && !began.IsZero() && now.Sub(began) >= at.Opts.Notify.After
}

// unproved counts the candidates whose proof has not ended.
func (at *Attention) unproved() int {
	n := 0
	if i := at.Ctx.State.CaseIndex(); i >= 0 {
		for _, c := range at.Ctx.State.Stops[i].Candidates {
			if c.Verdict == nil {
				n++
			}
		}
	}
	return n
}

func (at *Attention) provedBriefly() string {
	verified := 0
	for _, c := range at.Ctx.State.Stops[at.Ctx.State.CaseIndex()].Candidates {
		if c.Verified() {
			verified++
		}
	}
	return text.Plural(int64(verified), "verified fix")
}

// call is the bell and the desktop's notice, as the terminal takes them.
func (at *Attention) call(words string) string {
	out := ""
	if at.Opts.Notify.Bell {
		out = "\a"
	}
	body := "pausetui: " + words
	if target := common.TargetName(at.Ctx.State.Started); target != "" {
		body += " · " + target
	}
	body = strings.ReplaceAll(text.Cut(text.Line(body), 200), ";", ",")
	switch at.Opts.Notify.Way(at.terminal) {
	case "osc9":
		out += at.through(ansi.Notify(body))
	case "osc777":
		out += at.through("\x1b]777;notify;pausetui;" + strings.TrimPrefix(body, "pausetui: ") + "\x1b\\")
	}
	return out
}

// through lets a sequence reach the terminal around tmux, where tmux is set to
// let it (set -g allow-passthrough on), or around screen.
func (at *Attention) through(seq string) string {
	switch {
	case at.Opts.Notify.Env("TMUX") != "":
		return ansi.TmuxPassthrough(seq)
	case strings.HasPrefix(at.Opts.Notify.Env("TERM"), "screen"):
		return ansi.ScreenPassthrough(seq, 0)
	}
	return seq
}

// WindowTitle says what the target is doing, for tabs and task bars.
func (at *Attention) WindowTitle() string {
	parts := []string{"pausetui"}
	if words := at.briefly(); words != "" {
		parts = append(parts, words)
	}
	if target := common.TargetName(at.Ctx.State.Started); target != "" {
		parts = append(parts, target)
	}
	return text.Cut(text.Line(strings.Join(parts, " · ")), 120)
}

// briefly is the state of the target with its sign.
func (at *Attention) briefly() string {
	s := at.Ctx.State
	switch s.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		return "◌ building"
	case session.PhaseBroken:
		return "✗ " + common.NotRunning(s)
	case session.PhaseStarting, session.PhaseRunning:
		if at.Lingers() {
			break // a step: the title does not flicker
		}
		return "● running"
	case session.PhaseEnded:
		return "ended"
	}
	if !at.Ctx.Held {
		return ""
	}
	return "■ " + common.StoppedBriefly(at.Ctx.Stop.Stop)
}
