package scan

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

func TestDirectivesThatWereThereStay(t *testing.T) {
	const before = "package main\n\n// #include <stdlib.h>\nimport \"C\"\n\n//go:embed go.mod\nvar x string\n"
	for after, want := range map[string]string{
		before + "\nvar y = 1\n":                                           "",
		strings.Replace(before, "<stdlib.h>", "\"/etc/passwd\"", 1):        "import \"C\" is new",
		strings.Replace(before, "import", "// #cgo CFLAGS: -x\nimport", 1): "import \"C\" is new",
		strings.Replace(before, "go.mod", "*", 1):                          "//go:embed is new",
		before + "\n//go:embed go.mod\nvar z string\n":                     "//go:embed is new",
	} {
		found := strings.Join(beyondGo([]patch.Edit{{File: "a.go", Before: before, After: after}}), "\n")
		if (want == "") != (found == "") || !strings.Contains(found, want) {
			t.Errorf("%q: found %q, want %q", after, found, want)
		}
	}
}
