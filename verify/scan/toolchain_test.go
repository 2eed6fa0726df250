package scan

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
)

// TestNoOtherToolchainIsAskedFor: it would be downloaded once the fix is in the source.
func TestNoOtherToolchainIsAskedFor(t *testing.T) {
	const before = "module m\n\ngo 1.25\n"
	for after, refused := range map[string]bool{
		before: false, "module m\n\ngo 1.26\n": false, before + "toolchain go1.26.8\n": false, before + "toolchain default\n": false, "not a go.mod": false,
		before + "toolchain go1.99.0\n": true, before + "toolchain go1.26.9\n": true, "module m\n\ngo 1.99\n": true, before + "toolchain go1.99.0-mine\n": true,
	} {
		edits := []patch.Edit{{File: "sub/go.mod", Before: before, After: after}}
		if got := newerToolchains(edits, "go1.26.8 X:jsonv2"); len(got) > 0 != refused {
			t.Errorf("%q: %q", after, got)
		}
	}
	if got := newerToolchains([]patch.Edit{{File: "go.work", Create: true, After: "go 1.99\n"}}, "go1.26.8"); len(got) != 1 {
		t.Errorf("go.work: %q", got)
	}
	if got := newerToolchains([]patch.Edit{{File: "go.mod", Before: "module m\n\ngo 1.99\n", After: "module m\n\ngo 1.99\n\n// x\n"}}, "go1.26.8"); len(got) > 0 {
		t.Errorf("what was there: %q", got)
	}
}
