package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const indirect = `
-- go.mod --
module example.com/app

go 1.25

require example.com/dep v0.0.0 // indirect

replace example.com/dep => ./dep
-- main.go --
package main

func main() {}
-- dep/go.mod --
module example.com/dep

go 1.25
-- dep/dep.go --
package dep
`

// With -mod=mod the go command records what the listed files import. Files that
// are not written yet must not have that effect.
func TestAnOverlayDoesNotChangeTheModuleFile(t *testing.T) {
	const text = "package main\n\nimport _ \"example.com/dep\"\n\nfunc main() {}\n"
	for name, set := range map[string]func(*Spec){
		"a flag":     func(s *Spec) { s.Flags = []string{"-mod=mod"} },
		"two words":  func(s *Spec) { s.Flags = []string{"-mod", "mod"} },
		"a variable": func(s *Spec) { s.Env = append(os.Environ(), "GOFLAGS=-mod=mod") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, indirect)
			file := filepath.Join(dir, "main.go")
			s := Spec{Dir: dir, Overlay: map[string]string{file: text}}
			set(&s)
			if _, err := Inputs(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if _, err := TestPackages(t.Context(), s, []string{"./..."}); err != nil {
				t.Fatal(err)
			}
			if got := read(t, filepath.Join(dir, "go.mod")); !strings.Contains(got, "// indirect") {
				t.Errorf("the overlay changed go.mod:\n%s", got)
			}
			// The control: written, the file has the effect.
			write(t, file, text)
			cmd := exec.Command("go", "list", "-mod=mod", "./...")
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := read(t, filepath.Join(dir, "go.mod")); strings.Contains(got, "// indirect") {
				t.Errorf("go list leaves go.mod alone anyway:\n%s", got)
			}
		})
	}
}

func TestTheLastModFlagCounts(t *testing.T) {
	for flags, want := range map[string]string{
		"": "", "-v": "", "-mod=mod": "mod", "--mod=vendor": "vendor", "-mod mod": "mod", "-mod=mod -mod=readonly": "readonly", "-modfile=x.mod": "", "mod": "", "-mod": "",
	} {
		if got := modFlag(strings.Fields(flags)); got != want {
			t.Errorf("modFlag(%q) = %q, want %q", flags, got, want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
