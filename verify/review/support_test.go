package review_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Guards of people's own fixes, with what in the old code speaks for them. Each is a
// file before and after, and what Support says of the points.
//
//go:embed testdata/support.txt
var supported string

func TestSupport(t *testing.T) {
	for _, row := range strings.Split(supported, "\n=== ")[1:] {
		name, rest, _ := strings.Cut(row, "\n")
		parts := strings.Split(strings.TrimSpace(rest), "\n---\n")
		want, before, after := parts[0], "package p\n\n"+parts[1], "package p\n\n"+parts[2]
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		var got []string
		if r.Skips != "" {
			got = append(got, r.Skips+": "+r.Support)
		}
		for _, p := range r.Points {
			why := effect.Support(map[string]string{"p.go": before}, map[string]string{"p.go": after}, p)
			if why == "" {
				why = review.MeantNil(map[string]string{"p.go": before}, map[string]string{"p.go": after}, p)
			}
			if why == "" {
				why = "nothing"
			}
			got = append(got, why)
		}
		if len(got) == 0 {
			got = append(got, strings.TrimSpace("none "+r.Hides))
		}
		if said := strings.TrimSpace(strings.Join(got, "; ")); said != want {
			t.Errorf("%s: got %q, want %q", name, said, want)
		}
	}
}
