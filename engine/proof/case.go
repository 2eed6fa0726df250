package proof

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/subject"
)

// Case is one crash under review: what is asked about it and proved
// against it ends with its context.
type Case struct {
	Ctx       context.Context
	cancel    context.CancelFunc
	Evidence  evidence.Case
	subject   subject.Subject
	Verifier  *verify.Verifier
	unproved  []patch.Candidate // waiting for a slot
	proving   int               // slots in use
	slow      int               // proofs that share theirs
	crowded   bool              // it was said that memory lets one proof run at a time
	compared  map[string]bool   // candidates whose behavior is, or was, compared
	comparing bool
	wanted    string                             // the candidate that a person looks at
	tests     *madeTests                         // regression tests
	Ready     chan struct{}                      // closed when found is set
	Found     evidence.Case                      // evidence with its Code and Diagnosis; read it after ready
	observed  atomic.Pointer[evidence.Diagnosis] // that of found, with what a run has shown; nil before
	seen      map[string]string                  // candidates by the change they make
	second    map[string]secondOpinion           // by candidate, see agreed
	opened    time.Time
	Settle    time.Duration // how long after the end of the repro command it stopped
	Count     int           // candidates of first tries
}

// secondOpinion is another source that proposes a built-in fix.
type secondOpinion struct {
	of     patch.Source
	counts bool // the fix is proved as a change of that source
}

// Diagnosis is the newest one; ask for it after ready.
func (c *Case) Diagnosis() evidence.Diagnosis {
	if d := c.observed.Load(); d != nil {
		return *d
	}
	return c.Found.Diagnosis
}
