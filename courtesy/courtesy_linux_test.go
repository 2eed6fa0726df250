package courtesy

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
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
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	if _, err := os.Stat(autogroup(cmd.Process.Pid)); err != nil {
		t.Skip("this system shares the processors out otherwise: ", err)
	}
	return cmd.Process.Pid
}

func awaitLevel(t *testing.T, leader, want int) {
	t.Helper()
	var text []byte
	for range 500 {
		text, _ = os.ReadFile(autogroup(leader))
		if strings.HasSuffix(strings.TrimSpace(string(text)), fmt.Sprintf(" nice %d", want)) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s, want nice %d", text, want)
}

func TestSessionsGiveWay(t *testing.T) {
	pid := led(t, "sleep", "100")
	ctx, stop := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() { Yield(ctx, pid, 5, nil) })
	defer wait.Wait()
	defer stop()
	awaitLevel(t, pid, 5)
	Hush()
	awaitLevel(t, pid, lowest)
	awaitLevel(t, pid, 5) // when it is over
}

func TestSessionsBegunLaterGiveWay(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	pid := led(t, "sh", "-c", "setsid sleep 100 & wait")
	ctx, stop := context.WithCancel(t.Context())
	more := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { Yield(ctx, pid, 7, more) })
	defer wait.Wait()
	defer stop()
	child := 0
	for range 500 {
		if list := children(pid); len(list) > 0 {
			if session, err := unix.Getsid(list[0]); err == nil && session == list[0] {
				child = list[0]
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	more <- struct{}{}
	awaitLevel(t, child, 7)
}

func TestCalm(t *testing.T) {
	began := time.Now()
	Calm(t.Context(), time.Minute, nil)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("waited %v though nobody was there", took)
	}
	Hush()
	Calm(t.Context(), time.Nanosecond, nil)
	hurry := make(chan struct{})
	close(hurry)
	Calm(t.Context(), time.Minute, hurry)
	Calm(t.Context(), time.Minute, nil)
	if left, _ := quiet(); left > 0 {
		t.Errorf("it is to be quiet for %v more", left)
	}
}
