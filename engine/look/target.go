package look

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/console"
)

// Target is what the engine needs of a debugged process.
type Target interface {
	console.Target
	debugger.MemoryReader
	debugger.Finder
	Announce()
	Move(ctx context.Context, m debugger.Move) (debugger.Stop, error)
	Halt() error
	SubstitutePaths(rules [][2]string)
	SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error)
	Ready(ctx context.Context, m debugger.Move) error
	SetNext(ctx context.Context, at debugger.FrameRef, location string) (debugger.Stop, error)
	Calls(ctx context.Context, at debugger.FrameRef) ([]debugger.Call, error)
	Origin(ctx context.Context, g debugger.GoroutineID) (debugger.Origin, error)
	BreakpointHits(ctx context.Context) (map[int]uint64, error)
	TakeBreakpoints(ctx context.Context) (set []debugger.Breakpoint, gone []int, err error)
	RestartFrom(ctx context.Context, position string) (debugger.Stop, error)
	AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) error
	ClearBreakpoint(ctx context.Context, id int) error
	AwaitTest(ctx context.Context, name string, heard func(debugger.TestReport)) error
	AwaitLines(ctx context.Context, places []debugger.Breakpoint, heard func(come bool)) error
	PID() int
	Abilities() debugger.Abilities
	Close() error
	Found(ctx context.Context) (debugger.Stop, error)
	Restart(ctx context.Context) error
	Kill() error
}

var (
	_ Target = (*delve.Target)(nil)
	_ Target = (*trace.Target)(nil)
)
