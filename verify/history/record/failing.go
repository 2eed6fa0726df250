//go:build go1.21

package record

import (
	"encoding/binary"
	"sync/atomic"
)

// report is what Fails noted last.
type report struct {
	slot   uint64
	failed func() bool
}

var (
	pending atomic.Pointer[report]
	failed  int         // how often tests have failed
	over    atomic.Bool // a test has failed: nothing after that is recorded
)

// Fails records that a statement begins that may fail a test; has says whether the test has
// failed, and is nil where the statement always fails it. Failed takes back what has not
// failed. After the failure number nth, from 0 on, nothing is recorded.
func Fails(site, nth int, has func() bool) {
	if has != nil && said(has) || !begin() {
		return
	}
	defer mu.Unlock()
	r := pending.Swap(nil)
	if has == nil || r == nil {
		n, ok := slot()
		if !ok {
			return
		}
		r = &report{slot: n}
	}
	put(r.slot, stamp(Event{Site: uint32(site), Goroutine: goroutine()}))
	if has != nil {
		pending.Store(&report{r.slot, has})
	} else if failed++; failed > nth {
		over.Store(true)
	}
}

// Failed is called after the statement that Fails was called before, if that goes on.
func Failed() {
	if !begin() { // it may have found that the test has failed
		return
	}
	defer mu.Unlock()
	if r := pending.Load(); r != nil {
		binary.NativeEndian.PutUint64(memory[r.slot*SlotSize:], 0)
		pending.Store(&report{slot: r.slot})
	}
}

// said is an answer; false where there is none.
func said(has func() bool) (yes bool) {
	defer func() { _ = recover() }()
	return has()
}
