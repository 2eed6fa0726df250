package inspect

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

const (
	firstPage     = 200   // goroutines read at first, to have something to show
	goroutinePage = 1_000 // … at once later, at most: a page is taken in between two frames
	stackBatch    = 8     // stacks of kinds read at once
	maxStacks     = 400   // kinds whose stacks are read unasked
)

// Goroutine is one goroutine in brief: there may be hundreds of thousands.
type Goroutine struct {
	ID     debugger.GoroutineID
	Waited time.Duration // at least; 0 where it is not known
	Kind   int32         // index into Kinds
	labels int32         // index into labels
	on     int32         // first of its channels
	ons    uint8         // how many
}

// Kind is goroutines with the same stack, state and go statement.
type Kind struct {
	debugger.Goroutine // the first of them: what they have in common
	Count              int
	// Beyond counts those that a record tells of without naming them.
	Beyond int
	// Frames is their stack, that of the first; nil until it was read.
	Frames []debugger.Frame
	Err    string // why it could not be read
	read   bool
}

// Goroutines is what is known of the goroutines of a stop.
type Goroutines struct {
	All      []Goroutine // in the runtime's order
	Kinds    []*Kind     // in the order they were first seen
	More     bool        // there are more
	Err      string
	Version  int // changes with every page
	Stacks   int // changes when stacks of kinds were read
	Recorded bool
	// Counted is how many a record tells of; 0 for a stop of the present.
	Counted int
	Partial bool // there were more
	// Waits is who waits for what and who has it; nil until it was read.
	Waits *Waits

	bySignature map[uint64]int32
	labels      []map[string]string
	byLabels    map[string]int32
	channels    []uint64
	byID        map[debugger.GoroutineID]int32
}

type goroutinesResult struct {
	start int
	list  []debugger.Goroutine
	more  bool
	err   string
}

type stacksResult struct {
	first  int
	stacks [][]debugger.Frame
	errs   []string
}

func newGoroutines() Goroutines {
	return Goroutines{More: true, bySignature: map[uint64]int32{}, labels: []map[string]string{nil}, byLabels: map[string]int32{"": 0},
		byID: map[debugger.GoroutineID]int32{}}
}

// Labels are those of a goroutine; nil without any.
func (g *Goroutines) Labels(i int) map[string]string { return g.labels[g.All[i].labels] }

// LabelSet is the number of the goroutine's labels: the same for equal ones.
func (g *Goroutines) LabelSet(i int) int { return int(g.All[i].labels) }

// Channels are the addresses of those that a goroutine waits on.
func (g *Goroutines) Channels(i int) []uint64 {
	r := g.All[i]
	return g.channels[r.on : int(r.on)+int(r.ons)]
}

// Index finds a goroutine by its number; -1 when it is not known.
func (g *Goroutines) Index(id debugger.GoroutineID) int {
	if i, ok := g.byID[id]; ok {
		return int(i)
	}
	return -1
}

// Place is the frame that one of them opens at, see [debugger.Landing].
func (k *Kind) Place() debugger.Frame {
	if len(k.Frames) > 0 {
		return debugger.Landing(k.Frames)
	}
	return k.User
}

// Doing is what they wait for, in the runtime's words, or their state.
func (k *Kind) Doing() string {
	if k.WaitReason != "" {
		return k.WaitReason
	}
	return k.State
}

// waits is what they wait for, as Doing says it; empty for those that do not wait.
func (k *Kind) waits() string {
	if k.WaitReason == "" && k.State != "waiting" && k.State != "syscall" {
		return ""
	}
	return k.Doing()
}

// Goroutines returns what is known so far.
func (s *Store) Goroutines() *Goroutines { return &s.goroutine }

// Living is how many goroutines the stop has, given how many the runtime's list holds:
// that list keeps some that have ended, until all were looked at.
func (g *Goroutines) Living(listed int) int {
	known := max(len(g.All), g.Counted)
	if known == 0 || g.More || g.Recorded && (g.Counted == 0 || g.Partial) {
		return max(known, listed)
	}
	return known
}

// NeedGoroutines asks for the next page of goroutines, and for the stacks of
// the kinds that are known.
func (s *Store) NeedGoroutines() []Need {
	g := &s.goroutine
	if s.tag.Stop == 0 || g.Recorded {
		return nil
	}
	var needs []Need
	if g.More && g.Err == "" {
		start := len(g.All)
		count := min(max(start, firstPage), goroutinePage)
		needs = append(needs, Need{Key: fmt.Sprintf("goroutines %d", start), Read: func(ctx context.Context, in debugger.Inspector) any {
			list, more, err := in.Goroutines(ctx, debugger.Page{Start: start, Count: count})
			return goroutinesResult{start, list, more, readError(err)}
		}})
	}
	return append(needs, g.needStacks()...)
}

// needStacks asks for the stacks of the next kinds.
func (g *Goroutines) needStacks() []Need {
	first := slices.IndexFunc(g.Kinds[:min(len(g.Kinds), maxStacks)], func(k *Kind) bool { return !k.read })
	if first < 0 {
		return nil
	}
	var ids []debugger.GoroutineID
	for _, k := range g.Kinds[first:min(first+stackBatch, len(g.Kinds))] {
		ids = append(ids, k.ID)
	}
	return []Need{{Key: fmt.Sprintf("stacks %d", first), Read: func(ctx context.Context, in debugger.Inspector) any {
		r := stacksResult{first: first, stacks: make([][]debugger.Frame, len(ids)), errs: make([]string, len(ids))}
		for i, id := range ids {
			var err error
			r.stacks[i], _, err = in.Frames(ctx, id, debugger.Page{Count: framePage})
			r.errs[i] = readError(err)
		}
		return r
	}}}
}

func (g *Goroutines) keepStacks(r stacksResult) {
	g.Stacks++
	for i, frames := range r.stacks {
		if at := r.first + i; at < len(g.Kinds) {
			g.Kinds[at].Frames, g.Kinds[at].Err, g.Kinds[at].read = frames, r.errs[i], true
		}
	}
}

func (g *Goroutines) keep(r goroutinesResult) {
	if r.start != len(g.All) {
		return
	}
	g.Version++
	g.Err = r.err
	g.More = r.more && len(r.list) > 0
	for _, one := range r.list {
		g.add(one)
	}
}

func (g *Goroutines) add(one debugger.Goroutine) {
	signature := one.Signature
	if signature == 0 {
		signature = placeSignature(one)
	}
	k, known := g.bySignature[signature]
	if !known {
		k = int32(len(g.Kinds))
		g.bySignature[signature] = k
		g.Kinds = append(g.Kinds, &Kind{Goroutine: one})
	}
	g.Kinds[k].Count++
	r := Goroutine{ID: one.ID, Waited: one.Waited, Kind: k, labels: g.labelSet(one.Labels)}
	if n := min(len(one.WaitsOn), 255); n > 0 {
		r.on, r.ons = int32(len(g.channels)), uint8(n)
		g.channels = append(g.channels, one.WaitsOn[:n]...)
	}
	g.byID[one.ID] = int32(len(g.All))
	g.All = append(g.All, r)
}

// placeSignature is for a stack that is not known: what they do, and where.
func placeSignature(g debugger.Goroutine) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, g.State, g.WaitReason, g.User.Function, g.User.Line, g.GoAt.File, g.GoAt.Line)
	return h.Sum64()
}

// labelSet gives equal labels one number.
func (g *Goroutines) labelSet(labels map[string]string) int32 {
	if len(labels) == 0 {
		return 0
	}
	key := ""
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		key += name + "=" + labels[name] + "\x00"
	}
	n, known := g.byLabels[key]
	if !known {
		n = int32(len(g.labels))
		g.byLabels[key] = n
		g.labels = append(g.labels, labels)
	}
	return n
}
