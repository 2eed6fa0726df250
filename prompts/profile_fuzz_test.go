package prompts

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

var atLine = regexp.MustCompile(`^x\.md:\d+: .`)

// FuzzProfile holds that a profile is read, or refused with file and line.
func FuzzProfile(f *testing.F) {
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
	for _, text := range []string{"---\ntask: fx\nneeds: [vlues, {a: b}]\nrequires: {parameters: 7, context: -1}\noptions: x\n---\n# User\n{{range .Sections}}{{.Txt}}{{end}}",
		"---\nclasses: [\"[\"]\nfamilies:\n  - qwen*\n---\n# User\n{{.Section \"x\"}}{{define \"a\"}}{{end}}", "# User\n{{range 3}}{{end}}", "# user\n# SYSTEM\n\n# User\n{{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("x.md", text)
		if p.Name == "" || p.Text != text {
			t.Fatalf("%q gives %+v", text, p)
		}
		if err == nil {
			if p.user == nil {
				t.Fatalf("no user part in %q", text)
			}
			return
		}
		var mistakes Mistakes
		if !errors.As(err, &mistakes) || len(mistakes) == 0 {
			t.Fatalf("not a list of mistakes: %v", err)
		}
		lines := 1 + strings.Count(text, "\n")
		for _, m := range mistakes {
			if !atLine.MatchString(m.Error()) || m.Line > lines+1 || m.Text == "" {
				t.Fatalf("a mistake without its place: %v, of %d lines", m, lines)
			}
		}
	})
}
