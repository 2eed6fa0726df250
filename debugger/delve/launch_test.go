//go:build linux

package delve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestLaunchErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain, script := filepath.Join(dir, "plain"), filepath.Join(dir, "script")
	for path, mode := range map[string]os.FileMode{plain: 0o600, script: 0o700} {
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	good := fixture(t, "ends")
	for _, test := range []struct {
		config Config
		is     error
		says   string
		hint   bool
	}{
		{Config{Binary: filepath.Join(dir, "absent")}, fs.ErrNotExist, "absent", true},
		{Config{Binary: dir}, nil, "directory", true},
		{Config{Binary: plain}, fs.ErrPermission, "not executable", true},
		{Config{Binary: script}, nil, "not a program", true},
		{Config{Binary: good, Dir: filepath.Join(dir, "absent")}, fs.ErrNotExist, "absent", false},
		{Config{Binary: good, Dir: plain}, nil, "not a directory", false},
		{Config{Binary: good, Stdin: filepath.Join(dir, "absent")}, nil, "no such file", false},
		{Config{Binary: good, TTY: plain}, nil, "not a terminal", false},
	} {
		target, err := Launch(t.Context(), test.config)
		if err == nil {
			_ = target.Close()
			t.Errorf("%+v was launched", test.config)
			continue
		}
		if test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) || (advice.Of(err) != "") != test.hint {
			t.Errorf("%+v: %v (hint %q)", test.config, err, advice.Of(err))
		}
	}
}

// TestStrippedBinary: without debug information there are still frames.
func TestStrippedBinary(t *testing.T) {
	t.Parallel()
	stripped := filepath.Join(t.TempDir(), "stripped")
	build := exec.Command("go", "build", "-o", stripped, "-ldflags=-s -w", "./testdata/panics")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	target := launchWith(t, Config{Binary: stripped, Args: []string{"nil map"}})
	stop := resume(t, target, debugger.Continue)
	if stop.Reason != debugger.ReasonPanic || !slices.Contains(functions(stop.Frames), "main.main") {
		t.Errorf("%q %+v in %v", stop.Reason, stop.Panic, functions(stop.Frames))
	}
	t.Logf("%+v, selected %d of %v", stop.Panic, stop.Selected, functions(stop.Frames))
}

func TestKnownRefusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"could not launch process: fork/exec /x: operation not permitted":                                                                            debugger.ErrPtrace,
		"Go version 1.11.0 is too old for this version of Delve (minimum supported version 1.25, suppress this error with --check-go-version=false)": debugger.ErrGoVersion,
		"Version of Delve is too old for Go version 1.99.0 (maximum supported version 1.27, suppress this error with --check-go-version=false)":      debugger.ErrGoVersion,
	} {
		err := launchError(fixture(t, "ends"), rpc.Error{Text: text})
		if !errors.Is(err, want) || advice.Of(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
		if errors.Is(want, debugger.ErrGoVersion) && !strings.Contains(err.Error(), "built by go1.") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCanceledLaunch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if target, err := Launch(ctx, Config{Binary: fixture(t, "ends"), Args: []string{"ok"}}); !errors.Is(err, context.Canceled) {
		_ = target.Close()
		t.Errorf("launched after its context ended: %v", err)
	}
}

// terminal opens a pseudo terminal and collects what is written to it.
func terminal(t *testing.T) (path string, text func() string) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminal: ", err)
	}
	var mu sync.Mutex
	var got strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			mu.Lock()
			got.Write(buf[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		slave.Close()
		master.Close()
		<-done
	})
	return slave.Name(), func() string {
		mu.Lock()
		defer mu.Unlock()
		return got.String()
	}
}

func waitFor(t *testing.T, text func() string, want string) {
	t.Helper()
	testsupport.Eventually(t, fmt.Sprintf("%q is in the output", want), func() bool { return strings.Contains(text(), want) })
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	path, text := terminal(t)
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"count"}, TTY: path})
	if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
		t.Fatal(stop.Reason)
	}
	waitFor(t, text, "1013\r\n")
}

func TestStdinFromAFile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 9001) // a terminal would cut it
	input := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(input, []byte("first\n"+long+"\nlast\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path, text := terminal(t)
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"read"}, TTY: path, Stdin: input})
	if stop := resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited {
		t.Fatal(stop.Reason)
	}
	waitFor(t, text, "read first\r\n")
	waitFor(t, text, "read "+long+"\r\n")
	waitFor(t, text, "read last\r\n")
}

func TestOutputToAFile(t *testing.T) {
	t.Parallel()
	output := filepath.Join(t.TempDir(), "out")
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"count"}, Output: output})
	resume(t, target, debugger.Continue)
	if got, err := os.ReadFile(output); err != nil || string(got) != "1013\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestEnvironmentAndDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := launchWith(t, Config{Binary: fixture(t, "ends"), Args: []string{"sleep"}, Dir: dir, Env: []string{"A=old", "B=2", "A=1"}})
	base := "/proc/" + strconv.Itoa(target.PID())
	env, err := os.ReadFile(base + "/environ")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimRight(string(env), "\x00"), "\x00")
	slices.Sort(got)
	if want := []string{"A=1", "B=2", "PWD=" + dir}; !slices.Equal(got, want) {
		t.Errorf("environment %q", got)
	}
	if cwd, err := os.Readlink(base + "/cwd"); err != nil || cwd != dir {
		t.Errorf("directory %q, %v", cwd, err)
	}
	fds, err := os.ReadDir(base + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds { // the connection to the server is not the target's
		if to, err := os.Readlink(base + "/fd/" + fd.Name()); err == nil && strings.HasPrefix(to, "socket:") {
			t.Errorf("the program holds %s", to)
		}
	}
}

func TestOperationsFromManyGoroutines(t *testing.T) {
	target, at, _ := stopAtValues(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if v, err := target.Evaluate(t.Context(), at, "number"); err != nil || v.Value != "42" {
					t.Errorf("%q, %v", v.Value, err)
				}
				if _, _, err := target.Goroutines(t.Context(), debugger.Page{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := target.Evaluate(ctx, at, "number"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if v, err := target.Evaluate(t.Context(), at, "number"); err != nil || v.Value != "42" {
		t.Errorf("after a canceled one: %q, %v", v.Value, err)
	}
}

func TestHandshakeIsBounded(t *testing.T) {
	var got rpc.Answer
	if err := rpc.Receive(strings.NewReader("\xff\xff\xff\xff"), &got); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("a message of 4 GB: %v", err)
	}
}
