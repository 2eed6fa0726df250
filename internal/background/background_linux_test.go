package background

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// led starts a command that leads a session of its own.
func led(t *testing.T, name string, args ...string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, child := range children(cmd.Process.Pid) {
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := os.Stat(autogroup(cmd.Process.Pid)); err != nil {
		t.Skip("this system shares the processors out otherwise: ", err)
	}
	return cmd.Process.Pid
}

func levelOf(leader int) string {
	text, _ := os.ReadFile(autogroup(leader))
	_, level, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	return level
}

func TestSessionsGiveWay(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	pid := led(t, "sh", "-c", "setsid sleep 100 & wait")
	testsupport.Eventually(t, "the command has begun a session", func() bool {
		list := children(pid)
		if len(list) == 0 {
			return false
		}
		session, err := unix.Getsid(list[0])
		return err == nil && session == list[0]
	})
	Yield(t.Context(), pid, 7)
	for _, leader := range []int{pid, children(pid)[0]} {
		if got := levelOf(leader); got != "nice 7" {
			t.Errorf("session %d of %d: %q", leader, pid, got)
		}
	}
	before := levelOf(os.Getpid())
	Yield(t.Context(), os.Getpid(), 9)
	if session, err := unix.Getsid(0); err == nil && session != os.Getpid() && levelOf(os.Getpid()) != before {
		t.Error("the session of this process, which it does not lead, was changed")
	}
	if got := levelOf(pid); got != "nice 9" {
		t.Errorf("a child's session: %q", got)
	}
}

func TestCalm(t *testing.T) {
	began := time.Now()
	Calm(t.Context(), time.Minute, nil)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("waited %v though no user was there", took)
	}
	Attend()
	began = time.Now()
	Calm(t.Context(), time.Minute, nil)
	if took := time.Since(began); took < attention/2 {
		t.Errorf("waited only %v though the user was there", took)
	}
	hurry := make(chan struct{})
	close(hurry)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // none of these waits for long
		Attend()
		Calm(t.Context(), time.Nanosecond, nil)
		Calm(t.Context(), time.Hour, hurry)
		Calm(canceled, time.Hour, nil)
	}
}
