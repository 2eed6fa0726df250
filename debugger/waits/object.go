package waits

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Kind is what sort of thing is waited for.
type Kind int

// The kinds.
const (
	Other   Kind = iota // a semaphore of some other make
	Channel             // at the address of what the runtime calls an hchan
	Mutex               // a sync.Mutex, which may be the first field of a sync.RWMutex
	RWMutex
	Group // a sync.WaitGroup
)

// String names the kind for people.
func (k Kind) String() string {
	return [...]string{"semaphore", "chan", "mutex", "rwmutex", "waitgroup"}[k]
}

// Object is a thing that goroutines wait for.
type Object struct {
	Kind Kind
	Addr uint64
}

// OfSemaphore is what a goroutine waits for whose semaphore is at addr: the
// semaphore is a field of it, at a place that depends on the reason the runtime
// gives.
func OfSemaphore(reason string, addr uint64) Object {
	switch {
	case reason == "sync.Mutex.Lock": // state, sema
		return Object{Mutex, addr - 4}
	case reason == "sync.RWMutex.Lock": // w, writerSem
		return Object{RWMutex, addr - 8}
	case reason == "sync.RWMutex.RLock": // w, writerSem, readerSem
		return Object{RWMutex, addr - 12}
	case strings.HasPrefix(reason, "sync.WaitGroup.Wait"): // state, sema
		return Object{Group, addr - 8}
	}
	return Object{Other, addr}
}

// Holder is a goroutine that has something others wait for.
type Holder struct {
	Goroutine debugger.GoroutineID
	Frame     int // -1 where it is not known
	Function  string
	File      string // absolute
	Expr      string // how it is called there: "s.mu"
	Line      int    // where it was locked; 0 for what is only known to a frame
	Read      bool   // for reading
	Doubtful  bool   // it may not have the lock: others may unlock it, or have done so
	Pending   bool   // it does not have the lock: it waits for it, too, and is let in first
	Type      string // of a channel: "chan<- int"
	Does      does   // what its function may still do with it; 0 where it only has it in a variable
}

// Facts is what was found out about who has what.
type Facts struct {
	// Held: locks, by their address, with who is between Lock and Unlock.
	Held map[uint64][]Holder
	// Known: channels and groups, by their address, with who has them in a
	// variable.
	Known map[uint64][]Holder
	// Unlocking: locks, by their address, with who comes to Unlock without Lock.
	Unlocking map[uint64][]Holder
	// Unread: functions of libraries that come to a send, a receive or a close of something
	// that could not be read.
	Unread []Holder
	// Unfound are locks, as they are written, that a function holds or comes to unlock and
	// whose address could not be read.
	Unfound []string
	// Cut tells that not all goroutines were looked at.
	Cut bool
}
