package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/text"
)

// TerminalWidth is how many cells a line of a terminal has; 0 for what is none.
func TerminalWidth(w io.Writer) int {
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

// Say prints words next to a head.
func Say(w io.Writer, head, words string) {
	_, _ = io.WriteString(w, beside(head, words, TerminalWidth(w)))
}

// Confirm asks on the terminal; without one the answer is no.
func Confirm(c *cobra.Command, question string) bool {
	in, ok := c.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(in.Fd()) {
		return false
	}
	printable.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	var answer string
	_, _ = fmt.Fscanln(in, &answer)
	return answer == "y"
}

// IsTerminal reports whether what is written goes to a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(term.File)
	return ok && term.IsTerminal(f.Fd())
}
