//go:build linux

package delve

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// frameworks builds the program of testdata/frameworks.txt, in which only
// package main is the user's.
func frameworks(t *testing.T) (binary, dir string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "frameworks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	testsupport.Extract(t, root, archive)
	dir, binary = filepath.Join(root, "app"), filepath.Join(root, "out")
	build := exec.Command("go", "build", "-o", binary, "-buildvcs=false", "-gcflags=example.org/app=-N -l", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return binary, dir
}

// A panic that a framework keeps from the server is one that a server recovers.
func TestAFrameworksRecoveredPanicStops(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	binary, dir := frameworks(t)
	for _, name := range []string{"gin", "chi", "echo", "echo 5", "echo 5 configured", "kratos", "hertz", "bubbletea", "gorilla", "negroni", "connect", "connect stream", "grpc", "grpc stream"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := launchWith(t, Config{Binary: binary, Args: []string{name}, UserDirs: []string{dir}, Panics: debugger.PanicsAuto})
			stop := resume(t, target, debugger.Continue)
			expectVisit(t, stop)
			if !stop.Panic.Recovered {
				t.Errorf("panic %+v", stop.Panic)
			}
			if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
				t.Errorf("then it stopped for %q %+v", stop.Reason, stop.Panic)
			}
			if name == "bubbletea" { // it serves no requests
				return
			}
			target = launchWith(t, Config{Binary: binary, Args: []string{name, "abort"}, UserDirs: []string{dir}, Panics: debugger.PanicsAuto})
			if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
				t.Errorf("a request that is ended on purpose stops for %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}

// Bubble Tea recovers panics to restore the terminal, and then ends the program.
func TestAPanicThatBubbleTeaRecoversStops(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	binary := fixture(t, "screen")
	for _, part := range []string{"update", "command", "batch", "sequence"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			target := launchWith(t, Config{Binary: binary, Args: []string{part}, Panics: debugger.PanicsAuto})
			stop := resume(t, target, debugger.Continue)
			expectVisit(t, stop)
			if !stop.Panic.Recovered {
				t.Errorf("panic %+v", stop.Panic)
			}
			if stop = resume(t, target, debugger.Continue); stop.Reason != debugger.ReasonExited || stop.Exit.Code != 7 {
				t.Errorf("then it stopped for %q %+v", stop.Reason, stop.Panic)
			}
		})
	}
}
