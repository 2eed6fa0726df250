package prompts

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

var atLine = regexp.MustCompile(`^x\.md:\d+: .`)

// FuzzProfileHead holds that the front matter of a profile is read to where its
// body begins, or refused with file and line.
func FuzzProfileHead(f *testing.F) {
	files, err := fs.Glob(embedded, "profiles/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := embedded.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{"---\nname: a\nname: b\n---\nbody", "---\n\n---\n", "---\nname: [a]\n---\n", "---\nmodel: x\n---\n", "---\n---\n", "---\nname: a", "---\n&a [*a]\n---\n",
		"---\nname: |\n  a\n  ---\n  b\n---\n", "---\n- a\n---\n", "---\n\x00\n---\n", "# System\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Profile{File: "x.md", Name: "x"}
		body, err := p.head(text)
		if err != nil {
			if !atLine.MatchString(err.Error()) {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		if body < 0 || body > len(text) {
			t.Fatalf("the body begins at %d of %d", body, len(text))
		}
		head := text[:body]
		if head == "" {
			if strings.HasPrefix(text, "---\n") || p != (Profile{File: "x.md", Name: "x"}) {
				t.Fatalf("no front matter in %q: %+v", text, p)
			}
			return
		}
		if !strings.HasPrefix(head, "---\n") || !strings.HasSuffix(head, "\n---\n") || p.Name == "" {
			t.Fatalf("front matter %q gives %+v", head, p)
		}
	})
}
