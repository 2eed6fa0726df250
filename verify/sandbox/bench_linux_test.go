package sandbox

import (
	"os"
	"testing"
)

// BenchmarkRun is what a sandbox costs around a program that does nothing. Build
// the tests of two revisions and run them in turns to compare them.
func BenchmarkRun(b *testing.B) {
	best, _ := Detect()
	for _, tier := range []Tier{Full, Landlock} {
		b.Run(string(tier), func(b *testing.B) {
			if tier.rank() > best.rank() {
				b.Skipf("this system has %s only", best)
			}
			s := Spec{Path: "/bin/true", Dir: b.TempDir(), Env: os.Environ(), Max: tier}
			for b.Loop() {
				if _, err := Run(b.Context(), s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
