// Command screen is a Bubble Tea program that panics in the part that its
// argument names. Bubble Tea recovers the panic.
package main

import (
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

type guest struct{ name string }

func visit() string {
	var g *guest
	return g.name
}

// panics is a command, which Bubble Tea runs in a goroutine of its own.
func panics() tea.Msg { return visit() }

func quiet() tea.Msg { return nil }

type screen struct{ part string }

func (s screen) Init() tea.Cmd {
	switch s.part {
	case "command":
		return panics
	case "batch":
		return tea.Sequence(quiet, tea.Batch(quiet, panics))
	case "sequence":
		return tea.Sequence(quiet, panics)
	}
	return func() tea.Msg { return "hello" }
}

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(string); ok {
		visit()
	}
	return s, nil
}

func (s screen) View() tea.View { return tea.NewView(s.part) }

func main() {
	_, err := tea.NewProgram(screen{os.Args[1]}, tea.WithInput(strings.NewReader("")), tea.WithOutput(os.Stderr)).Run()
	if err != nil {
		os.Exit(7)
	}
}
