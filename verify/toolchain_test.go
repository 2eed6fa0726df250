package verify

import (
	"testing"

	"github.com/pausetui/pausetui/verify/execute"
)

func TestAFixAsksForNoOtherToolchain(t *testing.T) {
	f := crashing(t, "percent")
	c := f.edit(t, "go.mod", "\ngo 1.", "\ntoolchain go1.99.0\n\ngo 1.")
	if v := f.prove(t, execute.Options{}, c); v.Verified {
		t.Errorf("it is verified: %+v", v.Checks)
	}
}
