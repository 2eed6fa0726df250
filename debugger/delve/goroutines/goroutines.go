package goroutines

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
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
)

// Lister lists goroutines and what they wait for. Its fields are for who holds
// the queue.
type Lister struct {
	srv     *control.Server
	memory  *memory.Reader
	sources *source.Finder
	stacks  *stacks.Unwinder

	Known     known
	kinds     map[uint64]kind
	labelSets map[uint64]map[string]string // by address
	stoppedAt int64                        // by process.Monotonic
	several   bool                         // processes may be debugged, and be of other programs
}

// known is what was read of the runtime, and of the goroutines of a stop.
type known struct {
	Layout      *layout  // nil until it was read
	WaitReasons []string // the runtime's words, read once
	Listing     *listing // of the last stop whose goroutines were asked for
}

// New returns what lists the goroutines of a server's target.
func New(srv *control.Server, mem *memory.Reader, src *source.Finder, st *stacks.Unwinder) *Lister {
	return &Lister{srv: srv, memory: mem, sources: src, stacks: st}
}

// NoteStop notes the time of a stop: how long goroutines have waited is told from it.
func NoteStop(gr *Lister) { gr.stoppedAt = process.Monotonic() }

// NoteSeveral notes that processes may be debugged that run other programs.
func NoteSeveral(gr *Lister) { gr.several = true }

// ForgetOthers forgets the goroutines of the stop, where they may be another process's.
func ForgetOthers(gr *Lister) {
	if gr.several {
		gr.Known.Listing = nil
	}
}

// PageSize is the number of goroutines read at once by default.
const PageSize = 500

// states are the runtime's names (runtime/runtime2.go), without the bit that
// says a goroutine's stack is being scanned.
var states = map[uint64]string{
	0: "idle", 1: "runnable", 2: "running", 3: "syscall", 4: "waiting", 6: "dead",
	8: "copystack", 9: "preempted", 10: "leaked", 11: "dead",
}

// Goroutines returns a page of all goroutines, in the runtime's order. What is
// shown first is read before it, unless it is the first page.
func (gr *Lister) Goroutines(ctx context.Context, page debugger.Page) (list []debugger.Goroutine, more bool, err error) {
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
func (gr *Lister) list(ctx context.Context, page debugger.Page) ([]debugger.Goroutine, bool, error) {
	return gr.goroutinePage(ctx, page, func() error { return nil })
}

func (gr *Lister) goroutinePage(ctx context.Context, page debugger.Page, pause func() error) ([]debugger.Goroutine, bool, error) {
	start, count := max(page.Start, 0), page.Count
	if count <= 0 {
		count = PageSize
	}
	c := CurrentListing(ctx, gr)
	if c.Plain {
		return gr.plainPage(ctx, c, start, count)
	}
	return gr.page(ctx, c, start, count, pause)
}

// plainPage has Delve list goroutines.
func (gr *Lister) plainPage(ctx context.Context, c *listing, start, count int) ([]debugger.Goroutine, bool, error) {
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
		one := One(ctx, gr, g)
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

// One converts a goroutine of Delve's.
func One(ctx context.Context, gr *Lister, g *api.Goroutine) debugger.Goroutine {
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
func (gr *Lister) waitReason(ctx context.Context, number int64) string {
	if gr.Known.WaitReasons == nil {
		gr.Known.WaitReasons = gr.readWaitReasons(ctx)
	}
	if number < int64(len(gr.Known.WaitReasons)) && gr.Known.WaitReasons[number] != "" {
		return gr.Known.WaitReasons[number]
	}
	return fmt.Sprintf("wait reason %d", number)
}

// maxReason bounds the length of a reason, in bytes.
const maxReason = 64

func (gr *Lister) readWaitReasons(ctx context.Context) []string {
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

// Count asks the runtime for the length of its list, which also
// holds some that have ended and are kept for reuse: listing the living at
// every stop would cost more than the rest of it.
func Count(ctx context.Context, gr *Lister) int {
	if gr.Known.Layout != nil && !gr.several {
		if length, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: gr.Known.Layout.allgs + 8, Size: 8}}); err == nil && length[0] != nil {
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

// Choose picks what to show where no goroutine is to blame: the one
// preferred if it is in the user's code, else the main one, else the first that
// is. Where none is, it falls back to the preferred one.
func Choose(ctx context.Context, gr *Lister, preferred debugger.GoroutineID) debugger.GoroutineID {
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
