// Package script runs small Starlark programs that look at a paused program through
// functions that the caller provides.
//
// The rules are:
//
//   - A script runs in a process of its own, this binary as a helper, with limits
//     on steps, memory, output, calls and time. Nothing that it does to itself
//     reaches the session.
//   - It has no files, no network, no clock and no load: only the functions that it is
//     given, which are answered here.
//   - Its variables stay from one script to the next.
//
// The package does not know what the functions do.
package script

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/pausetui/pausetui/internal/supervise"
)

// Limits bound a script; zero is the default of each.
type Limits struct {
	Steps  uint64        // of the interpreter; 1,000,000
	Memory uint64        // bytes; 512 MiB
	Output int           // bytes printed; 8 KiB
	Calls  int           // of functions; 40
	Time   time.Duration // 20 seconds
}

// MaxMemory is the most that Limits.Memory may be: a script needs no more, however much a
// program may have.
const MaxMemory = 512 << 20

func (l Limits) withDefaults() Limits {
	if l.Steps == 0 {
		l.Steps = 1_000_000
	}
	if l.Memory == 0 {
		l.Memory = MaxMemory
	}
	if l.Output == 0 {
		l.Output = 8 << 10
	}
	if l.Calls == 0 {
		l.Calls = 40
	}
	if l.Time == 0 {
		l.Time = 20 * time.Second
	}
	return l
}

// End is how a script asked to go on.
type End string

// The ends. A script that runs to its end has thought, too.
const (
	Think   End = "think"   // another script follows
	Propose End = "propose" // the answer follows
	GiveUp  End = "give_up"
)

// Result is what a script gave.
type Result struct {
	Output string // what it printed, and what it gave to think
	End    End
	Words  string // what it gave to propose or give_up
	Err    string // with the line, as Starlark says it; empty without an error
}

// API answers the functions of scripts. Objects of an answer become structs of the script;
// a Dict becomes a dict.
type API struct {
	Names []string // of the functions
	Call  func(ctx context.Context, name string, args []any) (any, error)
}

// Dict is an answer whose keys are data.
type Dict map[string]any

// MarshalJSON marks the object as a dict.
func (d Dict) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]map[string]any{dictKey: d})
}

// dictKey marks a dict among the answers.
const dictKey = "$dict"

// Interpreter runs scripts one after another. It is for one goroutine.
type Interpreter struct {
	api    API
	limits Limits
	cancel context.CancelFunc
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
}

// ErrEnded is returned when the interpreter's process is gone: a limit ended it.
var ErrEnded = errors.New("the interpreter has ended: the script used too much memory, or too much time")

// helperName is the helper (see reexec) that runs the scripts.
const helperName = "script"

// Start starts an interpreter. It ends with ctx, or with Close.
func Start(ctx context.Context, api API, limits Limits) (*Interpreter, error) {
	ctx, cancel := context.WithCancel(ctx)
	i := &Interpreter{api: api, limits: limits.withDefaults(), cancel: cancel, cmd: supervise.Helper(ctx, helperName)}
	i.cmd.Env = []string{"GOMAXPROCS=1"} // nothing of the person's environment
	var err error
	if i.in, err = i.cmd.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = i.cmd.StdoutPipe(); err == nil {
			i.out = bufio.NewReader(out)
			err = i.cmd.Start()
		}
	}
	if err == nil {
		err = i.send(order{Limits: i.limits, Names: api.Names})
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start the interpreter of scripts: %w", err)
	}
	return i, nil
}

// Close ends the interpreter.
func (i *Interpreter) Close() {
	_ = i.in.Close()
	i.cancel()
	_ = i.cmd.Wait() // killed
}

// Run runs a script. An error in it is a Result; Run fails with ErrEnded where
// there is no interpreter any more.
func (i *Interpreter) Run(ctx context.Context, text string) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, i.limits.Time)
	defer cancel()
	stop := context.AfterFunc(ctx, i.cancel)
	defer stop()
	if err := i.send(message{Run: &text}); err != nil {
		return Result{}, ErrEnded
	}
	for calls := 0; ; {
		m, err := i.receive()
		if err != nil {
			return Result{}, ErrEnded
		}
		if m.Result != nil {
			return *m.Result, nil
		}
		if m.Call == nil {
			continue
		}
		var reply answer
		if calls++; calls > i.limits.Calls {
			reply.Err = fmt.Sprintf("a script may call at most %d functions", i.limits.Calls)
		} else if reply.Value, err = i.api.Call(ctx, m.Call.Name, m.Call.Args); err != nil {
			reply = answer{Err: err.Error()}
		}
		if ctx.Err() != nil { // its time is over, whoever has noticed first
			return Result{}, ErrEnded
		}
		if err := i.send(message{Answer: &reply}); err != nil {
			return Result{}, ErrEnded
		}
	}
}

// What is sent: an order first, then messages, one JSON object a line.
type (
	order struct {
		Limits Limits
		Names  []string
	}
	message struct {
		Run    *string `json:",omitempty"`
		Call   *calling
		Answer *answer
		Result *Result
	}
	calling struct {
		Name string
		Args []any
	}
	answer struct {
		Value any
		Err   string
	}
)

func (i *Interpreter) send(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = i.in.Write(append(text, '\n'))
	return err
}

// maxMessage bounds what the helper may say at once, in bytes.
const maxMessage = 1 << 20

func (i *Interpreter) receive() (message, error) {
	var m message
	line, err := readLine(i.out)
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	return m, err
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxMessage {
			return nil, bufio.ErrTooLong
		}
	}
}
