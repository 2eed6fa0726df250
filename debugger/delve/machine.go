package delve

import (
	"context"
	"fmt"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// machine is what lies below goroutines and values: threads, processes, registers,
// libraries, dumps and recordings.
type machine struct {
	srv        *control.Server
	memory     *memory.Reader
	goroutines *goroutines.Lister
}

// Registers returns the registers as they are in a frame; all adds those of
// floating-point numbers and vectors.
func (mc *machine) Registers(ctx context.Context, at debugger.FrameRef, all bool) (list []debugger.Register, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		in := rpc2.ListRegistersIn{IncludeFp: all}
		if where := ask.Inner(at); at.Frame > 0 || !mc.isSelected(ctx, at.Goroutine) {
			in.Scope = &where
		}
		out, err := rpc.Call[rpc2.ListRegistersOut](ctx, mc.srv.Client, "ListRegisters", in)
		if err != nil {
			return err
		}
		for _, r := range out.Regs {
			list = append(list, debugger.Register{Name: r.Name, Value: r.Value})
		}
		return nil
	})
	return list, err
}

// isSelected reports whether the goroutine is the server's own choice, or there
// is none.
func (mc *machine) isSelected(ctx context.Context, g debugger.GoroutineID) bool {
	out, err := rpc.Call[rpc2.StateOut](ctx, mc.srv.Client, "State", rpc2.StateIn{NonBlocking: true})
	if err != nil || out.State == nil || out.State.SelectedGoroutine == nil {
		return g <= 0
	}
	return g <= 0 || out.State.SelectedGoroutine.ID == int64(g)
}

// Threads lists the threads of the target.
func (mc *machine) Threads(ctx context.Context) (list []debugger.Thread, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListThreadsOut](ctx, mc.srv.Client, "ListThreads", rpc2.ListThreadsIn{})
		if err != nil {
			return err
		}
		state, err := ask.Status(ctx, mc.srv)
		if err != nil {
			return err
		}
		for _, th := range out.Threads {
			one := thread(th)
			one.Selected = state.CurrentThread != nil && state.CurrentThread.ID == th.ID
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

func thread(th *api.Thread) debugger.Thread {
	return debugger.Thread{ID: th.ID, Goroutine: debugger.GoroutineID(th.GoroutineID),
		At: convert.Location(api.Location{PC: th.PC, File: th.File, Line: th.Line, Function: th.Function})}
}

// SwitchThread selects a thread and returns it.
func (mc *machine) SwitchThread(ctx context.Context, id int) (selected debugger.Thread, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.CommandOut](ctx, mc.srv.Client, "Command", api.DebuggerCommand{Name: api.SwitchThread, ThreadID: id})
		if err != nil {
			return err
		}
		if out.State.CurrentThread == nil {
			return fmt.Errorf("there is no thread %d", id)
		}
		selected = thread(out.State.CurrentThread)
		goroutines.ForgetOthers(mc.goroutines)
		return nil
	})
	return selected, err
}

// Libraries lists what the target has loaded besides its executable.
func (mc *machine) Libraries(ctx context.Context) (list []debugger.Library, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListDynamicLibrariesOut](ctx, mc.srv.Client, "ListDynamicLibraries", rpc2.ListDynamicLibrariesIn{})
		if err != nil {
			return err
		}
		for _, l := range out.List {
			list = append(list, debugger.Library{Path: l.Path, Addr: l.Address, Err: l.LoadError})
		}
		return nil
	})
	return list, err
}

// DownloadLibrary tries again to get the debug information of a library of
// Libraries from a debuginfod server.
func (mc *machine) DownloadLibrary(ctx context.Context, n int) error {
	return mc.srv.Do(ctx, func(ctx context.Context) error {
		_, err := rpc.Call[rpc2.DownloadLibraryDebugInfoOut](ctx, mc.srv.Client, "DownloadLibraryDebugInfo", rpc2.DownloadLibraryDebugInfoIn{N: n})
		return err
	})
}

// dumpWait is how long one question for the progress of a dump waits.
const dumpWait = 200 * time.Millisecond

// Dump writes a core dump of the target, in ELF, to a file, and tells progress
// from time to time. It ends early, and says so, when ctx does.
func (mc *machine) Dump(ctx context.Context, path string, progress func(debugger.DumpProgress)) error {
	return mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.DumpStartOut](ctx, mc.srv.Client, "DumpStart", rpc2.DumpStartIn{Destination: path})
		if err != nil {
			return fmt.Errorf("dump to %q: %w", path, err)
		}
		state := out.State
		for state.Dumping {
			progress(dumped(state))
			if ctx.Err() != nil {
				return mc.cancelDump()
			}
			next, err := rpc.Call[rpc2.DumpWaitOut](mc.srv.Life, mc.srv.Client, "DumpWait", rpc2.DumpWaitIn{Wait: int(dumpWait.Milliseconds())})
			if err != nil {
				return fmt.Errorf("dump to %q: %w", path, err)
			}
			state = next.State
		}
		progress(dumped(state))
		switch {
		case state.Err != "":
			return fmt.Errorf("dump to %q: %s", path, state.Err)
		case !state.AllDone:
			return fmt.Errorf("dump to %q: it was canceled", path)
		case state.MemDone != state.MemTotal:
			return fmt.Errorf("dump to %q: %d of %d bytes could not be read", path, state.MemTotal-state.MemDone, state.MemTotal)
		}
		return nil
	})
}

func (mc *machine) cancelDump() error {
	if _, err := rpc.Call[rpc2.DumpCancelOut](mc.srv.Life, mc.srv.Client, "DumpCancel", rpc2.DumpCancelIn{}); err != nil {
		return fmt.Errorf("cancel the dump: %w", err)
	}
	for {
		out, err := rpc.Call[rpc2.DumpWaitOut](mc.srv.Life, mc.srv.Client, "DumpWait", rpc2.DumpWaitIn{Wait: int(dumpWait.Milliseconds())})
		if err != nil || !out.State.Dumping {
			return context.Canceled
		}
	}
}

func dumped(s api.DumpState) debugger.DumpProgress {
	return debugger.DumpProgress{Threads: s.ThreadsDone, AllThreads: s.ThreadsTotal, Memory: s.MemDone, AllMemory: s.MemTotal}
}

// Processes lists the processes that are debugged together.
func (mc *machine) Processes(ctx context.Context) (list []debugger.Process, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListTargetsOut](ctx, mc.srv.Client, "ListTargets", rpc2.ListTargetsIn{})
		if err != nil {
			return err
		}
		state, err := ask.Status(ctx, mc.srv)
		if err != nil {
			return err
		}
		for _, p := range out.Targets {
			list = append(list, debugger.Process{PID: p.Pid, Command: p.CmdLine, Selected: p.Pid == state.Pid})
		}
		return nil
	})
	return list, err
}

// SwitchProcess selects one of Processes.
func (mc *machine) SwitchProcess(ctx context.Context, pid int) (selected debugger.Thread, err error) {
	var id int
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListTargetsOut](ctx, mc.srv.Client, "ListTargets", rpc2.ListTargetsIn{})
		if err != nil {
			return err
		}
		for _, p := range out.Targets {
			if p.Pid == pid && p.CurrentThread != nil {
				id = p.CurrentThread.ID
				return nil
			}
		}
		return fmt.Errorf("there is no process %d among those that are debugged", pid)
	})
	if err != nil {
		return selected, err
	}
	return mc.SwitchThread(ctx, id)
}

// FollowExec turns the debugging of child processes on, for those whose
// command line a regular expression matches, or off.
func (mc *machine) FollowExec(ctx context.Context, on bool, filter string) error {
	return mc.srv.Do(ctx, func(ctx context.Context) error {
		mc.memory.Indirect = true // what is meant may be another process from now on
		goroutines.NoteSeveral(mc.goroutines)
		_, err := rpc.Call[rpc2.FollowExecOut](ctx, mc.srv.Client, "FollowExec", rpc2.FollowExecIn{Enable: on, Regex: filter})
		return err
	})
}

// FollowsExec reports whether child processes are debugged.
func (mc *machine) FollowsExec(ctx context.Context) (on bool, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.FollowExecEnabledOut](ctx, mc.srv.Client, "FollowExecEnabled", rpc2.FollowExecEnabledIn{})
		on = out.Enabled
		return err
	})
	return on, err
}
