package effect_test

import (
	_ "embed"
	"go/format"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/syntax"
)

// What people and models write: right fixes, and edits that leave work out.
var (
	//go:embed testdata/repairs.txt
	repairs string
	//go:embed testdata/leaves.txt
	leaves string
)

func TestShapes(t *testing.T) {
	for _, text := range []string{repairs, leaves} {
		for _, row := range strings.Split(text, "\n=== ")[1:] {
			name, rest, _ := strings.Cut(row, "\n")
			parts := strings.Split(strings.TrimSpace(rest), "\n---\n")
			want := ""
			if len(parts) == 3 {
				want, parts = parts[0], parts[1:]
			}
			changes := []effect.Change{{Change: syntax.Change{File: "p.go", Before: "package p\n\n" + parts[0], After: "package p\n\n" + parts[1]}, Line: 4}}
			r := effect.Compare(changes)
			if got := said(r); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			for path, text := range effect.Mark(changes, r, func(string) string { return "/src/p.go" }).Overlay {
				if _, err := format.Source([]byte(text)); err != nil {
					t.Errorf("%s: with marks, %s: %v\n%s", name, path, err, text)
				}
			}
		}
	}
}

// Any edit can be compared: one function becomes another one that has nothing to do with it.
func TestUnrelatedFunctions(t *testing.T) {
	var texts []string
	for _, text := range []string{repairs, leaves} {
		for _, row := range strings.Split(text, "\n=== ")[1:] {
			_, rest, _ := strings.Cut(row, "\n")
			parts := strings.Split(strings.TrimSpace(rest), "\n---\n")
			texts = append(texts, parts[len(parts)-2], parts[len(parts)-1])
		}
	}
	for i := range texts {
		for _, step := range []int{3, 8, 21, 55} {
			before, after := "package p\n\n"+texts[i], "package p\n\n"+texts[(i+step)%len(texts)]
			changes := []effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 4, Runs: true, Ends: true}}
			for path, text := range effect.Mark(changes, effect.Compare(changes), func(string) string { return "/src/p.go" }).Overlay {
				if _, err := format.Source([]byte(text)); err != nil {
					t.Fatalf("%s: %v\n%s", path, err, text)
				}
			}
		}
	}
}
