package inspect

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Bounds of what is remembered of earlier stops.
const (
	maxRemembered = 64   // functions of goroutines
	maxPast       = 4096 // values of one frame
	pastText      = 40   // bytes of a value that are said again
)

// history is what the frames held when they were last seen. A frame is found
// again by its goroutine and function, and by the place of its variables: a
// later call of the same function is another frame.
type history map[activation][]past

type activation struct {
	goroutine debugger.GoroutineID
	function  string
}

// past is what one frame held.
type past struct {
	places map[string]uint64 // addresses of its variables, by name
	values map[string]string // by expression
	keys   map[string]uint64 // of maps that were read whole, by expression
	age    uint64            // the stop
}

// Was tells what a value of a frame was when the frame was last seen; changed is
// false where it is the same, or was not seen.
func (s *Store) Was(at debugger.FrameRef, v debugger.Variable) (text string, changed bool) {
	if v.Expr == "" || v.Unreadable != "" {
		return "", false
	}
	before, ok := s.before(at)
	if !ok {
		return "", false
	}
	old, seen := before.values[v.Expr]
	now := stamp(&v)
	if !seen || old == now || now == "" {
		return "", false
	}
	old, _, _ = strings.Cut(old, identity)
	if now, _, _ = strings.Cut(now, identity); old == now {
		return "another, " + old, true
	}
	return old, true
}

// Within reports whether anything that is loaded of a value's parts has changed.
func (s *Store) Within(at debugger.FrameRef, v debugger.Variable) bool {
	before, ok := s.before(at)
	if !ok {
		return false
	}
	left := maxPast
	return within(before, &v, &left, 0)
}

func within(before past, v *debugger.Variable, left *int, depth int) bool {
	if old, seen := before.keys[v.Expr]; seen && v.Expr != "" {
		if now, all := keysOf(v); all && now != old {
			return true
		}
	}
	for i := range v.Children {
		c := &v.Children[i]
		if *left--; *left < 0 || depth > 8 {
			return false
		}
		if old, seen := before.values[c.Expr]; seen && c.Expr != "" {
			if now := stamp(c); now != "" && now != old {
				return true
			}
		}
		if within(before, c, left, depth+1) {
			return true
		}
	}
	return false
}

// before is what the frame at held when it was last seen.
func (s *Store) before(at debugger.FrameRef) (past, bool) {
	frame, ok := s.Frame(at)
	if !ok || !frame.Loaded {
		return past{}, false
	}
	for _, p := range s.history[activation{at.Goroutine, frame.Function}] {
		for _, v := range frame.Variables() {
			if debugger.InMemory(v.Addr) && p.places[v.Name] == v.Addr {
				return p, true
			}
		}
	}
	return past{}, false
}

// identity stands in a stamp before what tells a reference from another one that
// looks the same, which is not shown.
const identity = "\x00"

// keysOf sums up the keys of a map, in no order; all is false of one that was not
// read whole.
func keysOf(v *debugger.Variable) (sum uint64, all bool) {
	if v.Kind != reflect.Map || v.Nil || v.Unloaded > 0 || v.Unreadable != "" {
		return 0, false
	}
	for i := range v.Children {
		h := fnv.New64a()
		_, _ = h.Write([]byte(v.Children[i].Name)) // never fails
		sum += h.Sum64()
	}
	return sum, true
}

// stamp is what is compared of a value; empty for those that are only as
// different as their parts are.
func stamp(v *debugger.Variable) string {
	switch {
	case v.Unreadable != "":
		return ""
	case v.Nil:
		return "nil"
	case v.Kind == reflect.Struct, v.Kind == reflect.Array:
		if len(v.Children) > 0 {
			return ""
		}
	case v.Kind == reflect.Pointer && len(v.Children) == 1:
		return fmt.Sprintf("%#x", v.Children[0].Addr)
	case v.Kind == reflect.Interface && len(v.Children) == 1:
		inner := stamp(&v.Children[0])
		if inner == "" {
			return ""
		}
		return v.Children[0].Type + " " + inner
	case v.Kind == reflect.Slice:
		return fmt.Sprintf("len %d cap %d", v.Len, v.Cap) + identity + strconv.FormatUint(v.Base, 16)
	case v.Kind == reflect.Map, v.Kind == reflect.Chan:
		return fmt.Sprintf("len %d", v.Len) + identity + strconv.FormatUint(v.Base, 16)
	case v.Kind == reflect.String && v.Len > pastText:
		return fmt.Sprintf("%q… %d bytes %x", v.Value[:min(len(v.Value), pastText/2)], v.Len, hashOf(v.Value))
	case v.Kind == reflect.String:
		return fmt.Sprintf("%q", v.Value)
	}
	return v.Value
}

func hashOf(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum32()
}

// Forget drops what frames held: what comes next is another run of the program.
func (s *Store) Forget() { s.history = history{} }

// remember keeps what the loaded frames hold, before they are dropped.
func (s *Store) remember() {
	if s.tag.Stop == 0 {
		return
	}
	fresh := history{}
	for at, l := range s.loaded {
		if !l.frame.Loaded || l.frame.Err != "" {
			continue
		}
		key := activation{at.Goroutine, l.frame.Function}
		fresh[key] = append(fresh[key], s.snapshot(at, l.frame))
	}
	for key, list := range fresh {
		s.history[key] = list
	}
	for len(s.history) > maxRemembered {
		dropOldest(s.history, func(list []past) uint64 { return list[0].age })
	}
}

func (s *Store) snapshot(at debugger.FrameRef, frame debugger.Frame) past {
	p := past{places: map[string]uint64{}, values: map[string]string{}, keys: map[string]uint64{}, age: s.tag.Stop}
	for _, v := range frame.Variables() {
		if debugger.InMemory(v.Addr) {
			p.places[v.Name] = v.Addr
		}
		if !v.Unset { // what the memory held means nothing
			p.add(&v, 0)
		}
	}
	for key, page := range s.pages {
		if key.at == at {
			for i := range page.list {
				p.add(&page.list[i], 1)
			}
		}
	}
	return p
}

func (p past) add(v *debugger.Variable, depth int) {
	if len(p.values) >= maxPast || depth > 8 {
		return
	}
	if now := stamp(v); now != "" && v.Expr != "" {
		p.values[v.Expr] = now
		if keys, all := keysOf(v); all {
			p.keys[v.Expr] = keys
		}
	}
	for i := range v.Children {
		p.add(&v.Children[i], depth+1)
	}
}
