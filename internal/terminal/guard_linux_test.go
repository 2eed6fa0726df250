package terminal

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// crashing is set in the process that is to crash.
const crashing = "PAUSETUI_TEST_CRASH"

// A crash of our own is shown once the terminal is restored, and kept.
func TestACrashIsShownAfterTheScreen(t *testing.T) {
	if os.Getenv(crashing) != "" {
		Guard(os.Stdin)
		panic("made for this test\x1b[2J")
	}
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestACrashIsShownAfterTheScreen$")
	cmd.Env = append(os.Environ(), crashing+"=1", "TMPDIR="+temp)
	cmd.Stdin = slave
	if err := cmd.Run(); err == nil {
		t.Fatal("it did not crash")
	}
	_ = slave.Close()
	if err := master.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for lines := bufio.NewScanner(master); lines.Scan() && !strings.Contains(shown.String(), "please report it"); {
		shown.WriteString(lines.Text() + "\n")
	}
	for _, want := range []string{restored, "pausetui has crashed", "panic: made for this test", "The trace is in " + temp} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in\n%q", want, shown.String())
		}
	}
	if strings.Contains(shown.String(), "test\x1b[2J") {
		t.Errorf("a control sequence is shown: %q", shown.String())
	}
	files, err := filepath.Glob(filepath.Join(temp, "pausetui-crash-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "TestACrashIsShownAfterTheScreen") {
		t.Errorf("%v: the trace is %q", err, text)
	}
}

// A guard that somebody kills does not stay a zombie until the session ends.
func TestAKilledGuardIsReaped(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	release := Guard(slave)
	guards := supervise.Descendants(os.Getpid())
	if len(guards) != 1 {
		t.Fatalf("descendants: %v", guards)
	}
	if err := syscall.Kill(guards[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	testsupport.Eventually(t, "the guard is reaped", func() bool { return len(supervise.Descendants(os.Getpid())) == 0 })
	release()
}
