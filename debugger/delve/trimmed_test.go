//go:build linux

package delve

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/paths"
)

func TestATrimmedBinaryIsDebuggedByItsSource(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "panics")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "-gcflags=./...=-N -l", "./testdata/panics")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	target := launchWith(t, Config{Binary: binary, Args: []string{"nil map"},
		Local: &paths.Local{Modules: map[string]string{"github.com/pausetui/pausetui": root}, GoRoot: strings.TrimSpace(string(goroot))}})
	file := filepath.Join(testdata(t), "panics", "main.go")
	set, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: file, Line: 175})
	if err != nil || set.File != file {
		t.Fatalf("breakpoint: %+v, %v", set, err)
	}
	if stop := resume(t, target, debugger.Continue); stop.Breakpoint == nil || stop.Breakpoint.File != file {
		t.Errorf("stop: %+v", stop)
	}
	stop := resume(t, target, debugger.Continue)
	if f, ok := stop.SelectedFrame(); !ok || f.File != file || !f.User {
		t.Errorf("selected: %+v", f)
	}
	if f := stop.Frames[0]; f.File != filepath.Join(strings.TrimSpace(string(goroot)), "src", "runtime", "panic.go") {
		t.Errorf("innermost: %+v", f)
	}
}
