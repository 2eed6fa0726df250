package sandbox

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/pausetui/pausetui/verify/repro"
)

// companion is the repro command, seen from outside the sandbox.
type companion struct {
	read, write *os.File // what it prints
	output      repro.Output
	printed     *repro.Watcher // nil: it waits for a port
	result      ReproResult
	ended       chan struct{} // closed when it has ended by itself
}

func openCompanion(a *Repro) (*companion, error) {
	c := &companion{ended: make(chan struct{})}
	if a == nil {
		return c, nil
	}
	if a.After != "" {
		c.printed = repro.NewWatcher(a.After)
	}
	var err error
	if c.read, c.write, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("make the pipe of the repro command: %w", err)
	}
	return c, nil
}

// files are what the init gets for it.
func (c *companion) files() []*os.File {
	if c.write == nil {
		return nil
	}
	return []*os.File{c.write}
}

// started closes the sandbox's end here, so that reading ends with it.
func (c *companion) started() {
	if c.write != nil {
		_ = c.write.Close()
	}
}

// capture reads what the command prints until all who could write are gone.
func (c *companion) capture() {
	if c.read != nil {
		_, _ = io.Copy(&c.output, c.read) // a pipe ends with EOF, or with the deadline
	}
}

// finish lets capture end even if someone still holds the other side.
func (c *companion) finish() {
	if c.read != nil {
		_ = c.read.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
	}
}

func (c *companion) close() {
	c.started()
	if c.read != nil {
		_ = c.read.Close()
	}
}

// take records a report of the init's; true if it was about the command.
func (c *companion) take(rep report) bool {
	switch {
	case rep.ReproBegun:
		c.result.Started = true
	case rep.ReproEnded:
		c.result.Ended, c.result.Exit, c.result.Signal = true, rep.Code, rep.Signal
		close(c.ended)
	default:
		return false
	}
	return true
}

// outcome is what became of the command; nil without one.
func (c *companion) outcome() *ReproResult {
	if c.read == nil {
		return nil
	}
	c.result.Output, c.result.Dropped = c.output.Text()
	return &c.result
}

// The init's side.

// cue tells the init when to start the repro command.
type cue struct {
	o        order
	launcher *launcher
	asked    <-chan struct{}  // the outside says when; nil: the ports do
	look     <-chan time.Time // it is time to look at the ports
	gate     *repro.Gate
	report   func() // of what the program tried on the network so far: what the command tries is not counted
}

func newCue(o order, l *launcher, asked <-chan struct{}, report func()) *cue {
	switch {
	case l == nil:
		return &cue{}
	case o.ReproAsked:
		return &cue{o: o, launcher: l, asked: asked, report: report}
	}
	return &cue{o: o, launcher: l, report: report, look: time.Tick(repro.Poll), gate: repro.NewGate(repro.Plan{Command: o.Repro, AnyPort: o.ReproAny})}
}

// listening starts the command if the program listens.
func (c *cue) listening(tell func(report)) (pid int, err error) {
	port, open := c.gate.Open(time.Now(), repro.Ports(os.Getpid()))
	if !open {
		return -1, nil
	}
	return c.start(tell, repro.Setting(port))
}

// start starts the command, once.
func (c *cue) start(tell func(report), env ...string) (pid int, err error) {
	c.asked, c.look = nil, nil
	c.report()
	o := c.o
	o.Path, o.Args, o.Env = repro.Shell[0], append(slices.Clone(repro.Shell[1:]), o.Repro), append(slices.Clip(o.Env), env...)
	if err := c.launcher.launch(o); err != nil {
		return 0, fmt.Errorf("run %q: %w", o.Repro, err)
	}
	tell(report{ReproBegun: true})
	tell(report{Leads: true})
	return c.launcher.pid, nil
}
