package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/ui/updates"
)

// TestKeysDoNotReadWhatIsPrinted: a key shows the output as the last update had it.
func TestKeysDoNotReadWhatIsPrinted(t *testing.T) {
	f := sceneRunning()
	s := play(t, f, 120, 36)
	update := func() {
		u := f.update()
		u.Events = nil
		u.Printed = updates.ReadPrinted(f.out, s.printed)
		s.send(u)
	}
	update()
	fmt.Fprintln(f.out, "printed meanwhile")
	s.send(keyPress("?"))
	s.send(keyPress("esc"))
	if strings.Contains(s.screenText(), "printed meanwhile") {
		t.Error("a key reads the output")
	}
	if update(); !strings.Contains(s.screenText(), "printed meanwhile") {
		t.Errorf("an update does not show it:\n%s", s.screenText())
	}
}
