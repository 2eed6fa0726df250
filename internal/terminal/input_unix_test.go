//go:build unix

package terminal

import (
	"testing"

	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/internal/pty"
)

// A terminal is raw except while it is lent, also to one that is continued, and in the end.
func TestLend(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer slave.Close()
	before, err := term.GetState(slave.Fd())
	if err != nil {
		t.Fatal(err)
	}
	in := newInput(slave)
	defer in.release()
	check := func(when string, cooked bool) {
		t.Helper()
		if now, err := term.GetState(slave.Fd()); err != nil || *now == *before != cooked {
			t.Errorf("%s: %+v, %v", when, now, err)
		}
	}
	check("held", false)
	back := in.Lend()
	check("lent", true)
	in.take()
	check("lent, and the process goes on", true)
	back()
	check("taken back", false)
	in.Restore()
	check("given back", true)
}
