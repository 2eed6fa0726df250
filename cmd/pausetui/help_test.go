package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli/help"
)

// TestHelpIsWrappedBetweenWords holds for all commands: what fang draws as it is fits.
func TestHelpIsWrappedBetweenWords(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		root := newRoot()
		help.Lay(root, width)
		var visit func(c *cobra.Command)
		visit = func(c *cobra.Command) {
			for line := range strings.Lines(c.Example) {
				if words := help.ShellWords(line); len(strings.TrimRight(line, "\n")) > width-help.Margin && len(words) > 2 {
					t.Errorf("%d: the example of %s is too wide: %q", width, c.CommandPath(), line)
				}
			}
			for _, below := range c.Commands() {
				for line := range strings.Lines(below.Short) {
					if label := help.Label(below); width >= 80 && len(label)+len(line)+help.Margin > width+2 {
						t.Errorf("%d: %s in the list of %s is too wide: %q", width, label, c.CommandPath(), line)
					}
				}
				visit(below)
			}
		}
		visit(root)
	}
}

func TestWhoShowsItsHelp(t *testing.T) {
	for args, want := range map[string]bool{"": true, "help debug": true, "debug --help": true, "bench": true, "bench report": false, "debug .": false, "debug -- --help": false, "nothing": false} {
		if got := help.Wanted(newRoot(), strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
