package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/dialog"
)

// TestThePaletteFindsTheWordsOfDlv: who comes from there types its commands.
func TestThePaletteFindsTheWordsOfDlv(t *testing.T) {
	for query, want := range map[string]string{
		"watch": "stop where the value is written", "display": "watch or unwatch an expression", "args": "locals", "bt": "stack", "break": "breakpoint on the cursor's line",
		"funcs": "find a file or a symbol", "grs": "goroutines", "disassemble": "disassembly next to the source",
	} {
		s := play(t, sceneStopped(), 120, 36)
		s.press("3", "ctrl+p")
		for _, r := range query {
			s.press(string(r))
		}
		found := false
		for _, l := range s.Dialog.(*dialog.Choose).View(s.Ctx.Theme, 68, 12) {
			found = found || strings.Contains(ansi.Strip(l), want)
		}
		if !found {
			t.Errorf("%s does not find %q:\n%s", query, want, s.screenText())
		}
	}
}
