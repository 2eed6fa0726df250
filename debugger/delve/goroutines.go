package delve

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// goroutinePage is the number of goroutines read at once by default.
const goroutinePage = 500

// states are the runtime's names (runtime/runtime2.go), without the bit that
// says a goroutine's stack is being scanned.
var states = map[uint64]string{
	0: "idle", 1: "runnable", 2: "running", 3: "syscall", 4: "waiting", 6: "dead",
	8: "copystack", 9: "preempted", 10: "leaked", 11: "dead",
}

// Goroutines returns a page of all goroutines, in the runtime's order.
func (t *Target) Goroutines(ctx context.Context, page debugger.Page) (list []debugger.Goroutine, more bool, err error) {
	err = t.do(ctx, func(ctx context.Context) error {
		list, more, err = t.goroutines(ctx, page)
		return err
	})
	return list, more, err
}

func (t *Target) goroutines(ctx context.Context, page debugger.Page) ([]debugger.Goroutine, bool, error) {
	count := page.Count
	if count <= 0 {
		count = goroutinePage
	}
	out, err := call[rpc2.ListGoroutinesOut](ctx, t.client, "ListGoroutines", rpc2.ListGoroutinesIn{Start: max(page.Start, 0), Count: count})
	if err != nil {
		return nil, false, err
	}
	list := make([]debugger.Goroutine, 0, len(out.Goroutines))
	for _, g := range out.Goroutines {
		list = append(list, t.goroutine(ctx, g))
	}
	return list, out.Nextg > 0, nil
}

func (t *Target) goroutine(ctx context.Context, g *api.Goroutine) debugger.Goroutine {
	out := debugger.Goroutine{
		ID: debugger.GoroutineID(g.ID), Thread: g.ThreadID, WaitSince: g.WaitSince,
		Current: t.frame(g.CurrentLoc), User: t.frame(g.UserCurrentLoc), Start: t.frame(g.StartLoc), GoAt: t.frame(g.GoStatementLoc),
		Labels: g.Labels, Err: g.Unreadable,
	}
	state, known := states[g.Status&^0x1000]
	if !known {
		state = fmt.Sprintf("state %d", g.Status)
	}
	out.State = state
	if out.State == "waiting" && g.WaitReason > 0 {
		out.WaitReason = t.waitReason(ctx, g.WaitReason)
	}
	out.System = isSystem(out.Start.Function)
	return out
}

// isSystem follows runtime.isSystemGoroutine.
func isSystem(start string) bool {
	switch start {
	case "runtime.main", "runtime.corostart", "runtime.handleAsyncEvent":
		return false
	}
	return strings.HasPrefix(start, "runtime.")
}

// waitReason gives the runtime's words for its number. The table is the
// target's own, because it differs between versions of Go.
func (t *Target) waitReason(ctx context.Context, number int64) string {
	if t.waitReasons == nil {
		load := api.LoadConfig{MaxStringLen: 64, MaxArrayValues: 256, MaxVariableRecurse: 1}
		table, err := t.eval(ctx, debugger.FrameRef{Goroutine: -1}, "runtime.waitReasonStrings", load)
		t.waitReasons = []string{}
		if err == nil {
			for i := range table.Children {
				t.waitReasons = append(t.waitReasons, table.Children[i].Value)
			}
		}
	}
	if number < int64(len(t.waitReasons)) && t.waitReasons[number] != "" {
		return t.waitReasons[number]
	}
	return fmt.Sprintf("wait reason %d", number)
}

// countGoroutines asks the runtime for the length of its list, which also
// holds some that have ended and are kept for reuse: listing the living at
// every stop would cost more than the rest of it.
func (t *Target) countGoroutines(ctx context.Context) int {
	all, err := t.eval(ctx, debugger.FrameRef{Goroutine: -1}, "runtime.allglen", childLoad)
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(all.Value) // a number by its type
	return n
}

// chooseGoroutine picks what to show where no goroutine is to blame: the one
// preferred if it is in the user's code, else the main one, else the first that
// is. Where none is, it falls back to the preferred one.
func (t *Target) chooseGoroutine(ctx context.Context, preferred debugger.GoroutineID) debugger.GoroutineID {
	for _, id := range []debugger.GoroutineID{preferred, 1} {
		if id > 0 && t.hasUserFrame(ctx, id) {
			return id
		}
	}
	list, _, err := t.goroutines(ctx, debugger.Page{})
	if err != nil {
		return preferred
	}
	for _, g := range list {
		if !g.System && (g.User.User || t.hasUserFrame(ctx, g.ID)) {
			return g.ID
		}
	}
	if preferred == 0 && len(list) > 0 {
		return list[0].ID
	}
	return preferred
}

func (t *Target) hasUserFrame(ctx context.Context, id debugger.GoroutineID) bool {
	frames, _, err := t.frames(ctx, int64(id), debugger.Page{})
	if err != nil {
		return false
	}
	for _, f := range frames {
		if f.User {
			return true
		}
	}
	return false
}
