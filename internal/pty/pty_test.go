package pty

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// opened is a terminal that is closed with the test.
func opened(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, slave, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = master.Close(), slave.Close() })
	return master, slave
}

// The other end may be held for ever: by a child of the target.
func TestReadsEndWithTheirDeadline(t *testing.T) {
	master, _ := opened(t)
	if err := master.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := master.Read(make([]byte, 10)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("err = %v, want a deadline exceeded", err)
	}
}

func TestWhatIsTypedArrives(t *testing.T) {
	master, slave := opened(t)
	if _, err := master.WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	n, err := slave.Read(buf)
	if err != nil || string(buf[:n]) != "hello\n" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
}

func TestBackspaceErasesAWholeCharacter(t *testing.T) {
	master, slave := opened(t)
	if _, err := master.WriteString("ünï\x7f日本\x7fx\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 20)
	n, err := slave.Read(buf)
	if err != nil || string(buf[:n]) != "ün日x\n" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
}

func TestATerminalIsResized(t *testing.T) {
	master, slave := opened(t)
	if err := Resize(master, 77, 11); err != nil {
		t.Fatal(err)
	}
	if size, err := unix.IoctlGetWinsize(int(slave.Fd()), unix.TIOCGWINSZ); err != nil || size.Col != 77 || size.Row != 11 {
		t.Errorf("the size is %+v, %v", size, err)
	}
	if err := master.SetReadDeadline(time.Now()); err != nil {
		t.Errorf("reads have no deadlines any more: %v", err)
	}
}
