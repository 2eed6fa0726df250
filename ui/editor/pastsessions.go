package editor

import (
	"os/exec"

	tea "charm.land/bubbletea/v2"
)

// PastDoneMsg: the browser of past sessions has ended.
type PastDoneMsg struct{ Err error }

// LeftPast says what went wrong in the browser.
func (ed *Editor) LeftPast(err error) {
	if err != nil {
		ed.Say("warn", "past sessions: "+err.Error())
	}
}

// PastSessions hands the terminal to the browser of past sessions. The target
// stays as it is meanwhile.
func (ed *Editor) PastSessions() tea.Cmd {
	words := ed.Opts.Sessions
	if len(words) == 0 {
		ed.Say("warn", "past sessions cannot be shown here: pausetui sessions does")
		return nil
	}
	cmd := exec.CommandContext(ed.Base, words[0], words[1:]...)
	return tea.Exec(&onTerminal{Cmd: cmd}, func(err error) tea.Msg { return PastDoneMsg{err} })
}
