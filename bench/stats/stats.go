// Package stats has the statistics of benchmarks: intervals of shares, tests whether two
// shares differ, and pass@k. It knows numbers only.
package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// PassAtK is the probability that at least one of k answers is right, by the
// unbiased estimator over n answers of which c are: 1 - C(n-c, k)/C(n, k)
// (M. Chen et al., arXiv:2107.03374). It is NaN for k > n, of which n answers
// say nothing.
func PassAtK(n, c, k int) float64 {
	if k > n || k < 1 {
		return math.NaN()
	}
	none := 1.0
	for i := n - c + 1; i <= n; i++ {
		none *= max(1-float64(k)/float64(i), 0)
	}
	return 1 - none
}

// McNemar is the two-sided p-value of the exact test for pairs: of those that
// differ, so many were right only in a, and only in b. Without a difference it
// is 1.
func McNemar(onlyA, onlyB int) float64 {
	n := onlyA + onlyB
	if n == 0 {
		return 1
	}
	tail := 0.0 // of the binomial distribution B(n, 1/2)
	for k := range min(onlyA, onlyB) + 1 {
		tail += math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) - float64(n)*math.Ln2)
	}
	return min(1, 2*tail)
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}

// resamples is how often a bootstrap draws: enough for two digits of an interval.
const resamples = 2000

// Bootstrap returns the 95 % percentile interval of the mean of values, drawing
// whole cases: trials of one case do not vary as different cases do. The same
// values give the same interval.
func Bootstrap(values []float64) (low, high float64) {
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	source := rand.New(rand.NewPCG(1, uint64(len(values))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[source.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	return means[resamples*25/1000], means[resamples*975/1000]
}
