package build

import "testing"

// BenchmarkInputs is what a restart pays to know that the proved binary still
// is the one the sources would give.
func BenchmarkInputs(b *testing.B) {
	dir := module(b, program)
	s := spec(b, dir)
	for b.Loop() {
		if _, err := Inputs(b.Context(), s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuildUnchanged builds again what is in the build cache.
func BenchmarkBuildUnchanged(b *testing.B) {
	dir := module(b, program)
	s := spec(b, dir)
	for b.Loop() {
		if _, err := Build(b.Context(), s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
