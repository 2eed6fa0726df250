package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelpIsWrappedBetweenWords holds for all commands: what fang draws as it is fits.
func TestHelpIsWrappedBetweenWords(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		root := newRoot()
		layHelp(root, width)
		var visit func(c *cobra.Command)
		visit = func(c *cobra.Command) {
			for line := range strings.Lines(c.Example) {
				if words := shellWords(line); len(strings.TrimRight(line, "\n")) > width-helpMargin && len(words) > 2 {
					t.Errorf("%d: the example of %s is too wide: %q", width, c.CommandPath(), line)
				}
			}
			for _, below := range c.Commands() {
				for line := range strings.Lines(below.Short) {
					if label := commandLabel(below); width >= 80 && len(label)+len(line)+helpMargin > width+2 {
						t.Errorf("%d: %s in the list of %s is too wide: %q", width, label, c.CommandPath(), line)
					}
				}
				visit(below)
			}
		}
		visit(root)
	}
}

func TestParagraphsFlow(t *testing.T) {
	long := strings.Repeat("many words ", 8)
	for text, want := range map[string]string{
		long + "\nand more":                long + " and more",
		long + "\n\nanother paragraph":     long + "\n\nanother paragraph",
		long + "\n    code":                long + "\n    code",
		"short\nlines stay":                "short\nlines stay",
		long + "\n" + long + "\nend\nlast": long + " " + long + " end\nlast",
	} {
		if got := flowing(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestExamplesAreBrokenAsShellsReadThem(t *testing.T) {
	const example = "# a comment that is longer than the terminal\npausetui bench run --models 'a, b' --yes --trials 3"
	want := "# a comment that is longer than the terminal\npausetui bench run \\\n--models 'a, b' \\\n--yes --trials 3"
	if got := wrapExamples(example, 24); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := wrapExamples(example, 80); got != example {
		t.Errorf("what fits becomes %q", got)
	}
}

func TestPipedHelpIsNotPadded(t *testing.T) {
	var out bytes.Buffer
	u := &unpadded{w: &out}
	for _, part := range []string{"  two words  ", "  \n", "\n   ", "\nend "} {
		if n, err := u.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := out.String(); got != "  two words\n\n\nend" {
		t.Errorf("%q", got)
	}
}

func TestWhoShowsItsHelp(t *testing.T) {
	for args, want := range map[string]bool{"": true, "help debug": true, "debug --help": true, "bench": true, "bench report": false, "debug .": false, "debug -- --help": false, "nothing": false} {
		if got := wantsHelp(newRoot(), strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
