package scan

import (
	"fmt"
	"go/version"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"golang.org/x/mod/modfile"
)

// newerToolchains are the lines by which edits make go.mod or go.work ask for a newer Go
// than have, that of the proof. The go command does not look for them in an overlay: once they are
// in the source, every go command would download another toolchain, or fail.
func newerToolchains(edits []patch.Edit, have string) []string {
	have, _, _ = strings.Cut(have, " ") // "go1.26.8 X:jsonv2"
	var found []string
	for _, e := range edits {
		before := goLines(e.File, e.Before)
		for verb, is := range goLines(e.File, e.After) {
			if is != before[verb] && (!version.IsValid(have) || version.Compare(is, have) > 0) {
				found = append(found, fmt.Sprintf("%s: %s %s, newer than %s", e.File, verb, is, have))
			}
		}
	}
	return found
}

// goLines are the versions that a go.mod or go.work asks for, as "go1.26", by what asks.
// Of what cannot be parsed, the build says that.
func goLines(file, text string) map[string]string {
	lines := map[string]string{}
	take := func(v *modfile.Go, t *modfile.Toolchain) {
		if v != nil {
			lines["go"] = "go" + v.Version
		}
		if t != nil && t.Name != "default" {
			lines["toolchain"] = t.Name
		}
	}
	switch filepath.Base(file) {
	case "go.mod":
		if f, err := modfile.Parse(file, []byte(text), nil); err == nil {
			take(f.Go, f.Toolchain)
		}
	case "go.work":
		if f, err := modfile.ParseWork(file, []byte(text), nil); err == nil {
			take(f.Go, f.Toolchain)
		}
	}
	return lines
}
