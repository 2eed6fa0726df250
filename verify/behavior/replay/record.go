//go:build go1.21

package replay

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of what a run records.
const (
	maxKept     = 64                     // calls of one function, before every other one is left out
	maxRecorded = 8 << 20                // bytes
	maxSpent    = 500 * time.Millisecond // in which calls are written
)

// recorder is what a run has recorded.
var recorder struct {
	mu      sync.Mutex
	output  *os.File // the program's file 3, written to at once: it has everything when the program dies
	bytes   int
	spent   time.Duration
	written map[int]int    // calls by function
	stride  map[int]uint64 // one of so many calls is kept
	seen    map[string]bool
	counts  [1 << 10]uint64 // of calls, by function
}

// Entered is a call that has begun.
type Entered struct {
	fn    int
	num   uint64
	kept  bool
	args  []any
	begun bool
}

// Enter notes a call of a function: args are pointers to its receiver and parameters.
func Enter(fn int, args ...any) Entered {
	c := Entered{fn: fn, args: args, begun: fn >= 0 && fn < len(recorder.counts)}
	if !c.begun {
		return c
	}
	c.num = atomic.AddUint64(&recorder.counts[fn], 1)
	// The text of an error is written by a method that may be recorded, too.
	if !recorder.mu.TryLock() {
		return c
	}
	defer recorder.mu.Unlock()
	if stride := recorder.stride[fn]; stride > 1 && c.num%stride != 0 {
		return c
	}
	c.kept = c.write(false)
	return c
}

// Leave is deferred: it notes a panic, with the arguments where these are not written yet.
func (c Entered) Leave() {
	if !c.begun || !panicking() {
		return
	}
	recorder.mu.Lock()
	defer recorder.mu.Unlock()
	if c.kept {
		c.line(Call{Func: c.fn, Num: c.num, Panicked: true})
		return
	}
	recorder.spent = 0 // the one that matters
	c.write(true)
}

// panicking reports whether the function that defers Leave is left by a panic: the runtime
// calls it then.
func panicking() bool {
	var callers [1]uintptr
	if runtime.Callers(3, callers[:]) == 0 {
		return false
	}
	frame, _ := runtime.CallersFrames(callers[:]).Next()
	return frame.Function == "runtime.gopanic" || strings.HasPrefix(frame.Function, "runtime.panic") || frame.Function == "runtime.sigpanic"
}

// write writes a call and reports whether it is in the file now.
func (c Entered) write(panicked bool) bool {
	if recorder.bytes > maxRecorded || recorder.spent > maxSpent {
		return false
	}
	begun := time.Now()
	defer func() { recorder.spent += time.Since(begun) }()
	values := make([]reflect.Value, len(c.args))
	for i, p := range c.args {
		values[i] = reflect.ValueOf(p).Elem()
	}
	nodes, why := encode(values)
	if why != "" {
		nodes = []Node{{Kind: "", Text: why}}
	}
	return c.line(Call{Func: c.fn, Num: c.num, Panicked: panicked, Args: nodes})
}

// line writes one line of the file.
func (c Entered) line(call Call) bool {
	if recorder.seen == nil {
		recorder.seen, recorder.written, recorder.stride = map[string]bool{}, map[int]int{}, map[int]uint64{}
	}
	if call.Args != nil && !call.Panicked {
		args, err := json.Marshal(call.Args)
		key := strconv.Itoa(call.Func) + string(args)
		if err != nil || recorder.seen[key] {
			return false
		}
		recorder.seen[key] = true
		if recorder.written[call.Func]++; recorder.written[call.Func]%maxKept == 0 {
			recorder.stride[call.Func] = 2 * max(recorder.stride[call.Func], 1)
		}
	}
	text, err := json.Marshal(call)
	if err != nil {
		return false
	}
	recorder.bytes += len(text) + 1
	if recorder.output == nil { // not before: pausetui has this package too, and another file 3
		recorder.output = os.NewFile(3, "recorded calls")
	}
	_, err = recorder.output.Write(append(text, '\n'))
	return err == nil
}
