package control

import (
	"time"

	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Mode is how a target was obtained. It decides what may be done with it,
// and above all what becomes of it at the end.
type Mode int

const (
	Launched  Mode = iota // started by us: it dies with us
	Attached              // it ran before, and runs on after us
	Opened                // a core dump
	Connected             // another Delve server's
)

// Grace is how long the server has to part from the target before it is killed.
func (m Mode) Grace() time.Duration {
	if m == Attached {
		return rpc.PartTime + 10*time.Second
	}
	return 0
}
