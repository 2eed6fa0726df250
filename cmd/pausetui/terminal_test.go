package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	emulator "github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// asMain makes this test binary the program itself.
const asMain = "PAUSETUI_TEST_AS_MAIN"

// ofMain tells the browser of sessions that the program starts it.
const ofMain = "PAUSETUI_TEST_OF_MAIN"

// mark is an environment variable that every descendant of a test inherits,
// so that orphans can be told from other people's processes.
const mark = "PAUSETUI_TEST_MARK"

func TestMain(m *testing.M) {
	reexec.Main()
	browser := os.Getenv(ofMain) == "1" && len(os.Args) > 1 && os.Args[1] == "sessions"
	if os.Getenv(asMain) == "1" || browser {
		os.Unsetenv(asMain)
		cli.Deaf = time.Nanosecond // a test knows what it answers
		os.Setenv(ofMain, "1")
		os.Exit(Main(os.Args[1:]))
	}
	runTests(m)
}

// terminal is the program in a real pseudo-terminal, with an emulator that
// shows what a person would see.
type terminal struct {
	*emulator.Terminal
	t      *testing.T
	cmd    *exec.Cmd
	marker string
}

func startTerminal(t *testing.T, dir string, cols, rows int, env []string, args ...string) *terminal {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startProgram(t, dir, cols, rows, env, exe, args...)
}

// stateHome sets the state directory of a test: its breakpoints and the key of its
// journals are there.
func stateHome(t *testing.T) string {
	return "XDG_STATE_HOME=" + filepath.Join(os.Getenv("XDG_STATE_HOME"), t.Name())
}

// startProgram starts a program in which the test binary, where it is started,
// is pausetui.
func startProgram(t *testing.T, dir string, cols, rows int, env []string, exe string, args ...string) *terminal {
	t.Helper()
	term := &terminal{t: t, marker: fmt.Sprintf("%s-%d", t.Name(), time.Now().UnixNano())}
	term.cmd = exec.Command(exe, args...)
	term.cmd.Dir = dir
	term.cmd.Env = append(os.Environ(), append([]string{asMain + "=1", mark + "=" + term.marker, "TERM=xterm-256color", "COLORTERM=truecolor", "PWD=" + dir,
		stateHome(t)}, env...)...)
	var err error
	if term.Terminal, err = emulator.Open(term.cmd, cols, rows, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.stop)
	return term
}

func (x *terminal) text() string { return x.Screen() }

func (x *terminal) resize(cols, rows int) {
	if err := x.Resize(cols, rows); err != nil {
		x.t.Fatal(err)
	}
}

// wait until the screen shows one of the texts.
func (x *terminal) wait(texts ...string) {
	x.t.Helper()
	x.until(fmt.Sprintf("the screen never showed any of %q", texts), func() bool {
		screen := x.text()
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(screen, text) })
	})
}

// gone waits until the screen does not show the text any more.
func (x *terminal) gone(text string) {
	x.t.Helper()
	x.until(fmt.Sprintf("the screen still shows %q", text), func() bool { return !strings.Contains(x.text(), text) })
}

// keys types, and waits after each key until the program writes, for at most as
// long as a person takes to the next one.
func (x *terminal) keys(keys ...string) {
	x.t.Helper()
	for _, k := range keys {
		before := x.Size()
		if err := x.Press(k); err != nil {
			x.t.Fatalf("type %q: %v", k, err)
		}
		x.answers(before)
	}
}

// escape is the key as terminals with Kitty's protocol send it. A bare escape that is
// read together with the next key would be alt and that key.
const escape = "\x1b[27u"

// answers waits until the program has written more than it had, or ended, but not
// for long: there are keys without an answer.
func (x *terminal) answers(before int) {
	for late := time.After(60 * time.Millisecond); x.Size() == before; {
		select {
		case <-x.Changed():
		case <-x.Ended():
			return
		case <-late:
			return
		}
	}
}

// exit waits for the program to end and returns its code.
func (x *terminal) exit() int {
	x.t.Helper()
	select {
	case <-x.Ended():
		return x.cmd.ProcessState.ExitCode()
	case <-time.After(testsupport.Patience):
		x.t.Fatalf("the program does not end; the screen shows:\n%s", x.text())
		return -1
	}
}

func (x *terminal) stop() {
	x.Close()
	x.noOrphans()
}

// noOrphans fails the test if any descendant is left.
func (x *terminal) noOrphans() {
	x.t.Helper()
	testsupport.Until(x.t, func() string {
		if left := marked(x.marker); len(left) > 0 {
			return fmt.Sprintf("no process is left behind, but %q", left)
		}
		return ""
	})
}

// marked lists the live processes that carry the marker in their environment.
func marked(marker string) []string {
	want := []byte(mark + "=" + marker)
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var list []string
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, want) {
			continue
		}
		cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		list = append(list, filepath.Base(filepath.Dir(f))+" "+string(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
	}
	return list
}

// module copies an example into a module of its own in a temporary directory.
func module(t *testing.T, example string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", example))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/"+example+"\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
