package goroutines

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"sort"
	"strings"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/printable"
)

// Goroutines by the hundred thousand. Delve's own listing unwinds and describes
// each of them, which takes about 0.1 ms of its time for one, and does not say
// whether two stacks are equal. So the runtime's structures and the used parts
// of the stacks are read in bulk, the return addresses are followed along the
// frame pointers, and only one goroutine of each kind is described by Delve.

// listing is what was read of the goroutines of a stop. It is for who holds the
// queue.
type listing struct {
	run    uint64 // which of the target's stops it is of
	List   uint64 // address of the runtime's list
	length int
	now    int64       // the target's clock; 0 where it is not known
	Pages  []pageStart // in order, as far as pages have been read
	Plain  bool        // the runtime could not be read in bulk: Delve's listing serves
}

// pageStart says which entry of the runtime's list holds the n-th living
// goroutine: those that have ended keep their place in it.
type pageStart struct{ living, entry int }

// startOf is the last place known at or before the n-th living goroutine.
func (c *listing) startOf(n int) pageStart {
	i := sort.Search(len(c.Pages), func(i int) bool { return c.Pages[i].living > n })
	return c.Pages[i-1]
}

// follows notes where a page ends.
func (c *listing) follows(p pageStart) {
	if p.living > c.Pages[len(c.Pages)-1].living {
		c.Pages = append(c.Pages, p)
	}
}

// kind is what Delve says of a goroutine, but for what differs between
// goroutines with the same stack.
type kind struct{ current, user, start, goAt debugger.Frame }

const (
	maxKinds   = 20_000   // kinds that are remembered
	maxStack   = 16 << 10 // bytes of a stack that are followed
	maxBetween = 32       // goroutines that Delve describes for nothing: a request costs as much
	deadG      = 6        // runtime._Gdead
	spareG     = 11       // runtime._Gdeadextra, of a thread that C may call from
)

// CurrentListing prepares to read the goroutines of this stop.
func CurrentListing(ctx context.Context, gr *Lister) *listing {
	run := gr.srv.Resumes()
	if gr.Known.Listing != nil && gr.Known.Listing.run == run {
		return gr.Known.Listing
	}
	c := &listing{run: run, Pages: []pageStart{{}}}
	gr.Known.Listing = c
	if err := gr.openListing(ctx, c); err != nil {
		c.Plain = true
		if ctx.Err() != nil {
			gr.Known.Listing = nil // another time it may work
		}
	}
	return c
}

// learnLayout reads the layout of the runtime's structures, once.
func (gr *Lister) learnLayout(ctx context.Context) error {
	if gr.Known.Layout != nil {
		return nil
	}
	l, err := gr.readLayout(ctx)
	if err != nil {
		return err
	}
	gr.Known.Layout, gr.kinds, gr.labelSets = &l, map[uint64]kind{}, map[uint64]map[string]string{}
	return nil
}

// LearnRuntime reads in advance what the first listing needs. What cannot be read now
// is read, or complained of, then: pointers of a position-independent program
// lead nowhere before its loader has run.
func LearnRuntime(ctx context.Context, gr *Lister) {
	if gr.learnLayout(ctx) != nil {
		return
	}
	if words := gr.readWaitReasons(ctx); strings.Join(words, "") != "" {
		gr.Known.WaitReasons = words
	}
}

// ForgetRuntime forgets what holds for one program in one process.
func ForgetRuntime(gr *Lister) { gr.Known.Layout, gr.Known.WaitReasons = nil, nil }

func (gr *Lister) openListing(ctx context.Context, c *listing) error {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return errors.New("stacks without frame pointers")
	}
	if gr.several {
		ForgetRuntime(gr)
	}
	if err := gr.learnLayout(ctx); err != nil {
		return err
	}
	clear(gr.labelSets)  // others may be at their addresses now
	const page = 4 << 10 // more than an older Delve at the other end of a connection gives at once
	all, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: gr.Known.Layout.allgs, Size: 16}, {Addr: gr.Known.Layout.allgs &^ (page - 1), Size: page}})
	if err != nil {
		return err
	}
	if all[0] == nil || all[1] == nil {
		return fmt.Errorf("the list of goroutines cannot be read at %#x", gr.Known.Layout.allgs)
	}
	c.List, c.length = memory.Word(all[0], 0), int(memory.Word(all[0], 8))
	c.now, err = gr.clock(ctx)
	return err
}

// member is a goroutine as the runtime's structure has it.
type member struct {
	entry     int // in the runtime's list
	addr      uint64
	id        int64
	status    uint64
	reason    int64
	since     int64
	pc, start uint64
	goPC      uint64
	low, high uint64 // of the stack
	sp, bp    uint64
	sudog     uint64
	labels    uint64
	kind      uint64
	waitsOn   []uint64
}

// page reads living goroutines, from the n-th on; pause is called between
// requests, to let others go first.
func (gr *Lister) page(ctx context.Context, c *listing, n, count int, pause func() error) (list []debugger.Goroutine, more bool, err error) {
	at := c.startOf(n)
	var members []member
	entry, skip := at.entry, n-at.living
	for len(members) < count && entry < c.length {
		found, err := gr.members(ctx, c, entry, min(max(count+skip-len(members), 64), c.length-entry))
		if err != nil {
			return nil, false, err
		}
		entry = found.next
		gone := min(skip, len(found.list))
		skip -= gone
		members = append(members, found.list[gone:]...)
		if err := pause(); err != nil {
			return nil, false, err
		}
	}
	if len(members) > count {
		entry, members = members[count].entry, members[:count]
	}
	if skip == 0 {
		c.follows(pageStart{n + len(members), entry})
	}
	list, err = gr.describe(ctx, c, members, pause)
	return list, entry < c.length, err
}

type found struct {
	list []member
	next int // entry
}

// members reads entries of the runtime's list.
func (gr *Lister) members(ctx context.Context, c *listing, entry, count int) (found, error) {
	l := gr.Known.Layout
	pointers, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: c.List + 8*uint64(entry), Size: 8 * count}})
	if err != nil {
		return found{}, err
	}
	if pointers[0] == nil {
		return found{}, fmt.Errorf("the list of goroutines cannot be read at %#x", c.List)
	}
	spans := make([]memory.Span, count)
	for i := range spans {
		spans[i] = memory.Span{Addr: memory.Word(pointers[0], 8*uint64(i)), Size: l.gSize}
	}
	structs, err := memory.ReadMany(ctx, gr.memory, spans)
	if err != nil {
		return found{}, err
	}
	out := found{next: entry + count}
	for i, b := range structs {
		status := uint64(memory.Half(b, l.status)) &^ 0x1000
		if b == nil || status == deadG || status == spareG || memory.Word(b, l.id) == 0 {
			continue
		}
		m := member{entry: entry + i, addr: spans[i].Addr, id: int64(memory.Word(b, l.id)), status: status, since: int64(memory.Word(b, l.waitSince)),
			reason: int64(b[l.waitReason]), pc: memory.Word(b, l.pc), start: memory.Word(b, l.startPC), goPC: memory.Word(b, l.goPC), low: memory.Word(b, l.stackLow), high: memory.Word(b, l.stackHigh),
			sp: memory.Word(b, l.sp), bp: memory.Word(b, l.bp), sudog: memory.Word(b, l.waiting), labels: memory.Word(b, l.labels)}
		out.list = append(out.list, m)
	}
	return out, nil
}

// describe completes goroutines with what they wait on and where they are.
func (gr *Lister) describe(ctx context.Context, c *listing, members []member, pause func() error) ([]debugger.Goroutine, error) {
	for _, step := range []func(context.Context, []member) error{gr.followStacks, gr.followWaits, gr.readLabels} {
		if err := step(ctx, members); err != nil {
			return nil, err
		}
		if err := pause(); err != nil {
			return nil, err
		}
	}
	known, err := gr.learnKinds(ctx, members, pause)
	if err != nil {
		return nil, err
	}
	list := make([]debugger.Goroutine, len(members))
	for i, m := range members {
		if g, ok := known.single[m.id]; ok {
			list[i] = One(ctx, gr, g)
		} else {
			list[i] = gr.alike(ctx, m, known.kinds[m.kind])
		}
		g := &list[i]
		g.Signature, g.WaitsOn, g.Labels = m.kind, m.waitsOn, printable.Names(gr.labelSets[m.labels])
		if held := m.status == 3 || m.status == 4; held && m.since > 0 && c.now > m.since {
			g.Waited = time.Duration(c.now - m.since)
		}
	}
	return list, nil
}

// alike is a goroutine of a kind that was described before.
func (gr *Lister) alike(ctx context.Context, m member, k kind) debugger.Goroutine {
	g := debugger.Goroutine{ID: debugger.GoroutineID(m.id), State: stateName(m.status), WaitSince: m.since,
		Current: k.current, User: k.user, Start: k.start, GoAt: k.goAt, System: isSystem(k.start.Function)}
	if g.State == "waiting" && m.reason > 0 {
		g.WaitReason = gr.waitReason(ctx, m.reason)
	}
	return g
}

// followStacks finds the return addresses of each stack and makes its kind of
// them, of its state, and of where it was started.
func (gr *Lister) followStacks(ctx context.Context, members []member) error {
	spans := make([]memory.Span, len(members))
	for i, m := range members {
		if m.low < m.sp && m.sp < m.high && m.status != 2 {
			spans[i] = memory.Span{Addr: m.sp, Size: int(min(m.high-m.sp, maxStack))}
		}
	}
	stacks, err := memory.ReadMany(ctx, gr.memory, spans)
	if err != nil {
		return err
	}
	for i := range members {
		m := &members[i]
		h := fnv.New64a()
		var b [8]byte
		add := func(v uint64) {
			for j := range b {
				b[j] = byte(v >> (8 * j))
			}
			_, _ = h.Write(b[:]) // never fails
		}
		add(m.status)
		if m.status == 4 {
			add(uint64(m.reason))
		}
		add(m.start)
		add(m.goPC)
		if m.status == 2 { // its registers tell more than this, and there are few
			add(uint64(m.id))
		}
		add(m.pc)
		for _, pc := range returns(stacks[i], m.sp, m.bp) {
			add(pc)
		}
		if uint64(len(stacks[i])) < m.high-m.sp { // too deep to be read whole
			add(m.high - m.sp)
		}
		m.kind = h.Sum64()
	}
	return nil
}

// returns follows the frame pointers of a stack, as runtime.fpTracebackPCs
// does.
func returns(stack []byte, sp, bp uint64) []uint64 {
	var list []uint64
	for bp >= sp && bp-sp+16 <= uint64(len(stack)) {
		list = append(list, memory.Word(stack, bp-sp+8))
		next := memory.Word(stack, bp-sp)
		if next <= bp {
			break
		}
		bp = next
	}
	return list
}

// maxCases bounds the channels of a select that are looked at.
const maxCases = 16

// followWaits finds the channels that goroutines wait on.
func (gr *Lister) followWaits(ctx context.Context, members []member) error {
	next := make([]uint64, len(members))
	for i, m := range members {
		if m.status == 4 {
			next[i] = m.sudog
		}
	}
	for range maxCases {
		var at []int
		var spans []memory.Span
		for i, addr := range next {
			if addr != 0 {
				at, spans = append(at, i), append(spans, memory.Span{Addr: addr, Size: gr.Known.Layout.sudogSize})
			}
		}
		if len(at) == 0 {
			return nil
		}
		sudogs, err := memory.ReadMany(ctx, gr.memory, spans)
		if err != nil {
			return err
		}
		for j, i := range at {
			next[i] = memory.Word(sudogs[j], gr.Known.Layout.sudogLink)
			if c := memory.Word(sudogs[j], gr.Known.Layout.sudogC); c != 0 {
				members[i].waitsOn = append(members[i].waitsOn, c)
			}
		}
	}
	return nil
}

// learned is what Delve has said of the goroutines of a page.
type learned struct {
	kinds  map[uint64]kind
	single map[int64]*api.Goroutine // those that it was asked about, by number
}

// learnKinds has Delve describe one goroutine of each kind that is new, and
// those that are on a thread.
func (gr *Lister) learnKinds(ctx context.Context, members []member, pause func() error) (learned, error) {
	out := learned{map[uint64]kind{}, map[int64]*api.Goroutine{}}
	var todo []member
	for _, m := range members {
		k, known := gr.kinds[m.kind]
		_, asked := out.kinds[m.kind]
		if onThread := m.status == 2 || m.status == 3; onThread || !known && !asked {
			todo = append(todo, m)
		}
		out.kinds[m.kind] = k
	}
	ask := func(list []member) error {
		from, to := list[0].entry, list[len(list)-1].entry+1
		got, err := rpc.Call[rpc2.ListGoroutinesOut](ctx, gr.srv.Client, "ListGoroutines", rpc2.ListGoroutinesIn{Start: from, Count: to - from})
		for _, g := range got.Goroutines {
			out.single[g.ID] = g
		}
		for _, m := range list {
			if g := out.single[m.id]; g != nil {
				k := kind{source.Frame(gr.sources, g.CurrentLoc), source.Frame(gr.sources, g.UserCurrentLoc), source.Frame(gr.sources, g.StartLoc), source.Frame(gr.sources, g.GoStatementLoc)}
				out.kinds[m.kind] = k
				if len(gr.kinds) < maxKinds {
					gr.kinds[m.kind] = k
				}
			}
		}
		return errors.Join(err, pause())
	}
	for len(todo) > 0 { // members come in the order of the list, and so do these
		n := 1
		for n < len(todo) && todo[n].entry-todo[n-1].entry <= maxBetween {
			n++
		}
		if err := ask(todo[:n]); err != nil {
			return out, err
		}
		todo = todo[n:]
	}
	return out, nil
}
