package dap_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/pausetui/pausetui/pair/dap"
)

// Only what begins as an editor's messages do gets to the host's question.
func TestGreeted(t *testing.T) {
	hello := message(`{"seq":1,"type":"request","command":"initialize"}`)
	for name, tt := range map[string]struct {
		sent string
		ends bool // the connection, after that
		want error
	}{
		"an editor":        {hello, false, nil},
		"in lower case":    {"content-length: 2\r\n\r\n{}", false, nil},
		"says nothing yet": {"", false, nil},
		"begins slowly":    {"Cont", false, nil},
		"HTTP":             {"GET / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", false, dap.ErrNoEditor},
		"posts a message":  {"POST / HTTP/1.1\r\nHost: x\r\n\r\n" + hello, false, dap.ErrNoEditor},
		"TLS":              {"\x16\x03\x01\x02\x00\x01\x00\x01", false, dap.ErrNoEditor},
		"a short verb":     {"GET", false, dap.ErrNoEditor},
		"a port scan":      {"", true, io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			defer ours.Close()
			go func() {
				_, _ = theirs.Write([]byte(tt.sent)) // which may have been refused on the way
				if tt.ends {
					_ = theirs.Close()
				}
			}()
			defer theirs.Close()
			conn, err := dap.Greeted(ours, 100*time.Millisecond)
			if !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			if err != nil || tt.sent == "" {
				return
			}
			got := make([]byte, len(tt.sent))
			if _, err := io.ReadFull(conn, got); err != nil || string(got) != tt.sent {
				t.Errorf("what it said is read as %q, %v", got, err)
			}
		})
	}
}
