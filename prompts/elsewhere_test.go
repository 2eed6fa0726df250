package prompts

import (
	"strings"
	"testing"
)

// A source that only a section left out shows comes along with what names it,
// and nothing is said to be shown that trimming has left out.
func TestWhatIsShownElsewhere(t *testing.T) {
	source := "a.go, lines 1–3:\n```go\nfunc f() {\n\tlong() // " + strings.Repeat("x", 400) + "\n}\n```\n"
	c := Context{whole: []draft{
		{Section: Section{Key: SectionRelated, Text: "f is called at a.go:9. a.go, lines 1–3" + elsewhere + "\nand again: a.go, lines 1–3" + elsewhere + "\n"}},
		{Section: Section{Key: SectionTypes, Text: "data.go, lines 1–3:\n```go\nother\n```\n"}},
		{Section: Section{Key: SectionCallers, Text: strings.Repeat("Frame 0.\n", 40) + "Frame 1. " + source + "the end\n"}},
	}}
	all := c.Fit(4000, 4)
	if related := all.Section(SectionRelated); strings.Count(related, elsewhere) != 2 || strings.Contains(related, "func f") {
		t.Errorf("with all sections:\n%s", related)
	}
	few := c.Fit(4000, 4, SectionRelated, SectionTypes).Section(SectionRelated)
	if want := "f is called at a.go:9. " + strings.TrimSuffix(source, "\n") + "\nand again: a.go, lines 1–3" + elsewhere; few != want {
		t.Errorf("without the callers:\n%s\nwant\n%s", few, want)
	}
	for _, s := range c.Fit(60, 4).Sections {
		if strings.Contains(s.Text, elsewhere) {
			t.Errorf("trimmed, %s says of a source that it is given:\n%s", s.Key, s.Text)
		}
	}
}
