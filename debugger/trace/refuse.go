package trace

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
)

// can is all that can be done with a trace: nothing but looking.
var can = debugger.Abilities{Of: "a trace"}

// noProcess refuses what needs a process, a program or its memory.
type noProcess struct{}

// Abilities says that there is no process.
func (noProcess) Abilities() debugger.Abilities { return can }

// PID is 0: there is none.
func (noProcess) PID() int { return 0 }

// Close has nothing to end.
func (noProcess) Close() error { return nil }

// Kill has nothing to end.
func (noProcess) Kill() error { return nil }

// Halt has nothing to halt.
func (noProcess) Halt() error { return nil }

// Restart refuses.
func (noProcess) Restart(context.Context) error { return can.Refuse("be started again") }

// SubstitutePaths does nothing: files were looked for when the trace was located.
func (noProcess) SubstitutePaths([][2]string) {}

// Announce does nothing: nothing moves.
func (noProcess) Announce() {}

// Move refuses.
func (noProcess) Move(context.Context, debugger.Move) (debugger.Stop, error) {
	return debugger.Stop{}, can.Refuse("run")
}

// Ready refuses.
func (noProcess) Ready(context.Context, debugger.Move) error { return can.Refuse("run") }

// SetNext refuses.
func (noProcess) SetNext(context.Context, debugger.FrameRef, string) (debugger.Stop, error) {
	return debugger.Stop{}, can.Refuse("be changed")
}

// SetBreakpoint refuses.
func (noProcess) SetBreakpoint(context.Context, debugger.Breakpoint) (debugger.Breakpoint, error) {
	return debugger.Breakpoint{}, can.Refuse("stop at breakpoints")
}

// AmendBreakpoint refuses.
func (noProcess) AmendBreakpoint(context.Context, debugger.Breakpoint) error {
	return can.Refuse("stop at breakpoints")
}

// ClearBreakpoint refuses.
func (noProcess) ClearBreakpoint(context.Context, int) error {
	return can.Refuse("stop at breakpoints")
}

// OtherBreakpoints has none.
func (noProcess) OtherBreakpoints(context.Context) ([]debugger.Breakpoint, error) { return nil, nil }

// TakeBreakpoints finds none.
func (noProcess) TakeBreakpoints(context.Context) ([]debugger.Breakpoint, []int, error) {
	return nil, nil, nil
}

// BreakpointHits knows of none.
func (noProcess) BreakpointHits(context.Context) (map[int]uint64, error) { return nil, nil }

// AwaitTest refuses.
func (noProcess) AwaitTest(context.Context, string, func(debugger.TestReport)) error {
	return can.Refuse("run")
}

// AwaitLines refuses.
func (noProcess) AwaitLines(context.Context, []debugger.Breakpoint, func(bool)) error {
	return can.Refuse("run")
}

// RestartFrom refuses.
func (noProcess) RestartFrom(context.Context, string) (debugger.Stop, error) {
	return debugger.Stop{}, can.Refuse("be started again")
}

// Checkpoint refuses.
func (noProcess) Checkpoint(context.Context, string) (debugger.Checkpoint, error) {
	return debugger.Checkpoint{}, can.Refuse("keep checkpoints")
}

// Checkpoints refuses.
func (noProcess) Checkpoints(context.Context) ([]debugger.Checkpoint, error) {
	return nil, can.Refuse("keep checkpoints")
}

// ClearCheckpoint refuses.
func (noProcess) ClearCheckpoint(context.Context, int) error { return can.Refuse("keep checkpoints") }

// Calls refuses.
func (noProcess) Calls(context.Context, debugger.FrameRef) ([]debugger.Call, error) {
	return nil, can.Refuse("step into calls")
}

// Functions refuses.
func (noProcess) Functions(context.Context, string) ([]string, error) { return nil, noProgram }

// Types refuses.
func (noProcess) Types(context.Context, string) ([]string, error) { return nil, noProgram }

// Sources refuses.
func (noProcess) Sources(context.Context, string) ([]string, error) { return nil, noProgram }

// Packages refuses.
func (noProcess) Packages(context.Context, string) ([]debugger.Package, error) {
	return nil, noProgram
}

// PackageVariables refuses.
func (noProcess) PackageVariables(context.Context, string, bool) ([]debugger.Variable, error) {
	return nil, noProgram
}

// noProgram refuses what the program itself would tell.
var noProgram = can.Refuse("tell what its program is made of")

// Locate refuses.
func (noProcess) Locate(context.Context, debugger.FrameRef, string, bool) ([]debugger.Location, error) {
	return nil, noProgram
}

// Disassemble refuses.
func (noProcess) Disassemble(context.Context, debugger.FrameRef, debugger.Code, string) ([]debugger.Instruction, error) {
	return nil, can.Refuse("show instructions")
}

// Registers refuses.
func (noProcess) Registers(context.Context, debugger.FrameRef, bool) ([]debugger.Register, error) {
	return nil, can.Refuse("show registers")
}

// Memory refuses.
func (noProcess) Memory(context.Context, uint64, int) (debugger.Memory, error) {
	return debugger.Memory{}, noMemory
}

// ReadMemory refuses.
func (noProcess) ReadMemory(context.Context, uint64, int) ([]byte, error) { return nil, noMemory }

// String refuses.
func (noProcess) String(context.Context, debugger.FrameRef, debugger.Variable, debugger.Page) (string, error) {
	return "", noMemory
}

// Find refuses.
func (noProcess) Find(context.Context, debugger.FrameRef, debugger.Variable, func(*debugger.Variable) bool, debugger.Page) ([]int64, int, error) {
	return nil, 0, noMemory
}

var noMemory = can.Refuse("show memory")

// Threads refuses.
func (noProcess) Threads(context.Context) ([]debugger.Thread, error) {
	return nil, can.Refuse("tell of threads")
}

// SwitchThread refuses.
func (noProcess) SwitchThread(context.Context, int) (debugger.Thread, error) {
	return debugger.Thread{}, can.Refuse("tell of threads")
}

// Libraries refuses.
func (noProcess) Libraries(context.Context) ([]debugger.Library, error) { return nil, noProgram }

// DownloadLibrary refuses.
func (noProcess) DownloadLibrary(context.Context, int) error { return noProgram }

// Dump refuses.
func (noProcess) Dump(context.Context, string, func(debugger.DumpProgress)) error { return noMemory }

// Processes refuses.
func (noProcess) Processes(context.Context) ([]debugger.Process, error) {
	return nil, can.Refuse("tell of processes")
}

// SwitchProcess refuses.
func (noProcess) SwitchProcess(context.Context, int) (debugger.Thread, error) {
	return debugger.Thread{}, can.Refuse("tell of processes")
}

// FollowExec refuses.
func (noProcess) FollowExec(context.Context, bool, string) error {
	return can.Refuse("start processes")
}

// FollowsExec tells that nothing is followed.
func (noProcess) FollowsExec(context.Context) (bool, error) { return false, nil }

// Type refuses.
func (noProcess) Type(context.Context, debugger.FrameRef, string) (debugger.Type, error) {
	return debugger.Type{}, noProgram
}

// SetVariable refuses.
func (noProcess) SetVariable(context.Context, debugger.FrameRef, string, string) error {
	return can.Refuse("be written to")
}
