package wilson

import (
	"math"
	"testing"
)

func TestInterval(t *testing.T) {
	// 8 of 10 as in any textbook: 49 % to 94 %.
	for _, tt := range []struct {
		n, of     int
		low, high float64
	}{{0, 0, 0, 100}, {8, 10, 49, 94.3}, {0, 10, 0, 27.8}, {51, 51, 93, 100}} {
		low, high := Interval(tt.n, tt.of)
		if math.Abs(low-tt.low) > 0.2 || math.Abs(high-tt.high) > 0.2 {
			t.Errorf("%d of %d: %.1f to %.1f", tt.n, tt.of, low, high)
		}
	}
}
