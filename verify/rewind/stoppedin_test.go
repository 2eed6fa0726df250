package rewind

import (
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/subject"
)

// Code that records may give a closure another name: the stop is known by its place.
func TestAStopInAClosureIsKnownByItsPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	v := execute.New(subject.Subject{Workspace: workspace.Workspace{Root: dir, Modules: []workspace.Module{{Path: "example.com/m", Dir: dir}}},
		Stop: debugger.Stop{Panic: &debugger.Panic{Class: debugger.NilDereference},
			Frames: []debugger.Frame{{Function: "main.outline.func1", File: file, Line: 35, User: true}}}}, execute.Options{})
	output := func(line string) []byte {
		return []byte("panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x1]\n\n" +
			"goroutine 7 [running]:\nmain.outline.func9(0x1)\n\t" + file + ":" + line + " +0x1d\nmain.main()\n\t" + file + ":50 +0x1d\n")
	}
	if c, ok := stoppedIn(v, output("35")); c.Goroutine() != 7 || !ok {
		t.Errorf("at the same line: %+v, %t", c, ok)
	}
	if _, ok := stoppedIn(v, output("36")); ok {
		t.Error("another line is taken for it")
	}
}
