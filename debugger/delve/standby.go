package delve

import (
	"context"
	"sync"

	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/source"
)

// Standby is a server process that was started before there is anything to
// debug, so that Launch need not wait for its start.
type Standby struct {
	mu     sync.Mutex
	target *Target // nil once taken or closed
}

// Stand starts a server process. Close it in the end, whether or not a Launch
// has taken it.
func Stand(ctx context.Context) (*Standby, error) {
	t, err := start(ctx, control.Launched, Config{}, 0)
	if err != nil {
		return nil, err
	}
	return &Standby{target: t}, nil
}

// Close ends the process, unless it was taken.
func (s *Standby) Close() error {
	if t := s.take(); t != nil {
		return t.Close()
	}
	return nil
}

func (s *Standby) take() *Target {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.target
	s.target = nil
	return t
}

// started is a server process for the target: the one that was started in advance, if it
// lives.
func started(ctx context.Context, mode control.Mode, config Config, pid int) (*Target, error) {
	if mode != control.Launched {
		return start(ctx, mode, config, pid)
	}
	t := config.Standby.take()
	if t == nil {
		return start(ctx, mode, config, 0)
	}
	select {
	case <-t.srv.Lost:
		_ = t.Close()
		return start(ctx, mode, config, 0)
	default:
	}
	*t.config, t.srv.Binary = config, config.Binary
	source.Configure(t.Finder, config.source())
	return t, nil
}
