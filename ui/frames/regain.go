package frames

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Regained is a program that can set the modes of its terminal again, because another
// program has used it meanwhile: it leaves the screen for a frame, and comes back. Its input
// goes on. It also requests the size again after each change: Bubble Tea sends the first size from
// a separate goroutine, possibly after later ones (v2.0.9).
type Regained struct {
	tea.Model
	Pace *Pace // may be nil
	away bool
	size tea.WindowSizeMsg
}

// againMsg: the terminal is ours again. backMsg: the screen has been left for a frame.
type (
	againMsg struct{}
	backMsg  struct{}
)

// awayTime is longer than frames are apart.
const awayTime = 100 * time.Millisecond

// Update implements tea.Model.
func (r *Regained) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd, again tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg != r.size {
			r.size, again = msg, tea.Tick(awayTime, func(time.Time) tea.Msg { return tea.RequestWindowSize() })
		}
	case againMsg:
		r.away = true
		return r, tea.Tick(awayTime, func(time.Time) tea.Msg { return backMsg{} })
	case backMsg:
		r.away = false
		return r, tea.ClearScreen
	}
	r.Model, cmd = r.Model.Update(msg)
	return r, tea.Batch(cmd, again)
}

// View implements tea.Model.
func (r *Regained) View() tea.View {
	if !r.away {
		return r.Model.View()
	}
	r.Pace.Drawn() // the screen may have been at rest
	return tea.View{DisableBracketedPasteMode: true}
}

// Regain tells a program of every return of its terminal.
func Regain(ctx context.Context, program *tea.Program, continued func(context.Context) <-chan struct{}) {
	if continued == nil {
		return
	}
	for again := continued(ctx); ; {
		select {
		case <-ctx.Done():
			return
		case <-again:
			program.Send(againMsg{})
		}
	}
}
