package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/creack/pty"

	"github.com/pausetui/pausetui/ui/text"
)

func TestAHintIsWrappedBetweenWords(t *testing.T) {
	const hint = "name a directory (./cmd/app) or an import path; `go list ./...` shows what there is"
	if got := beside("  hint: ", hint, 0); got != "  hint: "+hint+"\n" {
		t.Errorf("where no width is known it is %q", got)
	}
	got := beside("  hint: ", hint, 80)
	if want := "  hint: name a directory (./cmd/app) or an import path; `go list ./...` shows\n        what there is\n"; got != want {
		t.Errorf("at 80 cells it is\n%s", got)
	}
	for _, width := range []int{28, 40, 60} {
		for l := range strings.Lines(beside("  hint: ", hint, width)) {
			if text.Width(strings.TrimSuffix(l, "\n")) > width {
				t.Errorf("wider than %d: %q", width, l)
			}
		}
	}
}

// Errors go through a writer that knows the colors of the terminal.
func TestTheWidthIsThatOfTheTerminalBehindAWriter(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 61, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	if got := TerminalWidth(colorprofile.NewWriter(tty, nil)); got != 61 {
		t.Errorf("it is %d cells wide", got)
	}
}
