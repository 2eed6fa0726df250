package dap_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/pair/pairtest"
)

// served is an editor's connection whose answers nobody needs.
func served(t *testing.T, join dap.Join) net.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = dap.Serve(t.Context(), join, dap.Options{}, ours)
	}()
	go func() { _, _ = io.Copy(io.Discard, theirs) }() // ends with the connection
	t.Cleanup(func() { _ = theirs.Close(); <-done })
	return theirs
}

// manyBreakpoints is a request of many bytes that takes many times as many once it is decoded.
func manyBreakpoints(file string, bytes int) []byte {
	return []byte(message(`{"seq":2,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"` + file + `"},"breakpoints":[` +
		strings.Repeat(`{},`, bytes/3) + `{}]}}`))
}

// Who waits to be let in cannot fill the memory with what is to be carried out then.
func TestLittleWaitsAtTheDoor(t *testing.T) {
	conn := served(t, func(ctx context.Context, _ dap.Client, _ dap.Config) (*pair.Seat, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	_, _ = io.WriteString(conn, message(`{"seq":1,"type":"request","command":"attach"}`))
	request, taken := manyBreakpoints("/main.go", 900_000), 0
	for range 64 {
		_ = conn.SetWriteDeadline(time.Now().Add(4 * time.Second))
		n, err := conn.Write(request)
		if taken += n; errors.Is(err, os.ErrDeadlineExceeded) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if taken > 4<<20 {
		t.Errorf("%d bytes of requests wait", taken)
	}
}

// What an editor wants while it looks on is kept, within bounds.
func TestWhatAnEditorWantsIsBounded(t *testing.T) {
	room := pair.New(pairtest.New(), pair.Options{Host: "anna"})
	room.Expect()
	seat, err := room.Enter(pair.Newcomer{Name: "eve", Via: "editor"})
	if err != nil {
		t.Fatal(err)
	}
	conn := served(t, func(context.Context, dap.Client, dap.Config) (*pair.Seat, error) { return seat, nil })
	_, _ = io.WriteString(conn, message(`{"seq":1,"type":"request","command":"attach"}`))
	held := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc >> 20)
	}
	before := held()
	functions := strings.ReplaceAll(string(manyBreakpoints("", 900_000)), "setBreakpoints", "setFunctionBreakpoints")
	functions = message(functions[strings.Index(functions, "{"):])
	for i := range 12 {
		requests := string(manyBreakpoints(fmt.Sprintf("/a%d.go", i), 14_000)) + string(manyBreakpoints(strings.Repeat("x", 500_000)+fmt.Sprint(i), 100)) +
			message(`{"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"/b`+fmt.Sprint(i)+`.go"},"breakpoints":[{"line":1,"condition":"`+strings.Repeat("x", 900_000)+`"}]}}`)
		if i == 0 {
			requests += functions
		}
		if _, err := io.WriteString(conn, requests); err != nil {
			t.Fatal(err)
		}
	}
	if now := held(); now > before+15 {
		t.Errorf("%d MB are held, %d before", now, before)
	}
}
