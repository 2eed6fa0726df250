package main

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/text"
)

// terminalWidth is how many cells a line of a terminal has; 0 for what is none.
func terminalWidth(w io.Writer) int {
	if c, ok := w.(*colorprofile.Writer); ok { // errors go through one
		w = c.Forward
	}
	f, ok := w.(term.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return 0
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return width
}

// leastRoom is the width, in cells, below which words are left to the terminal.
const leastRoom = 20

// beside puts words next to a head, wrapped to lines of width cells; 0 leaves their
// lines as they are. The words may hold those of a server or the target.
func beside(head, words string, width int) string {
	words = printable.Text(words)
	room := width - text.Width(head)
	wide := func(line string) bool { return text.Width(line) > room }
	if room < leastRoom || !slices.ContainsFunc(strings.Split(words, "\n"), wide) {
		return head + printable.Quote(words) + "\n"
	}
	indent := strings.Repeat(" ", text.Width(head))
	return head + strings.Join(text.Wrap(words, room, 0), "\n"+indent) + "\n"
}

// say prints words next to a head.
func say(w io.Writer, head, words string) {
	_, _ = io.WriteString(w, beside(head, words, terminalWidth(w)))
}
