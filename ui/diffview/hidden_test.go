package diffview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
)

// TestNothingIsDrawnUnseen in any of the layouts.
func TestNothingIsDrawnUnseen(t *testing.T) {
	e := patch.Edit{File: "a\u202eog.go", Before: "package a\n\nvar s = \"a\"\n", After: "package a\n\nvar s = \"\u202e\u200b\x1b\u009b\U000E0041\"\n"}
	for _, o := range []Options{{Width: 140}, {Width: 140, Split: true}, {Width: 140, Wrap: true}, {Width: 140, Palette: dark}} {
		text := ansi.Strip(strings.Join(Render([]patch.Edit{e}, o).Lines, "\n"))
		for _, want := range []string{"a‹U+202E›og.go", "‹U+202E›‹U+200B›‹U+001B›‹U+009B›‹U+E0041›"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		if found := patch.HiddenIn("", text); len(found) > 0 {
			t.Errorf("%v in\n%s", found, text)
		}
	}
}
