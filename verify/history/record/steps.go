//go:build go1.21

package record

import (
	"sync"
	"sync/atomic"
)

// The steps of a run: statements of the program that have begun. Each adds 1 to Begun. Where
// At is 0, Reach notes each of them; else the run is held once, before the step number At.
var (
	Begun, At = new(uint64), new(uint64)

	never = ^uint64(0)
)

// count has Begun and At be those of the file, once.
var count = sync.OnceFunc(func() {
	At = &never
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
	stepsAt = (Slots + 1) * SlotSize
)

// Reach notes the step that begins, or holds the run there.
func Reach(site uint32) {
	count()
	switch {
	case *At == 0:
		*word(stepsAt + int(*Begun%Steps)*8) = uint64(site) | runner()<<32
		return
	case *Begun+1 != *At:
		return
	}
	atomic.CompareAndSwapUint64(word(HeldAt), 0, goroutine()+1)
	for atomic.LoadUint64(word(FreeAt)) == 0 {
		pause()
	}
}

var ran struct {
	stack     uintptr
	goroutine uint64
}

// near is how far apart, in bytes, two steps on one stack may be that come after each other:
// what is farther may be another goroutine.
const near = 512

// runner is the goroutine that runs. Asking takes a microsecond, so what is near the place
// in memory where the last one was is taken to be the same.
func runner() uint64 {
	var here byte
	at := address(&here)
	if far := at - ran.stack; ran.goroutine == 0 || far > near && -far > near {
		ran.goroutine = goroutine()
	}
	ran.stack = at
	return ran.goroutine
}
