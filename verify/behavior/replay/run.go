//go:build go1.21

package replay

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Function is one that can be called again.
type Function struct {
	Num  int // as in Call.Func
	Name string
	Func any
}

// Order says what a run does: the first line of its input, before the calls.
type Order struct {
	// Make makes inputs of the calls that were recorded; otherwise the calls are the
	// inputs.
	Make   bool          `json:"make,omitempty"`
	Start  int           `json:"start,omitempty"`  // the number of the first input
	Inputs int           `json:"inputs,omitempty"` // how many at most
	Budget time.Duration `json:"budget,omitempty"` // of processor time, for all inputs
}

// Line is a line of what a run writes. One without an outcome says that the input has
// begun.
type Line struct {
	Num     int      `json:"i"`
	Call    *Call    `json:"c,omitempty"` // where inputs are made
	Outcome *Outcome `json:"o,omitempty"`
	Done    bool     `json:"done,omitempty"` // the last line
}

// How a call ended that did not return.
const (
	DoesNotReturn = "does not return"
	Exits         = "ends the program"
	TakesLong     = "takes long"
)

// again is the exit code of a run that has to go on in another process: a goroutine
// that does not return cannot be ended.
const again = 7

// Named is a function that values hold, by its name at run time.
type Named struct {
	Name string
	Func any
}

// maxStack bounds the stack of a call, in bytes: to fill the gigabyte that Go allows takes
// seconds.
const maxStack = 64 << 20

// Run makes calls and ends the program. What it reads comes from the program's file 4,
// what it writes goes to file 3.
func Run(functions []Function, shown ...any) {
	debug.SetMaxStack(maxStack)
	r := &runner{functions: map[int]Function{}, out: bufio.NewWriter(os.NewFile(3, "outcomes"))}
	r.decoder.types, r.decoder.funcs = newTypes(), map[string]reflect.Value{}
	for _, f := range functions {
		r.functions[f.Num] = f
		r.decoder.types.add(reflect.TypeOf(f.Func), 0)
		if rf := runtime.FuncForPC(reflect.ValueOf(f.Func).Pointer()); rf != nil {
			r.decoder.funcs[rf.Name()] = reflect.ValueOf(f.Func)
		}
	}
	for _, p := range shown {
		if n, ok := p.(Named); ok {
			r.decoder.funcs[n.Name] = reflect.ValueOf(n.Func)
			continue
		}
		t := reflect.TypeOf(p)
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		r.decoder.types.add(t, 0)
	}
	if err := r.run(os.NewFile(4, "calls")); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(2)
	}
	os.Exit(0)
}

// runner makes the calls of one run.
type runner struct {
	functions map[int]Function
	decoder   decoder
	out       *bufio.Writer
	stdout    *os.File // what the functions print
	printed   int64
}

func (r *runner) run(in io.Reader) error {
	lines := json.NewDecoder(in)
	var o Order
	if err := lines.Decode(&o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	var calls []Call
	for {
		var c Call
		if err := lines.Decode(&c); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("read the calls: %w", err)
		}
		calls = append(calls, c)
	}
	next := listed(calls)
	if o.Make {
		next = newMaker(calls, r.types()).next
	}
	r.capture()
	begun := spent()
	for num := 0; num < o.Inputs && (o.Budget == 0 || spent()-begun < o.Budget); num++ {
		c, ok := next()
		if !ok {
			break
		}
		if num < o.Start {
			continue
		}
		r.write(Line{Num: num})
		outcome := r.call(c)
		line := Line{Num: num, Outcome: &outcome}
		if o.Make {
			line.Call = &c
		}
		r.write(line)
		if outcome.Ended == DoesNotReturn || outcome.Lost == TakesLong {
			os.Exit(again)
		}
	}
	r.write(Line{Done: true})
	return nil
}

// listed returns the calls of a list one by one.
func listed(calls []Call) func() (Call, bool) {
	return func() (Call, bool) {
		if len(calls) == 0 {
			return Call{}, false
		}
		c := calls[0]
		calls = calls[1:]
		return c, true
	}
}

func (r *runner) write(l Line) {
	text, err := json.Marshal(l)
	if err != nil {
		text, _ = json.Marshal(Line{Num: l.Num, Outcome: &Outcome{Lost: "cannot be written"}})
	}
	_, _ = r.out.Write(append(text, '\n'))
	_ = r.out.Flush()
}

// types are the types of the parameters, by function.
func (r *runner) types() map[int][]reflect.Type {
	in := map[int][]reflect.Type{}
	for num, f := range r.functions {
		in[num] = parameters(f)
	}
	return in
}

func parameters(f Function) []reflect.Type {
	t := reflect.TypeOf(f.Func)
	in := make([]reflect.Type, t.NumIn())
	for i := range in {
		in[i] = t.In(i)
	}
	return in
}

// capture has the functions print into a file that is read after each call.
func (r *runner) capture() {
	file, err := os.CreateTemp("", "printed")
	if err != nil {
		return // then nothing of it is compared
	}
	_ = os.Remove(file.Name())
	r.stdout, os.Stdout = file, file
}

// call makes a call. It is given up when it computes for too long, or waits for what
// does not come.
func (r *runner) call(c Call) Outcome {
	f, ok := r.functions[c.Func]
	if !ok {
		return Outcome{Lost: "is not here"}
	}
	args, why := r.decoder.decode(c.Args, parameters(f))
	if why != "" {
		return Outcome{Lost: why}
	}
	done := make(chan Outcome, 1)
	go r.make(f, args, done)
	begun, waiting, since := spent(), 0, time.Now()
	for {
		select {
		case o := <-done:
			o.Output = r.read()
			return o
		case <-time.After(patience):
		}
		if spent()-begun > mostSpent {
			return Outcome{Ended: DoesNotReturn, Output: r.read()}
		}
		if waits() {
			waiting++
		} else {
			waiting = 0
		}
		if waiting >= mostWaiting {
			return Outcome{Ended: DoesNotReturn, Output: r.read()}
		}
		if time.Since(since) > longest {
			return Outcome{Lost: TakesLong}
		}
	}
}

// When a call is given up. Both hold on a busy machine: processor time is its own, and who
// waits for another does not become ready with time.
const (
	patience    = 20 * time.Millisecond
	mostSpent   = 400 * time.Millisecond
	mostWaiting = 5 // times in a row
	// longest is how long a call may go on that does neither: it is not compared then.
	longest = 3 * time.Second
)

// make makes a call. Its frame is what tells the goroutine of a call from others.
func (r *runner) make(f Function, args []reflect.Value, done chan<- Outcome) {
	var o Outcome
	returned := false
	defer func() {
		p := recover()
		switch {
		case returned:
		case p != nil:
			o = Outcome{Panic: panicText(p)}
		default: // runtime.Goexit
			o = Outcome{Ended: "ends the goroutine"}
		}
		done <- o
	}()
	v := reflect.ValueOf(f.Func)
	var results []reflect.Value
	if v.Type().IsVariadic() {
		results = v.CallSlice(args)
	} else {
		results = v.Call(args)
	}
	returned = true
	values := make([]reflect.Value, 0, len(results)+len(args))
	for _, v := range results {
		values = append(values, copied(v))
	}
	for _, v := range args {
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
			values = append(values, v)
		}
	}
	nodes, why := encode(values)
	if why != "" {
		o.Lost = why
		return
	}
	o.Results, o.After = nodes[:len(results)], nodes[len(results):]
}

// panicText is what the runtime prints of a panic.
func panicText(p any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a value of type %T", p)
		}
	}()
	if err, ok := p.(error); ok {
		return err.Error()
	}
	return fmt.Sprint(p)
}

// read returns what was printed since it was called last.
func (r *runner) read() string {
	if r.stdout == nil {
		return ""
	}
	const most = 4 << 10 // bytes
	text := make([]byte, most)
	n, _ := r.stdout.ReadAt(text, r.printed)
	if end, err := r.stdout.Seek(0, io.SeekCurrent); err == nil {
		r.printed = end
	}
	return string(text[:n])
}

// spent is the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// waits reports whether the goroutine of the call waits for another one.
func waits() bool {
	text := make([]byte, 64<<10)
	text = text[:runtime.Stack(text, true)]
	for _, goroutine := range strings.Split(string(text), "\n\n") {
		if !strings.Contains(goroutine, "(*runner).make(") {
			continue
		}
		state, _, _ := strings.Cut(goroutine, "]:")
		for _, s := range []string{"[chan ", "[select", "[sync.", "[semacquire", "[IO wait"} {
			if strings.Contains(state, s) {
				return true
			}
		}
	}
	return false
}
