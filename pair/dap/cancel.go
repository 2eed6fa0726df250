package dap

import (
	"context"
	"errors"

	"github.com/google/go-dap"
)

// errCanceled is the answer to a request that the editor has canceled, in the words of
// the protocol.
var errCanceled = errors.New("cancelled") //nolint:misspell // so does it write it

// underway is the request that is carried out.
type underway struct {
	n       int             // its number
	ctx     context.Context // of what it reads; used by the goroutine that carries it out
	stop    context.CancelFunc
	dropped map[int]bool // requests that were canceled before they were carried out
}

// carryOut carries a request out, unless it was canceled; false when it was the last.
func (s *server) carryOut(m dap.RequestMessage) bool {
	n := m.GetRequest().Seq
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	s.mu.Lock()
	dropped := s.underway.dropped[n]
	delete(s.underway.dropped, n)
	s.underway.n, s.underway.stop, s.underway.ctx = n, stop, ctx
	s.mu.Unlock()
	if dropped {
		s.fail(m.GetRequest(), errCanceled)
		return true
	}
	return s.handle(m)
}

// cancel ends what a request reads, or drops it if it waits.
func (s *server) cancel(m *dap.CancelRequest) {
	n := m.Arguments.RequestId
	s.mu.Lock()
	switch {
	case n == s.underway.n && n != 0:
		s.underway.stop()
	case n > s.underway.n && len(s.underway.dropped) < maxWaiting:
		s.underway.dropped[n] = true
	}
	s.mu.Unlock()
	s.send(&dap.CancelResponse{Response: response(m.GetRequest())})
}

// canceled reports whether the request that is carried out was canceled.
func (s *server) canceled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.underway.ctx != nil && s.underway.ctx.Err() != nil
}
