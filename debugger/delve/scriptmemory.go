package delve

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
)

// Bounds of what a script may hold. Starlark counts no memory, so that the
// growth of the whole process is looked at; a single operation can pass the
// bound by what Starlark itself allows for one (1 GiB).
const (
	scriptMemory = 1 << 30 // bytes more than before it began
	scriptLook   = 50 * time.Millisecond
)

var errScriptMemory = advice.Add(fmt.Errorf("the script was ended: it held more than %d MB", scriptMemory>>20), "let it print as it goes, rather than collect")

// memoryBound watches what a script allocates.
type memoryBound struct {
	stop chan struct{}
	over chan bool
}

// boundMemory calls cancel once more bytes than most are held beyond those of now.
func boundMemory(most uint64, cancel func()) memoryBound {
	b := memoryBound{make(chan struct{}), make(chan bool, 1)}
	runtime.GC() // what is dropped already, by others too, does not count
	limit := heapBytes() + most
	go func() { // ends with end
		tick := time.NewTicker(scriptLook)
		defer tick.Stop()
		over := false
		for {
			select {
			case <-b.stop:
				b.over <- over
				return
			case <-tick.C:
			}
			if over || heapBytes() <= limit {
				continue
			}
			runtime.GC()
			if heapBytes() > limit {
				over = true
				cancel()
			}
		}
	}()
	return b
}

// end ends the watch and reports whether the bound was passed.
func (b memoryBound) end() bool {
	close(b.stop)
	return <-b.over
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
