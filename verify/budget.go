package verify

import (
	"cmp"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/pausetui/pausetui/source/build"
)

const (
	// dependantsTimeout is how long the tests of the packages that depend on the
	// touched ones may take together, where the options say nothing.
	dependantsTimeout = time.Minute
	// wholeTimeout is when the tests of a touched package are taken to have no end,
	// as by `go test`.
	wholeTimeout = 10 * time.Minute
	// leastTests is the shortest time limit that can be kept.
	leastTests = 100 * time.Millisecond
)

// budget is the time that test binaries may run, see sandbox.Spent. Several may
// share it.
type budget struct {
	whole time.Duration
	left  atomic.Int64
}

func newBudget(d time.Duration) *budget {
	b := &budget{whole: d}
	b.left.Store(int64(d))
	return b
}

func (b *budget) rest() time.Duration { return time.Duration(b.left.Load()) }

// spend takes off what one binary has run: as many as there are processors do so at
// once.
func (b *budget) spend(ran time.Duration) { b.left.Add(-int64(ran) / int64(runtime.NumCPU())) }

// atLeast is a budget that is not below d.
func (b *budget) atLeast(d time.Duration) *budget {
	return newBudget(max(b.rest(), d))
}

// testLimits says for how long the tests of which packages may run.
type testLimits struct {
	touched map[string]bool // by import path; their tests run to their end
	others  *budget         // of all other tests together
}

// newLimits are those of the packages that an overlay can reach. A limit of the
// person's own holds for all of them.
func (v *runner) newLimits(touched map[string]bool) testLimits {
	if v.opts.TestTimeout > 0 {
		touched = nil
	}
	return testLimits{touched: touched, others: newBudget(v.testTimeout())}
}

func (v *runner) testTimeout() time.Duration { return cmp.Or(v.opts.TestTimeout, dependantsTimeout) }

// of is the budget of one package's tests.
func (l testLimits) of(p build.TestPackage) *budget {
	if l.touched[p.ImportPath] {
		return newBudget(wholeTimeout)
	}
	return l.others
}
