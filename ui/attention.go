package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// Notify says how a person is called back who looks elsewhere.
type Notify struct {
	After   time.Duration // how long something must have taken; 0 never notifies
	Bell    bool
	Desktop string              // "osc9", "osc777", "off", or "auto" (also empty): where the terminal is known to show it
	Getenv  func(string) string // the environment, to know the terminal by; nil for none
}

// attention knows whether the person is looking, and since when something is
// under way.
type attention struct {
	reported bool   // the terminal reports its focus
	blurred  bool   // it has none
	terminal string // as it names itself
	running  time.Time
	proving  time.Time
}

// ask has the terminal say what it is and whether it reports its focus.
func (a *attention) ask() tea.Cmd {
	return tea.Batch(tea.RequestTerminalVersion, tea.Raw(ansi.RequestModeFocusEvent))
}

// heard takes what the terminal says of itself.
func (a *attention) heard(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.FocusMsg:
		a.reported, a.blurred = true, false
	case tea.BlurMsg:
		a.reported, a.blurred = true, true
	case tea.TerminalVersionMsg:
		a.terminal = msg.Name
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeFocusEvent && !msg.Value.IsNotRecognized() {
			a.reported = true
		}
	}
}

// away tells whether a notice may be of use: the person looks elsewhere, or the
// terminal cannot tell.
func (a *attention) away() bool { return !a.reported || a.blurred }

// noticed follows what is under way; it calls the person when a long run stops
// or a long proof ends.
func (m *model) noticed(events []session.Event) tea.Cmd {
	a := &m.attention
	var words string
	for _, e := range events {
		switch b := e.Body.(type) {
		case *session.Resumed, *session.Launched:
			if a.running.IsZero() {
				a.running = e.At
			}
		case *session.Stopped:
			if m.long(a.running, e.At) {
				words = stoppedBriefly(b.Stop)
			}
			a.running = time.Time{}
		case *session.Proposed:
			if a.proving.IsZero() {
				a.proving = e.At
			}
		case *session.Proved:
			if m.unproved() > 0 {
				continue
			}
			if m.long(a.proving, e.At) && words == "" {
				words = m.provedBriefly()
			}
			a.proving = time.Time{}
		}
	}
	if words == "" || !a.away() {
		return nil
	}
	return tea.Raw(m.call(words))
}

// long tells whether something that began then has taken long enough.
func (m *model) long(began, now time.Time) bool {
	return m.opts.Notify.After > 0 && !began.IsZero() && now.Sub(began) >= m.opts.Notify.After
}

// unproved counts the candidates whose proof has not ended.
func (m *model) unproved() int {
	n := 0
	if i := m.ctx.State.CaseIndex(); i >= 0 {
		for _, c := range m.ctx.State.Stops[i].Candidates {
			if c.Verdict == nil {
				n++
			}
		}
	}
	return n
}

func (m *model) provedBriefly() string {
	verified := 0
	for _, c := range m.ctx.State.Stops[m.ctx.State.CaseIndex()].Candidates {
		if c.Verified() {
			verified++
		}
	}
	return text.Plural(int64(verified), "verified fix")
}

// call is the bell and the desktop's notice, as the terminal takes them.
func (m *model) call(words string) string {
	out := ""
	if m.opts.Notify.Bell {
		out = "\a"
	}
	body := "pausetui: " + words
	if target := m.ctx.State.Started.Target(); target != "" {
		body += " · " + target
	}
	body = strings.ReplaceAll(text.Cut(text.Line(body), 200), ";", ",")
	switch m.opts.Notify.Way(m.attention.terminal) {
	case "osc9":
		out += m.through(ansi.Notify(body))
	case "osc777":
		out += m.through("\x1b]777;notify;pausetui;" + strings.TrimPrefix(body, "pausetui: ") + "\x1b\\")
	}
	return out
}

// knownTerminals are those that show a desktop's notice, by how they name
// themselves, or a variable that they set: the latter is all that is known of
// the terminal around tmux.
var knownTerminals = []struct{ name, variable, way string }{
	{"iTerm2", "ITERM_SESSION_ID", "osc9"},
	{"WezTerm", "WEZTERM_PANE", "osc9"},
	{"ghostty", "GHOSTTY_RESOURCES_DIR", "osc9"},
	{"kitty", "KITTY_WINDOW_ID", "osc9"},
	{"foot", "", "osc777"},
	{"rxvt", "", "osc777"},
}

// Way is how a notice of the desktop is sent: "osc9", "osc777", "off", or empty
// where the terminal is not known to show one. It may have named itself.
func (n Notify) Way(terminal string) string {
	switch n.Desktop {
	case "", "auto":
	default:
		return n.Desktop
	}
	for _, t := range knownTerminals {
		if strings.HasPrefix(strings.ToLower(terminal), strings.ToLower(t.name)) || t.variable != "" && n.env(t.variable) != "" ||
			strings.HasPrefix(n.env("TERM"), strings.ToLower(t.name)) {
			return t.way
		}
	}
	return ""
}

func (n Notify) env(name string) string {
	if n.Getenv == nil {
		return ""
	}
	return n.Getenv(name)
}

// through lets a sequence reach the terminal around tmux, where tmux is told to
// let it (set -g allow-passthrough on), or around screen.
func (m *model) through(seq string) string {
	switch {
	case m.opts.Notify.env("TMUX") != "":
		return ansi.TmuxPassthrough(seq)
	case strings.HasPrefix(m.opts.Notify.env("TERM"), "screen"):
		return ansi.ScreenPassthrough(seq, 0)
	}
	return seq
}

// windowTitle says what the target is doing, for tabs and task bars.
func (m *model) windowTitle() string {
	parts := []string{"pausetui"}
	if words := m.briefly(); words != "" {
		parts = append(parts, words)
	}
	if target := m.ctx.State.Started.Target(); target != "" {
		parts = append(parts, target)
	}
	return text.Cut(text.Line(strings.Join(parts, " · ")), 120)
}

// briefly is the state of the target with its sign.
func (m *model) briefly() string {
	s := m.ctx.State
	switch s.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		return "◌ building"
	case session.PhaseBroken:
		return "✗ " + notRunning(s)
	case session.PhaseStarting, session.PhaseRunning:
		if m.lingers() {
			break // a step: the title does not flicker
		}
		return "● running"
	case session.PhaseEnded:
		return "ended"
	}
	if !m.ctx.Held {
		return ""
	}
	return "■ " + stoppedBriefly(m.ctx.Stop.Stop)
}

// stoppedBriefly is why the target stopped, in a word or two.
func stoppedBriefly(s debugger.Stop) string {
	switch {
	case s.Exit != nil && s.Exit.Signal != "":
		return "killed by " + text.Line(s.Exit.Signal)
	case s.Exit != nil:
		return "exit " + text.Count(int64(s.Exit.Code))
	case s.Panic != nil:
		return text.Line(string(s.Panic.Class))
	case s.Reason == debugger.ReasonStep:
		return "stepped"
	case s.Reason == debugger.ReasonHalt:
		return "halted"
	}
	return string(s.Reason)
}
