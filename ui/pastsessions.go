package ui

import (
	"os/exec"

	tea "charm.land/bubbletea/v2"
)

// pastDoneMsg: the browser of past sessions has ended.
type pastDoneMsg struct{ err error }

// leftPast says what went wrong in the browser.
func (ed *editor) leftPast(err error) {
	if err != nil {
		ed.Say("warn", "past sessions: "+err.Error())
	}
}

// pastSessions hands the terminal to the browser of past sessions. The target
// stays as it is meanwhile.
func (ed *editor) pastSessions() tea.Cmd {
	words := ed.Opts.Sessions
	if len(words) == 0 {
		ed.Say("warn", "past sessions cannot be shown here: pausetui sessions does")
		return nil
	}
	cmd := exec.CommandContext(ed.Base, words[0], words[1:]...)
	return tea.Exec(&onTerminal{Cmd: cmd}, func(err error) tea.Msg { return pastDoneMsg{err} })
}
