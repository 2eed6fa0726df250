package program

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestTheEndDoesNotWaitForTheIndex: the program is a named pipe that nobody writes
// to, so that what opens it hangs.
func TestTheEndDoesNotWaitForTheIndex(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "program")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := looptest.New(t, options.Session{})
	ctx, cancel := context.WithCancel(t.Context())
	c.Ctx = ctx
	loaded := newCodeFuture()
	close(loaded.Done)
	s := newSources(c)
	s.begin(loaded, workspace.LoadSpec{}, pipe)
	index, err := s.Index(ctx, 1) // everything but the program is in it
	if err != nil || index.Complete {
		t.Fatalf("the index is %+v, %v", index, err)
	}
	began := time.Now()
	cancel()
	c.Jobs.Wait()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the end took %v", took)
	}
	w, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that the reader ends, too
	if err == nil {
		_ = w.Close()
	}
}
