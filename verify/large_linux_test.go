package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestALargeCandidateHoldsNothingUp: what is compared with the code before is
// bounded, in number and in depth.
func TestALargeCandidateHoldsNothingUp(t *testing.T) {
	needSandbox(t)
	f := crashing(t, "index")
	v := f.verifier(t, execute.Options{})
	for name, code := range map[string]string{
		"many":   strings.Repeat("\tif true {\n\t\t_ = 1\n\t}\n", 25_000),
		"a line": strings.Repeat("if true { _ = 1 };", 25_000) + "\n",
		"deep":   "\t_ = 1" + strings.Repeat(" + 1", 4_900) + "\n",
		"nested": strings.Repeat("if true {\n", 1_500) + strings.Repeat("}\n", 1_500),
	} {
		got := check(t, v, f.edits(t, "index.go", "\treturn &Index{}", code+makeMap))
		if got.Verified || len(got.Checks) < 2 || got.Checks[1].Status != verdict.Fail {
			t.Errorf("%s: %q, %+v", name, got.Label(), got.Checks)
		}
	}
}
