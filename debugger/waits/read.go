package waits

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
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
	r := reader{in: in, wanted: wanted, sources: map[string][]byte{}, done: map[string][]deed{}, facts: Facts{Held: map[uint64][]Holder{}, Known: map[uint64][]Holder{}}}
	for o := range wanted {
		r.values = r.values || o.Kind == Channel || o.Kind == Group
	}
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

type reader struct {
	in      debugger.Inspector
	wanted  map[Object]bool
	values  bool // something is wanted that variables hold
	sources map[string][]byte
	done    map[string][]deed // by file and line
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
	for _, f := range frames {
		if f.Function == groupGo {
			r.deeds(ctx, k, f, []deed{{Expr: "wg", Does: finishes}})
		}
		if !f.User {
			if r.values && !f.Runtime && libraries < maxUser {
				libraries++
				r.deeds(ctx, k[:min(len(k), maxLoading)], f, r.deedsAt(f))
			}
			continue
		}
		if seen++; seen > maxUser {
			break
		}
		if err := r.frame(ctx, k, f); err != nil {
			return err
		}
	}
	return nil
}

// groupGo is the function around what WaitGroup.Go runs.
const groupGo = "sync.(*WaitGroup).Go.func1"

// deedsAt are the deeds that the function of a frame may still come to.
func (r *reader) deedsAt(f debugger.Frame) []deed {
	at := fmt.Sprintf("%s:%d", f.File, f.Line)
	list, known := r.done[at]
	if !known {
		list = deedsAfter(r.source(f.File), f.Line)
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
	for _, lock := range heldAt(r.source(f.File), f.Line) {
		for i, id := range k {
			if i == maxLocking {
				r.facts.Cut = true
				break
			}
			addr, expr, err := r.lockAddress(ctx, debugger.FrameRef{Goroutine: id, Frame: f.Index}, lock.Expr)
			if over(ctx, err) {
				return errors.Join(err, ctx.Err())
			}
			if err == nil {
				r.facts.Held[addr] = append(r.facts.Held[addr], Holder{Goroutine: id, Frame: f.Index, Function: f.Function, File: f.File, Expr: expr, Line: lock.Line, Read: lock.Read})
			}
		}
	}
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
