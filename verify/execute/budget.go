package execute

import (
	"cmp"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/source/build"
)

const (
	// DependantsTimeout is how long the tests of the packages that depend on the
	// touched ones may take together, where the options say nothing.
	DependantsTimeout = time.Minute
	// wholeTimeout is when the tests of a touched package are taken to have no end,
	// as by `go test`.
	wholeTimeout = 10 * time.Minute
	// LeastTests is the shortest time limit that can be kept.
	LeastTests = 100 * time.Millisecond
)

// Budget is the time that test binaries may run, see sandbox.Spent. Several may
// share it.
type Budget struct {
	whole time.Duration
	left  atomic.Int64
}

// NewBudget is that much time.
func NewBudget(d time.Duration) *Budget {
	b := &Budget{whole: d}
	b.left.Store(int64(d))
	return b
}

// Rest is what is left of it.
func (b *Budget) Rest() time.Duration { return time.Duration(b.left.Load()) }

// Spend takes off what one binary has run: as many as there are processors do so at
// once.
func (b *Budget) Spend(ran time.Duration) { b.left.Add(-int64(ran) / int64(runtime.NumCPU())) }

// AtLeast is a budget that is not below d.
func (b *Budget) AtLeast(d time.Duration) *Budget {
	return NewBudget(max(b.Rest(), d))
}

// TestLimits says for how long the tests of which packages may run.
type TestLimits struct {
	Touched map[string]bool // by import path; their tests run to their end
	others  *Budget         // of all other tests together
}

// NewLimits are those of the packages that an overlay can reach. A limit of the
// person's own holds for all of them.
func (v *Runner) NewLimits(touched map[string]bool) TestLimits {
	if v.Opts.TestTimeout > 0 {
		touched = nil
	}
	return TestLimits{Touched: touched, others: NewBudget(v.TestTimeout())}
}

// TestTimeout is for how long the tests of other packages than the touched ones may run.
func (v *Runner) TestTimeout() time.Duration { return cmp.Or(v.Opts.TestTimeout, DependantsTimeout) }

// Of is the budget of one package's tests.
func (l TestLimits) Of(p build.TestPackage) *Budget {
	if l.Touched[p.ImportPath] {
		return NewBudget(wholeTimeout)
	}
	return l.others
}
