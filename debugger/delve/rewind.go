package delve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Checkpoint remembers the moment that a recorded target is at, with a note.
func (mc *machine) Checkpoint(ctx context.Context, where string) (c debugger.Checkpoint, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		if err := ask.Recorded(ctx, mc.srv); err != nil {
			return err
		}
		out, err := rpc.Call[rpc2.CheckpointOut](ctx, mc.srv.Client, "Checkpoint", rpc2.CheckpointIn{Where: where})
		if err != nil {
			return fmt.Errorf("take a checkpoint: %w", err)
		}
		c = debugger.Checkpoint{ID: out.ID, Where: where}
		return nil
	})
	return c, err
}

// Checkpoints lists what Checkpoint has remembered.
func (mc *machine) Checkpoints(ctx context.Context) (list []debugger.Checkpoint, err error) {
	err = mc.srv.Do(ctx, func(ctx context.Context) error {
		if err := ask.Recorded(ctx, mc.srv); err != nil {
			return err
		}
		out, err := rpc.Call[rpc2.ListCheckpointsOut](ctx, mc.srv.Client, "ListCheckpoints", rpc2.ListCheckpointsIn{})
		if err != nil {
			return fmt.Errorf("list checkpoints: %w", err)
		}
		for _, c := range out.Checkpoints {
			list = append(list, debugger.Checkpoint{ID: c.ID, When: c.When, Where: c.Where})
		}
		return nil
	})
	return list, err
}

// ClearCheckpoint forgets a checkpoint.
func (mc *machine) ClearCheckpoint(ctx context.Context, id int) error {
	return mc.srv.Do(ctx, func(ctx context.Context) error {
		if err := ask.Recorded(ctx, mc.srv); err != nil {
			return err
		}
		if _, err := rpc.Call[rpc2.ClearCheckpointOut](ctx, mc.srv.Client, "ClearCheckpoint", rpc2.ClearCheckpointIn{ID: id}); err != nil {
			return fmt.Errorf("clear checkpoint %d: %w", id, err)
		}
		return nil
	})
}

// RestartFrom goes to a checkpoint ("c3", or its number) of a recorded target,
// or to an event of the recording. Breakpoints stay.
func (t *Target) RestartFrom(ctx context.Context, position string) (stop debugger.Stop, err error) {
	err = t.srv.Do(ctx, func(ctx context.Context) error {
		if err := ask.Recorded(ctx, t.srv); err != nil {
			return err
		}
		if _, err := rpc.Call[rpc2.RestartOut](ctx, t.srv.Client, "Restart", rpc2.RestartIn{Position: position}); err != nil {
			return fmt.Errorf("go to %s of the recording: %w", strings.TrimSpace(position), err)
		}
		t.step, t.srv.Dying, t.waiting = nil, false, nil
		state, err := ask.Status(ctx, t.srv)
		if err != nil {
			return err
		}
		stop, err = t.stop(ctx, state)
		stop.Reason, stop.Breakpoint, stop.At = debugger.ReasonEntry, nil, time.Now()
		return err
	})
	return stop, err
}
