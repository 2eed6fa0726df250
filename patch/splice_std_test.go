package patch

import (
	"go/build"
	"path"
	"testing"
)

// The generated list names each package once, and only packages that exist.
func TestStandardPackagesHaveOneNameEach(t *testing.T) {
	named := map[string]string{}
	for _, p := range standard {
		if other, taken := named[path.Base(p)]; taken {
			t.Errorf("%s and %s share a name", p, other)
		}
		named[path.Base(p)] = p
	}
	if named["rand"] != "math/rand" || named["template"] != "text/template" || len(named) < 150 {
		t.Errorf("%d packages, rand is %q, template is %q", len(named), named["rand"], named["template"])
	}
	for _, p := range standard {
		if pkg, err := build.Import(p, "", build.FindOnly); err != nil || !pkg.Goroot {
			t.Errorf("%s is not of the standard library: %v; run go generate", p, err)
		}
	}
}
