package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// The configurations that the documents show are ones.
func TestExamplesOfDocuments(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	var examples []string
	for _, file := range []string{"README.md", "docs/guide.md", "docs/reference/configuration.md"} {
		data, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, configExamples(string(data))...)
	}
	if len(examples) < 5 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, text := range examples {
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		xdg.Reload()
		put(t, UserFile(), text)
		c, err := Load(t.TempDir())
		if err == nil {
			err = c.Check(Known{Providers: []string{"ollama", "lab"}, Commands: []string{"continue"}})
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
}

// configExamples are the indented blocks that begin with the name of a table.
func configExamples(text string) (list []string) {
	for part := range strings.SplitSeq(text, "\n\n    [") {
		block := "["
		for line := range strings.Lines("    " + part) {
			rest, indented := strings.CutPrefix(line, "    ")
			if !indented && strings.TrimSpace(line) != "" {
				break
			}
			block += rest
		}
		list = append(list, block)
	}
	return list[1:]
}
