package prompts

import (
	"os"
	"strings"
	"testing"
)

// Every key of the front matter and every section is documented.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../docs/prompts.md")
	if err != nil {
		t.Fatal(err)
	}
	want := SectionKeys
	for key := range keys {
		if key != "requires" && key != "options" {
			want = append(want, key)
		}
	}
	for key := range requireKeys {
		want = append(want, "requires."+key)
	}
	for key := range optionKeys {
		want = append(want, "options."+key)
	}
	for _, key := range want {
		if !strings.Contains(string(data), "`"+key+"`") {
			t.Errorf("docs/prompts.md does not tell of `%s`", key)
		}
	}
	_, example, _ := strings.Cut(string(data), "\n    ---\n")
	example, _, _ = strings.Cut(example, "\n\n## ")
	example = "---\n" + strings.ReplaceAll(strings.TrimPrefix(example, "    "), "\n    ", "\n")
	if p, err := Parse("docs.md", example); err != nil || p.Name != "queue-deadlocks" || p.user == nil || p.system == nil {
		t.Errorf("the example: %v\n%s", err, example)
	}
}
