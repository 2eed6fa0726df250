package theme

import (
	"math"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// Bad, middling and good differ in every theme, and nothing is said of what is no
// share.
func TestHeat(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
		for _, dark := range []bool{true, false} {
			th := New(dark, profile)
			bad, middling, good := th.Heat(0), th.Heat(0.5), th.Heat(1)
			if bad == middling || middling == good || bad == good {
				t.Errorf("%v: %v %v %v", profile, bad, middling, good)
			}
			if th.Heat(-1) != bad || th.Heat(2) != good || th.Heat(math.NaN()) != th.Dim {
				t.Errorf("%v: out of range", profile)
			}
		}
	}
}
