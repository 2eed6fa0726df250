package delve

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// goroutines lists goroutines and what they wait for. Its fields are for who holds
// the queue.
type goroutines struct {
	srv     *control.Server
	memory  *memory.Reader
	sources *source.Finder
	stacks  *stacks.Unwinder

	layout      *layout  // nil until it was read
	listing     *listing // of the last stop whose goroutines were asked for
	kinds       map[uint64]kind
	labelSets   map[uint64]map[string]string // by address
	waitReasons []string                     // the runtime's words, read once
	stoppedAt   int64                        // by this machine's clock, see monotonic
	several     bool                         // processes may be debugged, and be of other programs
}

// goroutinePage is the number of goroutines read at once by default.
const goroutinePage = 500

// states are the runtime's names (runtime/runtime2.go), without the bit that
// says a goroutine's stack is being scanned.
var states = map[uint64]string{
	0: "idle", 1: "runnable", 2: "running", 3: "syscall", 4: "waiting", 6: "dead",
	8: "copystack", 9: "preempted", 10: "leaked", 11: "dead",
}

// Goroutines returns a page of all goroutines, in the runtime's order. What is
// shown first is read before it, unless it is the first page.
func (gr *goroutines) Goroutines(ctx context.Context, page debugger.Page) (list []debugger.Goroutine, more bool, err error) {
	if page.Start <= 0 {
		err = gr.srv.Do(ctx, func(ctx context.Context) error {
			list, more, err = gr.list(ctx, page)
			return err
		})
		return list, more, err
	}
	err = gr.srv.DoInBackground(ctx, func(ctx context.Context, pause func() error) error {
		list, more, err = gr.goroutinePage(ctx, page, pause)
		return err
	})
	return list, more, err
}

// goroutines is Goroutines for who holds the queue.
func (gr *goroutines) list(ctx context.Context, page debugger.Page) ([]debugger.Goroutine, bool, error) {
	return gr.goroutinePage(ctx, page, func() error { return nil })
}

func (gr *goroutines) goroutinePage(ctx context.Context, page debugger.Page, pause func() error) ([]debugger.Goroutine, bool, error) {
	start, count := max(page.Start, 0), page.Count
	if count <= 0 {
		count = goroutinePage
	}
	c := gr.currentListing(ctx)
	if c.plain {
		return gr.plainPage(ctx, c, start, count)
	}
	return gr.page(ctx, c, start, count, pause)
}

// plainPage has Delve list goroutines.
func (gr *goroutines) plainPage(ctx context.Context, c *listing, start, count int) ([]debugger.Goroutine, bool, error) {
	at := c.startOf(start)
	out, err := rpc.Call[rpc2.ListGoroutinesOut](ctx, gr.srv.Client, "ListGoroutines", rpc2.ListGoroutinesIn{Start: at.entry, Count: start - at.living + count})
	if err != nil {
		return nil, false, err
	}
	if out.Nextg > 0 {
		c.follows(pageStart{at.living + len(out.Goroutines), out.Nextg})
	}
	list := make([]debugger.Goroutine, 0, count)
	for _, g := range out.Goroutines[min(start-at.living, len(out.Goroutines)):] {
		one := gr.one(ctx, g)
		one.Signature = placeSignature(one)
		list = append(list, one)
	}
	return list, out.Nextg > 0, nil
}

// placeSignature is the signature of a stack that was not read: where it is and where it
// came from.
func placeSignature(g debugger.Goroutine) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, g.State, g.WaitReason, g.Current.PC, g.User.PC, g.Start.PC, g.GoAt.PC)
	return h.Sum64()
}

func (gr *goroutines) one(ctx context.Context, g *api.Goroutine) debugger.Goroutine {
	out := debugger.Goroutine{
		ID: debugger.GoroutineID(g.ID), Thread: g.ThreadID, WaitSince: g.WaitSince,
		Current: source.Frame(gr.sources, g.CurrentLoc), User: source.Frame(gr.sources, g.UserCurrentLoc), Start: source.Frame(gr.sources, g.StartLoc), GoAt: source.Frame(gr.sources, g.GoStatementLoc),
		Labels: g.Labels, Err: g.Unreadable,
	}
	out.State = stateName(g.Status)
	if out.State == "waiting" && g.WaitReason > 0 {
		out.WaitReason = gr.waitReason(ctx, g.WaitReason)
	}
	out.System = isSystem(out.Start.Function)
	return out
}

// stateName is the runtime's name of a goroutine's status.
func stateName(status uint64) string {
	if name, known := states[status&^0x1000]; known {
		return name
	}
	return fmt.Sprintf("state %d", status)
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
func (gr *goroutines) waitReason(ctx context.Context, number int64) string {
	if gr.waitReasons == nil {
		gr.waitReasons = gr.readWaitReasons(ctx)
	}
	if number < int64(len(gr.waitReasons)) && gr.waitReasons[number] != "" {
		return gr.waitReasons[number]
	}
	return fmt.Sprintf("wait reason %d", number)
}

// maxReason bounds the length of a reason, in bytes.
const maxReason = 64

func (gr *goroutines) readWaitReasons(ctx context.Context) []string {
	words := []string{}
	table, err := ask.Eval(ctx, gr.srv, debugger.FrameRef{Goroutine: -1}, "runtime.waitReasonStrings", api.LoadConfig{})
	if err != nil || table.Len <= 0 || table.Len > 256 {
		return words
	}
	list, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: table.Addr, Size: 16 * int(table.Len)}})
	if err != nil {
		return words
	}
	texts := make([]memory.Span, table.Len)
	for i := range texts {
		texts[i] = memory.Span{Addr: memory.Word(list[0], 16*uint64(i)), Size: int(min(memory.Word(list[0], 16*uint64(i)+8), maxReason))}
	}
	read, err := memory.ReadMany(ctx, gr.memory, texts)
	if err != nil {
		return words
	}
	for _, text := range read {
		words = append(words, string(text))
	}
	return words
}

// countGoroutines asks the runtime for the length of its list, which also
// holds some that have ended and are kept for reuse: listing the living at
// every stop would cost more than the rest of it.
func (gr *goroutines) countGoroutines(ctx context.Context) int {
	if gr.layout != nil && !gr.several {
		if length, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: gr.layout.allgs + 8, Size: 8}}); err == nil && length[0] != nil {
			return int(memory.Word(length[0], 0))
		}
	}
	all, err := ask.Eval(ctx, gr.srv, debugger.FrameRef{Goroutine: -1}, "runtime.allglen", convert.ChildLoad)
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(all.Value) // a number by its type
	return n
}

// chooseGoroutine picks what to show where no goroutine is to blame: the one
// preferred if it is in the user's code, else the main one, else the first that
// is. Where none is, it falls back to the preferred one.
func (gr *goroutines) chooseGoroutine(ctx context.Context, preferred debugger.GoroutineID) debugger.GoroutineID {
	for _, id := range []debugger.GoroutineID{preferred, 1} {
		if id > 0 && stacks.HasUserFrame(ctx, gr.stacks, id) {
			return id
		}
	}
	list, _, err := gr.list(ctx, debugger.Page{})
	if err != nil {
		return preferred
	}
	for _, g := range list {
		if !g.System && (g.User.User || stacks.HasUserFrame(ctx, gr.stacks, g.ID)) {
			return g.ID
		}
	}
	if preferred == 0 && len(list) > 0 {
		return list[0].ID
	}
	return preferred
}
