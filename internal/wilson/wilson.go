// Package wilson computes the confidence interval of a counted share.
package wilson

import "math"

// Interval returns the 95 % score interval of n out of a total, in per cent
// (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927). Of nothing it is from 0 to 100.
func Interval(n, total int) (low, high float64) {
	if total == 0 {
		return 0, 100
	}
	return Of(float64(n)/float64(total), float64(total))
}

// Of is Interval for a share, in [0, 1], of a number that may not be whole: that
// of independent observations among repeated ones.
func Of(p, of float64) (low, high float64) {
	if of <= 0 {
		return 0, 100
	}
	const z = 1.959964
	middle := (p + z*z/(2*of)) / (1 + z*z/of)
	half := z / (1 + z*z/of) * math.Sqrt(p*(1-p)/of+z*z/(4*of*of))
	return 100 * max(middle-half, 0), 100 * min(middle+half, 1)
}
