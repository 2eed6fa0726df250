package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

// TestSourceHidesNothing: what a diff holds can be seen in the log, in lines and
// in fix's output, which all draw it through CleanSource or as the log does.
func TestSourceHidesNothing(t *testing.T) {
	diff := patch.Unified(patch.Edit{File: "a.go", Before: "package a\n", After: "package a\n\n// \u202e\u200b\x1b[2K\u009b\U000E0041 é 日本\n"})
	w := &story{}
	w.fence("diff", patch.Visible(diff))
	for _, got := range []string{CleanSource(diff), w.out.String()} {
		if len(patch.HiddenIn("", got)) > 0 {
			t.Errorf("hidden characters in %q", got)
		}
		for _, want := range []string{"‹U+202E›", "‹U+200B›", "‹U+001B›[2K", "‹U+009B›", "‹U+E0041›", "é 日本"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in %q", want, got)
			}
		}
	}
}
