package delve

import (
	"time"
)

// launchMode is how a target was obtained. It decides what may be done with it,
// and above all what becomes of it at the end.
type launchMode int

const (
	launched  launchMode = iota // started by us: it dies with us
	attached                    // it ran before, and runs on after us
	opened                      // a core dump
	connected                   // another Delve server's
)

// grace is how long the server has to part from the target before it is killed.
func (m launchMode) grace() time.Duration {
	if m == attached {
		return partTime + 10*time.Second
	}
	return 0
}

// openError says why the server could not get at the target.
func (srv *server) openError(err error) error {
	switch srv.mode {
	case attached:
		return attachError(srv.want.Attach, err)
	case opened:
		return coreError(srv.want.Core, srv.config.Binary, err)
	}
	return launchError(srv.config.Binary, err)
}
