package terminal

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A program is typed to, is asked for its place on the screen, and knows the size.
func TestAProgramOnATerminal(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	script := `stty -echo; printf 'name? '; read name; echo "hello $name"; read again; stty size; stty raw; printf '\033[6n'; head -c 6 | tr '\033' '^'; exit 3`
	changes := 0
	x, err := Open(exec.Command("sh", "-c", script), 40, 10, func(time.Duration, Cells) { changes++ })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Wait(ctx, "name?"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Type(ctx, "gopher\n", "hello gopher"); err != nil {
		t.Fatal(err)
	}
	if err := x.Resize(50, 12); err != nil {
		t.Fatal(err)
	}
	before := x.Size()
	if _, err := x.Type(ctx, "\n", "12 50", "^[3;1R"); err != nil {
		t.Fatal(err)
	}
	if after := string(x.Written(before)); strings.Contains(after, "hello") || !strings.Contains(after, "12 50") {
		t.Errorf("written after the resize: %q", after)
	}
	if err := x.Err(); err == nil || err.Error() != "exit status 3" {
		t.Errorf("it ended with %v", err)
	}
	x.End()
	if changes == 0 {
		t.Error("the watch saw no change")
	}
}

// A terminal without a screen counts what is written, and ends with its program.
func TestABlindTerminal(t *testing.T) {
	x, err := Blind(exec.Command("sh", "-c", "stty -echo; echo ready; exec cat"), 40, 10)
	if err != nil {
		t.Fatal(err)
	}
	for x.Size() < len("ready\r\n") {
		<-x.Changed()
	}
	if err := x.Press("four\n"); err != nil {
		t.Fatal(err)
	}
	for x.Size() < len("ready\r\nfour\r\n") {
		<-x.Changed()
	}
	x.End()
	if err := x.Err(); err == nil {
		t.Error("a killed program ended well")
	}
}

// A program whose terminal is closed gets SIGHUP, also if nothing is written any more; the
// modes that it has changed are known.
func TestAHangup(t *testing.T) {
	x, err := Open(exec.Command("sh", "-c", `printf '\033[?1049h\033[?25l\033[?7l\033[?7hready'; read x`), 40, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Wait(t.Context(), "ready"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(x.Changes(), " "); got != "not 25 1049" {
		t.Errorf("changed modes: %s", got)
	}
	x.Hangup()
	select {
	case <-x.Ended():
	case <-time.After(time.Minute):
		t.Error("it has not ended")
	}
	x.End()
}
