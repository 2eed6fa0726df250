package console

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
)

// Symbols is what completion asks of a target.
type Symbols interface {
	Functions(ctx context.Context, filter string) ([]string, error)
	Types(ctx context.Context, filter string) ([]string, error)
	Sources(ctx context.Context, filter string) ([]string, error)
	Packages(ctx context.Context, filter string) ([]debugger.Package, error)
	PackageVariables(ctx context.Context, filter string, whole bool) ([]debugger.Variable, error)
}

// Machine is the target as the processor sees it.
type Machine interface {
	Locate(ctx context.Context, at debugger.FrameRef, spec string, code bool) ([]debugger.Location, error)
	Disassemble(ctx context.Context, at debugger.FrameRef, code debugger.Code, flavor string) ([]debugger.Instruction, error)
	Registers(ctx context.Context, at debugger.FrameRef, all bool) ([]debugger.Register, error)
	Memory(ctx context.Context, address uint64, count int) (debugger.Memory, error)
	Threads(ctx context.Context) ([]debugger.Thread, error)
	SwitchThread(ctx context.Context, id int) (debugger.Thread, error)
	Libraries(ctx context.Context) ([]debugger.Library, error)
	DownloadLibrary(ctx context.Context, n int) error
	Dump(ctx context.Context, path string, progress func(debugger.DumpProgress)) error
}

// Processes are those that are debugged together.
type Processes interface {
	Processes(ctx context.Context) ([]debugger.Process, error)
	SwitchProcess(ctx context.Context, pid int) (debugger.Thread, error)
	FollowExec(ctx context.Context, on bool, filter string) error
	FollowsExec(ctx context.Context) (bool, error)
}

// Recording is what only a recorded target has; others refuse it.
type Recording interface {
	Checkpoint(ctx context.Context, where string) (debugger.Checkpoint, error)
	Checkpoints(ctx context.Context) ([]debugger.Checkpoint, error)
	ClearCheckpoint(ctx context.Context, id int) error
}

// Target is a held target as the commands read it.
type Target interface {
	debugger.Inspector
	Symbols
	Machine
	Processes
	Recording
	Print(ctx context.Context, at debugger.FrameRef, expr, verb string) (debugger.Variable, string, error)
	Type(ctx context.Context, at debugger.FrameRef, text string) (debugger.Type, error)
	SetVariable(ctx context.Context, at debugger.FrameRef, name, value string) error
	Stack(ctx context.Context, g debugger.GoroutineID, query debugger.StackQuery) ([]debugger.StackFrame, bool, error)
	Ancestors(ctx context.Context, g debugger.GoroutineID, count, depth int) ([]debugger.Ancestor, error)
	QueryGoroutines(ctx context.Context, query debugger.GoroutineQuery) (debugger.GoroutineList, error)
	OtherBreakpoints(ctx context.Context) ([]debugger.Breakpoint, error)
}
