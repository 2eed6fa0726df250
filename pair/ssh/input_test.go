package ssh

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/crypto/ssh"
)

// typed is a channel on which a text comes again and again.
type typed struct {
	ssh.Channel
	first []byte
	piece []byte
}

// Read implements io.Reader.
func (c *typed) Read(b []byte) (int, error) {
	if len(c.first) > 0 {
		n := copy(b, c.first)
		c.first = c.first[n:]
		return n, nil
	}
	return copy(b, c.piece), nil
}

// TestWhatAGuestTypesIsBounded: a sequence that does not end is given up, which takes a
// pause, and a text without an end ends.
func TestWhatAGuestTypesIsBounded(t *testing.T) {
	for _, begins := range []string{"\x1b]52;c;", "\x1b[999z", "\x1b[\x01"} {
		ctx, cancel := context.WithCancel(t.Context())
		i := newInput(ctx, &typed{first: []byte(begins), piece: bytes.Repeat([]byte("p"), 4096)})
		i.admitted()
		events := make(chan uv.Event)
		go func() {
			defer close(events)
			_ = uv.NewTerminalReader(i, "xterm").StreamEvents(ctx, events)
		}()
		select {
		case <-events:
		case <-time.After(10 * time.Second):
			t.Errorf("after %q nothing is given up", begins)
		}
		cancel()
		for range events {
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	i := newInput(ctx, &typed{piece: make([]byte, 4096)})
	i.admitted()
	i.total = typedMost - 10_000
	n, err := io.Copy(io.Discard, i)
	if n > 10_000 || err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes more are read: %v", n, err)
	}
	cancel()
}
