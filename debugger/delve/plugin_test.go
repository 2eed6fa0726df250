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

// A breakpoint in a plugin waits until the program has loaded it.
func TestBreakpointsInAPlugin(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "plugin.txt"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	testsupport.Extract(t, root, archive)
	binary, plugin := filepath.Join(root, "app.out"), filepath.Join(root, "pl.so")
	flags := []string{"-buildvcs=false", "-gcflags=example.org/plug/...=-N -l"}
	for _, args := range [][]string{{"-o", binary, "./app"}, {"-buildmode=plugin", "-o", plugin, "./pl"}} {
		build := exec.Command("go", append(append([]string{"build"}, flags...), args...)...)
		build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			t.Skipf("plugins cannot be built here: %v: %s", err, text)
		}
	}
	target := launchWith(t, Config{Binary: binary, Args: []string{plugin}, UserDirs: []string{root}})
	byName := set(t, target, debugger.Breakpoint{Location: "main.Hello"})
	byLine := set(t, target, debugger.Breakpoint{File: filepath.Join(root, "pl", "pl.go"), Line: 5})
	for _, b := range []debugger.Breakpoint{byName, byLine} {
		if b.Place != debugger.PlacePending {
			t.Errorf("set before the plugin is there: %+v", b)
		}
		stop := resume(t, target, debugger.Continue)
		if stop.Breakpoint == nil || stop.Breakpoint.ID != b.ID {
			t.Fatalf("%s at breakpoint %+v, want %d", stop.Reason, stop.Breakpoint, b.ID)
		}
	}
}
