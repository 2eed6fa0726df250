package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// moments are states of a session in which something happens to pausetui.
var moments = map[string]struct {
	program, until, log string
}{
	"stopped": {twoBugsProgram, "make books in NewShelf", "nil-map-write"},
	"running": {endlessProgram, "started", "pausetui"},
	"proving": {twoBugsProgram, "◌", "nil-map-write"},
}

// kill -9 at any moment leaves no process, and logs that can be read.
func TestDebugIsKilled(t *testing.T) {
	t.Parallel()
	for name, m := range moments {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := program(t, m.program)
			x := offline(t, dir)
			if name == "proving" {
				x.wait("nil-map-write")
			}
			x.wait(m.until)
			launchIsLogged(t, dir)
			if err := x.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			x.exit()
			x.noOrphans()
			readable(t, dir, m.log)
			if source := get(t, filepath.Join(dir, "main.go")); source != m.program {
				t.Errorf("the source was changed:\n%s", source)
			}
		})
	}
}

// launchIsLogged waits for the launch in the markdown log, which is made from the
// journal a moment later.
func launchIsLogged(t *testing.T, dir string) {
	t.Helper()
	testsupport.Eventually(t, "the launch is in the log", func() bool {
		logs, _ := filepath.Glob(filepath.Join(dir, "debug", "*.md"))
		for _, log := range logs { // renamed at a stop, maybe now
			if text, err := os.ReadFile(log); err == nil && strings.Contains(string(text), "launched, round 1") {
				return true
			}
		}
		return false
	})
}

// readable wants a journal and a markdown log that tell of the text.
func readable(t *testing.T, dir, text string) {
	t.Helper()
	journals, _ := filepath.Glob(filepath.Join(dir, "debug", "*.jsonl"))
	if len(journals) != 1 {
		t.Fatalf("journals: %q", journals)
	}
	events, err := session.ReadFile(journals[0])
	if err != nil {
		t.Errorf("the journal: %v", err)
	}
	if len(events) < 4 {
		t.Errorf("only %d events in the journal", len(events))
	}
	has(t, get(t, journals[0]), text)
	has(t, logOf(t, dir), "session: ", "launched, round 1")
}

// A polite signal restores the terminal and exits with 130.
func TestDebugIsTerminated(t *testing.T) {
	t.Parallel()
	for name, m := range moments {
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
			if name == "proving" && signal == syscall.SIGHUP {
				continue // the others show it
			}
			t.Run(name+" "+signal.String(), func(t *testing.T) {
				if (name == "running") != (signal == syscall.SIGHUP) {
					testsupport.Slow(t)
				}
				t.Parallel()
				dir := program(t, m.program)
				x := offline(t, dir)
				if name == "proving" {
					x.wait("nil-map-write")
				}
				x.wait(m.until)
				if err := x.cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				if code := x.exit(); code != 130 {
					t.Errorf("exit code %d", code)
				}
				x.restored()
				x.noOrphans()
				readable(t, dir, m.log)
			})
		}
	}
}

// restored wants the terminal as it was: the alternate screen left, the cursor
// shown, the mouse and paste modes off again.
func (x *terminal) restored() {
	x.t.Helper()
	x.wait("log:") // the last word, on the ordinary screen
	if changed := x.Changes(); len(changed) > 0 {
		x.t.Errorf("modes of the terminal were not taken back: %q", changed)
	}
	if !bytes.Contains(x.Written(0), []byte("\x1b[?1049h")) {
		x.t.Error("the alternate screen was never used")
	}
	if strings.Contains(x.text(), "╭") {
		x.t.Errorf("the screen still shows the program:\n%s", x.text())
	}
}
