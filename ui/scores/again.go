package scores

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
)

// readEvery is the time between two readings of a run that is under way.
const readEvery = 2 * time.Second

// grown is a run that was read again.
type grown struct {
	run  Run // nil: nothing is new
	more bool
	err  error
}

// readAgain reads the run after a while; nil where it is complete.
func (m *model) readAgain() tea.Cmd {
	again, ctx := m.o.Again, m.ctx
	if again == nil {
		return nil
	}
	return func() tea.Msg {
		if !pause(ctx, readEvery) {
			return nil
		}
		run, more, err := again(ctx)
		return grown{run, more, err}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// grow shows what was read, with the cursors where they were: on the same model,
// class and case.
func (m *model) grow(g grown) tea.Cmd {
	if g.err != nil {
		m.note = "not read again: " + g.err.Error()
	}
	if g.run != nil {
		m.o.Run = g.run
		m.again()
	}
	if !g.more || g.err != nil {
		m.o.Again = nil
	}
	return m.readAgain()
}

func (m *model) again() {
	row, class := -1, ""
	if m.rows.at < len(m.matrix.Rows) {
		row = m.matrix.Rows[m.rows.at].Column
	}
	if m.classes.at < len(m.matrix.Classes) {
		class = m.matrix.Classes[m.classes.at].Name
	}
	m.countMatrix()
	m.rows.stay(slices.IndexFunc(m.matrix.Rows, func(r Row) bool { return r.Column == row }))
	m.classes.stay(slices.IndexFunc(m.matrix.Classes, func(c Class) bool { return c.Name == class }))
	if m.shown.lines.at >= len(m.shown.cases.List) {
		return
	}
	number := m.shown.cases.List[m.shown.lines.at].Number
	m.countCases()
	m.shown.lines.stay(slices.IndexFunc(m.shown.cases.List, func(c Case) bool { return c.Number == number }))
}

// stay puts the cursor on an entry, if it is still there.
func (l *list) stay(at int) {
	if at >= 0 {
		l.at = at
	}
}
