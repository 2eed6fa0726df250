package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The estimator is the share of the subsets of k answers that hold a right one.
func TestPassAtKCountsSubsets(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				with, all := 0, 0
				for set := range 1 << n {
					if ones(set) == k {
						all++
						if set&(1<<c-1) != 0 {
							with++
						}
					}
				}
				if got, want := PassAtK(n, c, k), float64(with)/float64(all); math.Abs(got-want) > 1e-12 {
					t.Errorf("n %d, c %d, k %d: %v, want %v", n, c, k, got, want)
				}
			}
		}
	}
	if !math.IsNaN(PassAtK(2, 1, 3)) {
		t.Error("two answers say nothing about three")
	}
}

func ones(set int) int {
	n := 0
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

func TestMcNemar(t *testing.T) {
	for _, test := range []struct {
		a, b int
		want float64
	}{{0, 0, 1}, {3, 3, 1}, {0, 5, 0.0625}, {5, 0, 0.0625}, {1, 9, 0.021484375}, {10, 20, 0.0987373} /* R: mcnemar.exact */} {
		if got := McNemar(test.a, test.b); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%d, %d: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// The interval holds the truth about as often as it says.
func TestBootstrapHoldsTheTruth(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	holds := 0
	for range 100 {
		values := make([]float64, 60)
		for i := range values {
			if source.Float64() < 0.3 {
				values[i] = 1
			}
		}
		if low, high := Bootstrap(values); low <= 0.3 && 0.3 <= high {
			holds++
		}
	}
	if holds < 88 {
		t.Errorf("in %d of 100", holds)
	}
	if low, high := Bootstrap([]float64{1, 1}); low != 1 || high != 1 {
		t.Errorf("%v %v", low, high)
	}
}
