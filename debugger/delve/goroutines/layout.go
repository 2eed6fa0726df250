package goroutines

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
)

// layout is where the fields of the runtime's structures are that goroutines
// are read from, as the target's own debug information says. It holds as long
// as the target lives.
type layout struct {
	allgs            uint64           // address of the list of goroutines, a slice
	clocks           []uint64         // addresses of clockMarks
	semaphores       *semaphoreLayout // nil until it was asked for
	gSize, sudogSize int
	// of runtime.g
	id, status, waitReason, waitSince    uint64
	pc, sp, bp, stackLow, stackHigh      uint64
	startPC, goPC, waiting, labels       uint64
	sudogG, sudogElem, sudogC, sudogLink uint64
	sudogNext, sudogPrev                 uint64
}

// offsets collects the offsets of the fields of a structure, also of nested
// ones: "sched.pc".
func offsets(v *api.Variable, base uint64, path string, into map[string]uint64) {
	for i := range v.Children {
		c := &v.Children[i]
		name := path + c.Name
		into[name] = c.Addr - base
		if c.Kind == reflect.Struct {
			offsets(c, base, name+".", into)
		}
	}
}

// loadFields shows where fields are; their values do not matter.
var loadFields = api.LoadConfig{MaxVariableRecurse: 3, MaxStructFields: -1}

// readLayout asks the debug information. It fails where the runtime is not as
// this code knows it.
func (gr *Lister) readLayout(ctx context.Context) (layout, error) {
	var l layout
	g, err := gr.structure(ctx, "runtime.g0")
	if err != nil {
		return l, err
	}
	// Any readable place serves to look at the structure.
	s, err := gr.structure(ctx, fmt.Sprintf("*(*runtime.sudog)(%#x)", g.base))
	if err != nil {
		return l, err
	}
	find := func(in structLayout, name string, into *uint64) {
		at, ok := in.at[name]
		if !ok && err == nil {
			err = fmt.Errorf("the runtime's %s has no field %s", in.name, name)
		}
		*into = at
	}
	for name, into := range map[string]*uint64{
		"goid": &l.id, "waitreason": &l.waitReason, "waitsince": &l.waitSince, "sched.pc": &l.pc, "sched.sp": &l.sp, "sched.bp": &l.bp,
		"stack.lo": &l.stackLow, "stack.hi": &l.stackHigh, "startpc": &l.startPC, "gopc": &l.goPC, "waiting": &l.waiting, "labels": &l.labels,
		"atomicstatus.value": &l.status,
	} {
		find(g, name, into)
	}
	for name, into := range map[string]*uint64{"g": &l.sudogG, "next": &l.sudogNext, "prev": &l.sudogPrev, "waitlink": &l.sudogLink} {
		find(s, name, into)
	}
	find(s, traceable(s, "elem"), &l.sudogElem)
	find(s, traceable(s, "c"), &l.sudogC)
	l.gSize, l.sudogSize = g.size(), s.size()
	if err == nil && l.stackHigh-l.stackLow != 8 {
		err = errors.New("the program does not have 64 bits")
	}
	if err != nil {
		return l, err
	}
	if l.allgs, err = gr.address(ctx, "runtime.allgs"); err != nil {
		return l, err
	}
	if !SharesClock(gr) {
		for _, name := range clockMarks {
			if at, err := gr.address(ctx, name); err == nil {
				l.clocks = append(l.clocks, at)
			}
		}
	}
	return l, nil
}

// address is where a variable is. Delve looks a name up in milliseconds, so
// what is needed at each stop is asked for once.
func (gr *Lister) address(ctx context.Context, expr string) (uint64, error) {
	v, err := ask.Eval(ctx, gr.srv, debugger.FrameRef{Goroutine: -1}, expr, api.LoadConfig{})
	if err == nil && v.Addr == 0 {
		err = fmt.Errorf("%s has no address", expr)
	}
	if err != nil {
		return 0, err
	}
	return v.Addr, nil
}

// traceable names the field that holds a pointer which Go 1.26 has wrapped.
func traceable(s structLayout, name string) string {
	for _, inner := range []string{".vu", ".maybeTraceablePtr.vu"} {
		if _, ok := s.at[name+inner]; ok {
			return name + inner
		}
	}
	return name
}

// structLayout is the offsets of a structure's fields.
type structLayout struct {
	name string
	base uint64
	at   map[string]uint64
}

// size is how many bytes must be read to have all fields of a word at most.
func (s structLayout) size() int {
	end := uint64(0)
	for _, at := range s.at {
		end = max(end, at+8)
	}
	return int(end)
}

func (gr *Lister) structure(ctx context.Context, expr string) (structLayout, error) {
	v, err := ask.Eval(ctx, gr.srv, debugger.FrameRef{Goroutine: -1}, expr, loadFields)
	if err != nil {
		return structLayout{}, err
	}
	if v.Kind != reflect.Struct || v.Addr == 0 || len(v.Children) == 0 {
		return structLayout{}, fmt.Errorf("%s is not a structure that can be read", expr)
	}
	s := structLayout{name: strings.TrimPrefix(v.Type, "runtime."), base: v.Addr, at: map[string]uint64{}}
	offsets(v, v.Addr, "", s.at)
	return s, nil
}
