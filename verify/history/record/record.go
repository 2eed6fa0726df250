//go:build go1.21

// Package record records what happens to values in a run, in a file that survives the program.
//
// It is built into programs of others: it imports the standard library only, calls no method
// of theirs, and keeps no value alive. Of each object it keeps the first and the last events.
package record

import (
	"encoding/binary"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// The file: a header of one slot, slots, and steps. Several copies of this package share it, one
// of each module.
const (
	SlotSize = 256
	Slots    = 1 << 16
	Size     = stepsAt + Steps*8
	// recent are the slots for objects that have none of their own.
	recent = 1 << 10
	// first and last events of an object that are kept.
	first, last = 4, 12

	// Words of an event before its text.
	Words   = 12
	head    = Words * 8
	maxText = SlotSize - head - 8
)

// Event is something that happened to a value.
type Event struct {
	Seq       uint64 // from 1 on, over all events
	Nanos     uint64 // since the program began
	Goroutine uint64
	Site      uint32
	Size      uint32 // of what was written, in bytes
	Addr      uint64 // of what was written; 0 where it has none
	From      uint64 // where the value was read; 0 where that is not known
	Object    uint64 // whose event it is
	Begun     uint64 // the steps that had begun
	Thing     uint64 // the channel, the map or the lock that it is about
	Nth       uint64 // how many events of the object came before
	Read      uint64 // the Seq at which From was read, where that is another one
	Missing   bool   // From is an entry that the map did not have
	Text      string // the value, short
}

var (
	mu      sync.Mutex
	memory  []byte
	begun   = time.Now()
	objects = map[uint64]*object{}
	groups  = map[uint64]map[int]passing{} // by goroutine: what calls have returned or were given
	stops   = map[uint64]uint64{}          // by goroutine: its slot
)

type object struct {
	slots [first + last]uint64
	n     int
}

// open maps the program's file 3, once.
var open = sync.OnceFunc(func() {
	m, err := syscall.Mmap(3, 0, Size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err == nil {
		memory = m
	}
	syscall.CloseOnExec(3)
})

func word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&memory[at])) }

func address(p *byte) uintptr { return uintptr(unsafe.Pointer(p)) }

// slot takes a slot that nothing has taken; false when there is none left.
func slot() (uint64, bool) {
	n := atomic.AddUint64(word(8), 1)
	return n, n < Slots-recent
}

func place(object *object, seq uint64) uint64 {
	i := object.n
	if i >= first {
		i = first + (i-first)%last
	}
	object.n++
	if object.slots[i] == 0 {
		n, ok := slot()
		if !ok {
			return Slots - recent + seq%recent
		}
		object.slots[i] = n
	}
	return object.slots[i]
}

// stamp fills in when and where an event happens.
func stamp(e Event) Event {
	e.Seq, e.Nanos, e.Begun = atomic.AddUint64(word(16), 1), uint64(time.Since(begun)), *Begun
	return e
}

// put writes an event to a slot. The number comes last: a slot without one is empty.
func put(n uint64, e Event) {
	b := memory[n*SlotSize:][:SlotSize]
	binary.NativeEndian.PutUint64(b, 0)
	for i, w := range []uint64{e.Nanos, e.Goroutine, uint64(e.Site) | uint64(e.Size)<<32, e.Addr, e.From, e.Object, e.Begun, e.Thing, e.Read, e.Nth, e.length()} {
		binary.NativeEndian.PutUint64(b[8*(i+1):], w)
	}
	copy(b[head:], e.Text)
	binary.NativeEndian.PutUint64(b, e.Seq)
}

// missing is the bit beside the length of an event's text.
const missing = 1 << 32

func (e Event) length() uint64 {
	n := uint64(len(e.Text))
	if e.Missing {
		n |= missing
	}
	return n
}

// keep writes an event of an object.
func keep(e Event) {
	o := objects[e.Object]
	if o == nil {
		o = &object{}
		objects[e.Object] = o
	}
	e.Nth = uint64(o.n)
	put(place(o, e.Seq), e)
}

// begin reports whether there is a file to write to, and locks it.
func begin() bool {
	open()
	if r := pending.Load(); r != nil && r.failed != nil && said(r.failed) {
		over.Store(true)
	}
	if memory == nil || over.Load() || *word(UntilAt) != 0 && *Begun > *word(UntilAt) {
		return false
	}
	mu.Lock()
	return true
}

// Store records that a location has got a value: p returns a pointer to it. from returns one
// to where the value was read, or is nil.
func Store(site int, p, from func() any) bool { return store(site, p, from, -1) }

// First is Store for a variable of a loop: it is asked again in each round, and records what
// nothing has given another value since.
func First(site int, p, from func() any, group int) bool {
	if !begin() {
		return true
	}
	e, ok := located(site, p)
	_, known := objects[e.Addr]
	mu.Unlock()
	return known || !ok || store(site, p, from, group)
}

// StoreResult is Store for a result of a call, whose group Return names.
func StoreResult(site int, p func() any, group int) bool { return store(site, p, nil, group) }

// store returns true, as all that can stand in a condition does.
func store(site int, p, from func() any, group int) bool {
	if !begin() {
		return true
	}
	defer mu.Unlock()
	e, ok := located(site, p)
	if !ok {
		return true
	}
	e.takeFrom(from)
	e.Object = e.Addr
	arrived(e.Goroutine, group, e.Object)
	keep(stamp(e))
	return true
}

// takeFrom notes where its value was read; from is nil where that is not known.
func (e *Event) takeFrom(from func() any) {
	if from != nil {
		f, _ := located(0, from)
		e.From, e.Missing = f.Addr, f.Missing
	}
}

// Made records that an object was made: its fields have what its literal says.
func Made(site int, p any, from func() any, group int) {
	store(site, func() any { return p }, from, group)
}

// passing is a value that is about to leave a function. Where a call makes it, awaits is the
// group of what that returns, which comes later; else it is -1.
type passing struct {
	Event
	awaits int
}

// Pass records that a value is about to leave a function, as a result, or as an argument of a
// call; p returns a pointer to it or is nil. Of each group the last value is known.
func Pass(site, group int, p func() any, awaits int) {
	if !begin() {
		return
	}
	defer mu.Unlock()
	e, _ := located(site, p)
	e.From, e.Addr = e.Addr, 0
	mine := groups[e.Goroutine]
	if mine == nil {
		if len(groups) > 1<<12 {
			clear(groups)
		}
		mine = map[int]passing{}
		groups[e.Goroutine] = mine
	}
	mine[group] = passing{stamp(e), awaits}
}

// Forget is called before a call whose result is to be noted: what an earlier one has
// returned is not its.
func Forget(group int) {
	if begin() {
		delete(groups[goroutine()], group)
		mu.Unlock()
	}
}

// longest is how many events in a row a value brings with it.
const longest = 16

// arrived keeps the events of a value that has come through calls, as those of an object.
func arrived(goroutine uint64, group int, object uint64) {
	mine := groups[goroutine]
	next, ok := mine[group]
	var chain []Event
	for ok && len(chain) < longest {
		chain = append(chain, next.Event)
		inner, there := mine[next.awaits]
		ok, next = there && inner.Seq > next.Seq, inner
	}
	delete(mine, group)
	// A call was noted before it was made: what it returned came first.
	for i := range chain {
		chain[i].Read = chain[i].Seq
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i].Seq, chain[j].Seq = chain[j].Seq, chain[i].Seq
	}
	for _, e := range chain {
		e.Object = object
		keep(e)
	}
}

// Key names an entry of a map, or a part of it such as ".name", as the place where a value is
// read.
type Key struct {
	Map, Key any
	Part     string
}

// Entry records that a map has another entry, or has lost it; read returns the part of it that
// is recorded, or is nil for the whole. from and group are those of Store.
func Entry(site int, of func() Key, read, from func() any, group int) bool {
	if !begin() {
		return true
	}
	defer mu.Unlock()
	e, ok := entry(site, of, read)
	if !ok {
		return true
	}
	e.takeFrom(from)
	arrived(e.Goroutine, group, e.Object)
	keep(stamp(e))
	return true
}

// Stop records that the statement is about to run at which the program may stop: the value is
// at p, or an entry of a map. It may be an element of what is at list.
func Stop(site int, p func() any, of func() Key, list func() any) bool {
	if !begin() {
		return true
	}
	defer mu.Unlock()
	var e Event
	if of != nil {
		e, _ = entry(site, of, nil)
		e.Thing = thing(func() any { return of().value() })
	} else {
		e, _ = located(site, p)
		e.Object = e.Addr
		e.Thing = thing(p)
	}
	if list != nil {
		l, _ := located(site, list)
		e.From = l.Addr
	}
	n, ok := stops[e.Goroutine]
	if !ok {
		if n, ok = slot(); !ok {
			n = Slots - recent
		}
		stops[e.Goroutine] = n
	}
	put(n, stamp(e))
	return true
}

// Used records that something is done with a channel, a map, or a lock, to which p returns a
// pointer. Of each place the events of each goroutine are kept.
func Used(site int, p func() any) {
	if !begin() {
		return
	}
	defer mu.Unlock()
	e := Event{Site: uint32(site), Goroutine: goroutine(), Thing: thing(func() any { v := p(); return &v })}
	if e.Thing != 0 {
		e.Object = hashed(e.Thing, strconv.FormatUint(e.Goroutine, 10)+" "+strconv.Itoa(site))
		keep(stamp(e))
	}
}

// thing is the channel or the map that p points to, or what the pointer there points to,
// else the place itself; 0 where it cannot be read.
func thing(p func() any) (at uint64) {
	defer func() { _ = recover() }()
	v := reflect.ValueOf(p())
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return 0
	}
	at = uint64(v.Pointer())
	if v = v.Elem(); v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Chan, reflect.Map, reflect.Pointer:
		at = uint64(v.Pointer())
	}
	return at
}

// Absent is the text of an entry that a map does not have.
const Absent = "absent"

// entry is an event of an entry of a map.
func entry(site int, of func() Key, read func() any) (e Event, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	e = Event{Site: uint32(site), Goroutine: goroutine()}
	k := of()
	e.Text = Absent
	if v := k.entry(); v.IsValid() && read != nil {
		e.Text = Text(reflect.ValueOf(read()))
	} else if v.IsValid() {
		e.Text = Text(v)
	}
	e.Addr = k.address()
	e.Object = e.Addr
	return e, true
}

// value is a pointer to what is there.
func (k Key) value() any {
	v := k.entry()
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// entry is the map's value for the key; the zero Value if there is none.
func (k Key) entry() reflect.Value {
	m, key := reflect.ValueOf(k.Map), reflect.ValueOf(k.Key)
	if !key.IsValid() {
		return reflect.Value{}
	}
	return m.MapIndex(key.Convert(m.Type().Key()))
}

// address is a number for an entry, which has no address.
func (k Key) address() uint64 {
	return hashed(uint64(reflect.ValueOf(k.Map).Pointer()), Text(reflect.ValueOf(k.Key))+k.Part)
}

// hashed makes one number of an address and a text.
func hashed(m uint64, key string) uint64 {
	h := m ^ 14695981039346656037
	for i := 0; i < len(key); i++ {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return h | 1
}

// located is an event of what p points to. What cannot be read has no address.
func located(site int, p func() any) (e Event, ok bool) {
	e = Event{Site: uint32(site), Goroutine: goroutine()}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if p == nil {
		return e, false
	}
	at := p()
	if k, ok := at.(Key); ok {
		e.Addr, e.Missing = k.address(), k.Key != nil && !k.entry().IsValid()
		return e, true
	}
	v := reflect.ValueOf(at)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return e, false
	}
	e.Addr, e.Size = uint64(v.Pointer()), uint32(min(v.Type().Elem().Size(), 1<<31))
	e.Text = Text(v.Elem())
	return e, true
}

// goroutine is the number of the one that runs.
func goroutine() uint64 {
	var b [40]byte
	text := strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine ")
	text, _, _ = strings.Cut(text, " ")
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
