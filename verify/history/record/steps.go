//go:build go1.21

package record

import (
	"math"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The steps of a run: statements of the program that have begun. Each adds 1 to Begun. Reach notes
// them; where At is not 0, the run is held once, before the step number At, and none is noted later.
var (
	Begun, At = new(uint64), new(uint64)

	begins = uint64(1)
	holds  uint32 // 1 when a goroutine is held
)

// count has Begun and At be those of the file, once.
var count = sync.OnceFunc(func() {
	At = &begins // without a file: the first step asks, and is not held
	if open(); memory != nil {
		Begun, At = word(BegunAt), word(AtAt)
	}
})

// Steps are those that are kept, the last ones.
const Steps = 1 << 21

// Where things are in the file's header, which is followed by the slots and then the steps.
const (
	BegunAt = 32
	AtAt    = 40
	HeldAt  = 48 // the goroutine that is held, plus 1
	FreeAt  = 56 // it goes on when this is not 0
	UntilAt = 64 // nothing is recorded after so many steps; 0 for no limit
	stepsAt = (Slots + 1) * SlotSize
)

// What a step is in the file: its site, a digest of values that were set before it, and its
// goroutine.
const (
	siteBits, seenBits = 24, 20
	goroutineBits      = 64 - siteBits - seenBits
)

// Step is a step of a run.
type Step struct{ Site, Seen, Goroutine uint32 }

// ReadStep reads what Reach has written.
func ReadStep(word uint64) Step {
	return Step{Site: uint32(word & (1<<siteBits - 1)), Seen: uint32(word >> siteBits & (1<<seenBits - 1)), Goroutine: uint32(word >> (siteBits + seenBits))}
}

// Short is the number of a goroutine as in a Step.
func Short(goroutine int64) uint32 { return uint32(goroutine & (1<<goroutineBits - 1)) }

// Reach notes the step that begins, with digests of values, or holds the run there.
func Reach(site uint32, seen ...uint64) {
	count()
	if memory == nil || *At != 0 && *Begun+1 > *At {
		return
	}
	if *Begun+1 != *At {
		note(site, seen)
		return
	}
	if atomic.CompareAndSwapUint32(&holds, 0, 1) { // of several that come there, the first one is meant
		note(site, seen)
		atomic.StoreUint64(word(HeldAt), goroutine()+1)
	}
	for atomic.LoadUint64(word(FreeAt)) == 0 {
		pause()
	}
}

// note writes the step that begins.
func note(site uint32, seen []uint64) {
	digest := uint64(0)
	for _, s := range seen {
		digest = digest*prime ^ s
	}
	digest = (digest * prime) >> (64 - seenBits)
	*word(stepsAt + int(*Begun%Steps)*8) = uint64(site) | digest<<siteBits | runner()<<(siteBits+seenBits)
}

var ran struct {
	stack     uintptr
	goroutine uint64
	alone     uint64 // the only goroutine; 0 when there were several
}

// near is how far apart, in bytes, two steps on one stack may be that come after each other:
// what is farther may be another goroutine.
const near = 512

// runner is the goroutine that runs. Asking takes a microsecond, and many where calls are
// deep. So it is asked once while there is only one; else what is near the place in memory
// where the last one was is taken to be the same.
func runner() uint64 {
	if runtime.NumGoroutine() == 1 {
		if ran.alone == 0 {
			ran.alone = goroutine()
		}
		return ran.alone
	}
	ran.alone = 0
	var here byte
	at := address(&here)
	if far := at - ran.stack; ran.goroutine == 0 || far > near && -far > near {
		ran.goroutine = goroutine()
	}
	ran.stack = at
	return ran.goroutine
}

const prime = 0x9e3779b97f4a7c15 // 2⁶⁴ over the golden ratio

var duration = reflect.TypeOf(time.Duration(0))

// Saw is a digest of what p points to: a number, a bool, a string, the length of a slice, or
// whether a pointer, map, channel, function or interface is nil. Durations are left out:
// they are measured, and differ in each run.
func Saw(p any) uint64 {
	v := reflect.ValueOf(p).Elem()
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.Type() != duration {
			return uint64(v.Int()) * prime
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint() * prime
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(v.Float()) * prime
	case reflect.String:
		const most = 256
		s := v.String()
		return hashed(uint64(len(s)), s[:min(len(s), most)])
	case reflect.Slice:
		return uint64(v.Len()) * prime
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer:
		if !v.IsNil() {
			return 1
		}
	}
	return 0
}
