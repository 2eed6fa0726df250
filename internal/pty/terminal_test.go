package pty

import (
	"errors"
	"os"
	"testing"
	"time"
)

// The other end may be held for ever: by a child of the target.
func TestReadsEndWithTheirDeadline(t *testing.T) {
	master, slave, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	defer master.Close()
	if err := master.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := master.Read(make([]byte, 10)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("err = %v, want a deadline exceeded", err)
	}
}

func TestWhatIsTypedArrives(t *testing.T) {
	master, slave, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	defer master.Close()
	if _, err := master.WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	n, err := slave.Read(buf)
	if err != nil || string(buf[:n]) != "hello\n" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
}
