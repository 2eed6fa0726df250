//go:build linux

package delve

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// TestOptimizedBinary: one that was built elsewhere, without our flags. (-race
// and -buildmode=pie stop alike; building the library for them takes too long.)
func TestOptimizedBinary(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "panics")
	if out, err := exec.Command("go", "build", "-o", binary, "./testdata/panics").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for test, message := range map[string]string{
		"pointer error": "code 7 at /etc",
		"index":         "runtime error: index out of range [5] with length 3",
		"named string":  `main.label("a b")`,
	} {
		stop := resume(t, launchWith(t, Config{Binary: binary, Args: []string{test}}), debugger.Continue)
		if stop.Reason != debugger.ReasonPanic || stop.Panic.Message != message || stop.Panic.Culprit < 0 {
			t.Errorf("%s: %q %+v in %v", test, stop.Reason, stop.Panic, functions(stop.Frames))
		}
	}
}

// A stripped server is launched although Delve finds none of its lines; the
// panics that it recovers cannot be read there, and pass.
func TestStrippedServer(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "serves")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "./testdata/serves").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	target := launchWith(t, Config{Binary: binary, Args: []string{"handler"}, Panics: debugger.PanicsAuto})
	stop := resume(t, target, debugger.Continue)
	if stop.Reason != debugger.ReasonExited || stop.Exit.Code != 0 {
		t.Errorf("stopped for %q %+v", stop.Reason, stop.Panic)
	}
}
