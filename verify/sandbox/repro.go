package sandbox

import (
	"errors"
	"time"
)

// ErrSharedNetwork is returned by Run where a repro command is to run, the
// sandbox has no network of its own, and Repro.Ports is empty: a port that the
// program is to listen on may be taken, and the command might reach something
// else.
var ErrSharedNetwork = errors.New("the sandbox has no network of its own")

// Repro is a command that runs once next to the program, inside the sandbox, as
// a client of it would.
type Repro struct {
	Command string // a line for the shell
	After   string // run it after the program printed this; empty: when it listens on a TCP port
	AnyPort bool   // whichever that is, though the command names another
	// Grace is how long the program may go on after the command has ended; then
	// it is ended as alive.
	Grace time.Duration
	// Ports are those that the program is told to listen on, known to be free,
	// where the sandbox has no network of its own. Program and command may
	// connect to them.
	Ports []int
}

// SharesNetwork reports whether a program of that spec runs in this machine's own
// network.
func (s Spec) SharesNetwork() bool {
	tier, _ := choose(s)
	return tier != Full || s.AllowNetwork
}

// ReproResult tells what became of the command.
type ReproResult struct {
	Started bool
	Ended   bool   // by itself, before the program did
	Exit    int    // exit code; -1 when a signal ended it
	Signal  string // "SIGKILL"; empty when it exited
	Output  []byte // the beginning of what it printed
	Dropped int64  // bytes after that
}
