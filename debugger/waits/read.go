package waits

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
)

// Bounds of what is looked at.
const (
	maxKindreds = 400 // sets of goroutines
	maxFrames   = 64  // frames of a stack
	maxLocking  = 32  // goroutines of a set whose locks are looked at
	maxLoading  = 4   // … whose variables are
	maxUser     = 8   // frames of the user's, of a stack
	maxDepth    = 6   // of a variable
	maxSource   = 4 << 20
)

// Kindred is goroutines with the same stack.
type Kindred []debugger.GoroutineID

// Read finds out who holds locks, and who has one of the wanted channels and
// groups in a variable of the user's frames. It ends early with ctx, with what
// it has found so far.
func Read(ctx context.Context, in debugger.Inspector, all []Kindred, wanted map[Object]bool) (Facts, error) {
	r := newReader(in, wanted)
	for i, k := range all {
		if i == maxKindreds {
			r.facts.Cut = true
			break
		}
		if err := r.kindred(ctx, k); err != nil {
			return r.facts, err
		}
	}
	return r.facts, nil
}

func newReader(in debugger.Inspector, wanted map[Object]bool) *reader {
	r := &reader{in: in, wanted: wanted, user: maxUser, sources: map[string][]byte{}, done: map[string][]deed{}, facts: Facts{Held: map[uint64][]Holder{}, Unlocking: map[uint64][]Holder{}, Known: map[uint64][]Holder{}}}
	for o := range wanted {
		r.values = r.values || o.Kind == Channel || o.Kind == Group
	}
	return r
}

type reader struct {
	in      debugger.Inspector
	wanted  map[Object]bool
	values  bool // something is wanted that variables hold
	user    int  // how many frames of the user's are looked at, of a stack
	sources map[string][]byte
	done    map[string][]deed // by file and place
	facts   Facts
}

// over reports whether nothing more can be read.
func over(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, debugger.ErrRunning) || errors.Is(err, debugger.ErrGone)
}

func (r *reader) kindred(ctx context.Context, k Kindred) error {
	if len(k) == 0 {
		return nil
	}
	frames, _, err := r.in.Frames(ctx, k[0], debugger.Page{Count: maxFrames})
	if over(ctx, err) {
		return errors.Join(err, ctx.Err())
	}
	seen, libraries := 0, 0
	given := map[taken]int{}
	for i, f := range frames {
		if f.Function == groupGo {
			r.deeds(ctx, k, f, []deed{{Expr: "wg", Does: finishes}})
		}
		if debugger.IsWrapper(f.Function) { // it has the line of a statement of another function
			continue
		}
		if !f.User {
			if r.values && !f.Runtime && libraries < maxUser {
				libraries++
				r.deeds(ctx, k[:min(len(k), maxLoading)], f, r.deedsAt(f))
			}
			continue
		}
		if seen++; seen > r.user {
			break
		}
		if err := r.locks(ctx, k, frames[:i+1], given); err != nil {
			return err
		}
		if err := r.frame(ctx, k, f); err != nil {
			return err
		}
	}
	return nil
}

// taken is a lock that a goroutine has locked.
type taken struct {
	by   debugger.GoroutineID
	addr uint64
	read bool
}

// locks notes what the last of some frames holds. Those before it, which it has called, have
// given the locks back that are counted there.
func (r *reader) locks(ctx context.Context, k Kindred, frames []debugger.Frame, given map[taken]int) error {
	f := frames[len(frames)-1]
	held, unlocked := heldAt(r.source(f.File), placeOf(f))
	coming := comes(r.source(f.File), placeOf(f))
	cond := ""
	if len(frames) > 1 && frames[len(frames)-2].Function == "sync.(*Cond).Wait" {
		cond = condAt(r.source(f.File), placeOf(f))
	}
	for i, id := range k {
		if i == maxLocking {
			r.facts.Cut = r.facts.Cut || len(held) > 0
			break
		}
		if cond != "" {
			if addr, _, err := r.lockAddress(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, cond+".L"); err == nil {
				given[taken{by: id, addr: addr}]++
			}
		}
		for _, lock := range held {
			addr, expr, err := r.lockAddress(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, lock.Expr)
			if over(ctx, err) {
				return errors.Join(err, ctx.Err())
			}
			by := taken{id, addr, lock.Read}
			switch {
			case err != nil:
				r.unfound(lock, err)
			case given[by] > 0:
				given[by]--
			case r.pending(ctx, id, frames, lock):
				r.facts.Held[addr] = append(r.facts.Held[addr], Holder{Goroutine: id, Frame: f.Index, Function: f.Function, File: f.File, Expr: expr, Line: lock.Line, Read: lock.Read, Doubtful: lock.Doubtful})
			}
		}
		for _, lock := range unlocked {
			if addr, _, err := r.lockAddress(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, lock.Expr); err == nil {
				given[taken{id, addr, lock.Read}]++
			}
		}
		for _, lock := range coming {
			addr, expr, err := r.lockAddress(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, lock.Expr)
			if err != nil {
				r.unfound(lock, err)
			} else {
				r.facts.Unlocking[addr] = append(r.facts.Unlocking[addr], Holder{Goroutine: id, Frame: f.Index, Function: f.Function, File: f.File, Expr: expr, Read: lock.Read, Doubtful: true})
			}
		}
	}
	return nil
}

// unfound notes a lock whose address could not be read.
func (r *reader) unfound(l Lock, err error) {
	if !errors.Is(err, errNoLock) {
		r.facts.Unfound = append(r.facts.Unfound, l.Expr)
	}
}

// pending reports whether no deferred call of the last of some frames has unlocked a lock: the
// one that does so has still to run, or runs, and its own frame tells whether it has.
func (r *reader) pending(ctx context.Context, id debugger.GoroutineID, frames []debugger.Frame, lock Lock) bool {
	at := len(frames) - 1
	runs := deferredCall(frames)
	reader, ok := r.in.(debugger.StackReader)
	if lock.From == 0 || runs < 0 || !ok || frames[runs].File == frames[at].File && lock.From <= frames[runs].Line && frames[runs].Line <= lock.To {
		return true
	}
	stack, _, _ := reader.Stack(ctx, id, debugger.StackQuery{Depth: at, Defers: true})
	return at < len(stack) && slices.ContainsFunc(stack[at].Defers, func(d debugger.Deferred) bool {
		return lock.From <= d.At.Line && d.At.Line <= lock.To
	})
}

// deferredCall is the frame of the deferred call that runs while the last of some frames
// returns, or while its goroutine panics or exits; -1 without one.
func deferredCall(frames []debugger.Frame) int {
	last := len(frames) - 1
	for i := last - 1; i > 0; i-- {
		switch f := frames[i].Function; {
		case f == "runtime.deferreturn" && i == last-1, f == "runtime.gopanic", f == "runtime.Goexit":
			return i - 1
		}
	}
	return -1
}

func placeOf(f debugger.Frame) place { return place{f.Line, debugger.LiteralDepth(f.Function)} }

// groupGo is the function around what WaitGroup.Go runs.
const groupGo = "sync.(*WaitGroup).Go.func1"

// deedsAt are the deeds that the function of a frame may still come to.
func (r *reader) deedsAt(f debugger.Frame) []deed {
	at := fmt.Sprint(f.File, placeOf(f))
	list, known := r.done[at]
	if !known {
		list = deedsAfter(r.source(f.File), placeOf(f))
		r.done[at] = list
	}
	return list
}

// deeds notes what the function of a frame may still do with what is wanted.
func (r *reader) deeds(ctx context.Context, k Kindred, f debugger.Frame, list []deed) {
	for i, id := range k {
		if i == maxLocking {
			r.facts.Cut = true
			return
		}
		for _, d := range list {
			v, err := r.in.Evaluate(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, d.Expr)
			if err != nil || v.Unreadable != "" {
				if !f.User && d.Does != finishes && !d.ranged && !strings.Contains(d.Expr, "(") && !over(ctx, err) { // code of libraries is optimized
					r.facts.Unread = append(r.facts.Unread, Holder{Goroutine: id, Frame: f.Index, Function: f.Function, Expr: d.Expr, Does: d.Does})
				}
				continue // it is not set yet, or no channel
			}
			v = v.Deref()
			object := Object{Channel, v.Base}
			if v.Type == "sync.WaitGroup" {
				object = Object{Group, v.Addr}
			}
			if r.wanted[object] {
				r.facts.Known[object.Addr] = append(r.facts.Known[object.Addr], Holder{Goroutine: id, Frame: f.Index, Function: f.Function, Expr: d.Expr, Type: v.Type, Does: d.Does})
			}
		}
	}
}

func (r *reader) frame(ctx context.Context, k Kindred, f debugger.Frame) error {
	if r.values {
		r.deeds(ctx, k, f, r.deedsAt(f))
	}
	for i, id := range k {
		if i == maxLoading || !r.values {
			r.facts.Cut = r.facts.Cut || r.values
			break
		}
		loaded, err := r.in.Load(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index})
		if over(ctx, err) {
			return errors.Join(err, ctx.Err())
		}
		if err == nil {
			found := map[uint64]bool{}
			for _, v := range loaded.Variables() {
				r.search(v, v.Name, Holder{Goroutine: id, Frame: f.Index, Function: f.Function}, found, 0)
			}
		}
	}
	return nil
}

// search looks for what is wanted in a value; each is reported once a frame.
func (r *reader) search(v debugger.Variable, name string, h Holder, found map[uint64]bool, depth int) {
	object := Object{}
	switch {
	case v.Kind == reflect.Chan && v.Base != 0:
		object = Object{Channel, v.Base}
	case v.Type == "sync.WaitGroup":
		object = Object{Group, v.Addr}
	}
	if r.wanted[object] && !found[object.Addr] {
		found[object.Addr] = true
		h.Expr, h.Type = name, v.Type
		r.facts.Known[object.Addr] = append(r.facts.Known[object.Addr], h)
	}
	if depth >= maxDepth || v.Kind == reflect.Chan {
		return
	}
	for _, c := range v.Children {
		inner := name
		switch {
		case c.Name == "":
		case c.Name[0] == '[':
			inner += c.Name
		default:
			inner += "." + c.Name
		}
		r.search(c, inner, h, found, depth+1)
	}
}

// errNoLock is returned for an expression that is no lock of package sync.
var errNoLock = errors.New("no lock")

// lockAddress evaluates the operand of a call of Lock: a lock, a pointer to
// one, an interface that holds one, or a structure that embeds one, which is named.
func (r *reader) lockAddress(ctx context.Context, at debugger.FrameRef, expr string) (addr uint64, name string, err error) {
	for i, e := range []string{expr, expr + ".Mutex", expr + ".RWMutex"} {
		v, err := r.in.Evaluate(ctx, at, e)
		if i == 0 && err != nil || over(ctx, err) {
			return 0, "", err
		}
		if err != nil {
			continue
		}
		if v = v.Deref(); v.Addr != 0 && (v.Type == "sync.Mutex" || v.Type == "sync.RWMutex") {
			return v.Addr, e, nil
		}
	}
	return 0, "", errNoLock
}

// source reads a file; nil when it cannot be.
func (r *reader) source(path string) []byte {
	text, known := r.sources[path]
	if !known {
		if info, err := os.Stat(path); err == nil && info.Size() <= maxSource && info.Mode().IsRegular() {
			text, _ = regular.Read(path) // without it nothing is known of locks
		}
		r.sources[path] = text
	}
	return text
}
