package ui

import (
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// sceneDeep is a panic in a method of a generic type with a long name, in a file with
// one, on a line whose end is what failed.
func sceneDeep() *fakeEngine {
	f := sceneRunning()
	file := filepath.Join(root(), "internal", "indexing", "concurrent_posting_list_compaction.go")
	list := []debugger.Frame{
		{Index: 0, Function: "runtime.gopanic", File: "/usr/local/go/src/runtime/panic.go", Line: 860, Runtime: true},
		{Index: 1, Function: "example.com/indexer/internal/indexing.(*ConcurrentPostingList[go.shape.struct { example.com/indexer/internal/indexing.key string; example.com/indexer/internal/indexing.weight float64 }]).compactSegments",
			File: file, Line: 5, User: true, Loaded: true, Args: []debugger.Variable{integer("segment", "7")}},
		{Index: 2, Function: "example.com/indexer/internal/indexing.NewConcurrentPostingList[...].func1", File: file, Line: 1412, User: true},
		{Index: 3, Function: "main.main", File: filepath.Join(root(), "main.go"), Line: 15, User: true},
	}
	f.inspect.stacks[1] = list
	f.inspect.goroutines = []debugger.Goroutine{{ID: 1, State: "running", User: list[1]}, {ID: 18, State: "waiting", WaitReason: "chan receive", User: list[2]}}
	stop := panicStop()
	stop.Stop.Frames, stop.Stop.Selected, stop.Stop.Goroutines = list, 1, 2
	stop.Stop.Panic.Class, stop.Stop.Panic.Message, stop.Stop.Panic.Culprit = debugger.NilDereference, "invalid memory address or nil pointer dereference", 1
	f.add(stop, &session.Diagnosed{Diagnosis: evidence.Diagnosis{Sentence: "list.last is nil", Expr: "list.last", Value: "nil"}})
	return f
}

// sceneWaits is the panic beside goroutines that wait in the standard library: one for
// the user's code, one for the library's own.
func sceneWaits() *fakeEngine {
	f := sceneStopped()
	library := func(i int, name, file string, line int) debugger.Frame {
		return debugger.Frame{Index: i, Function: name, File: "/usr/local/go/src/" + file, Line: line, Runtime: strings.HasPrefix(name, "runtime.")}
	}
	gopark := library(0, "runtime.gopark", "runtime/proc.go", 461)
	wait := library(2, "sync.(*WaitGroup).Wait", "sync/waitgroup.go", 206)
	loop := library(1, "os/signal.loop", "os/signal/signal_unix.go", 23)
	f.inspect.stacks[31] = []debugger.Frame{gopark, library(1, "sync.runtime_SemacquireWaitGroup", "runtime/sema.go", 110), wait,
		{Index: 3, Function: "main.(*Index).Build", File: filepath.Join(root(), "index.go"), Line: 27, User: true}}
	f.inspect.stacks[32] = []debugger.Frame{gopark, loop}
	f.inspect.goroutines = []debugger.Goroutine{f.inspect.goroutines[0],
		{ID: 31, State: "waiting", WaitReason: "sync.WaitGroup.Wait", User: wait}, {ID: 32, State: "waiting", WaitReason: "chan receive", User: loop}}
	return f
}

// sceneSilent is the panic of a program that has printed nothing.
func sceneSilent() *fakeEngine {
	f := newFake()
	f.inspect.stacks[1], f.inspect.goroutines = panicStack(), goroutines()
	f.add(started(), &session.BuildStarted{Reason: "launch"}, &session.BuildFinished{Binary: "/tmp/index"}, &session.Launched{PID: 4711, Round: 1},
		&session.Resumed{Motion: debugger.Continue}, panicStop(), diagnosed())
	return f
}
