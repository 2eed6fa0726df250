package fixer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/fixer"
)

// A function that makes a text from a text returns it as it is where it cannot; one that
// takes a part of it does not return all of it.
func TestTextIsReturnedAsItIs(t *testing.T) {
	for body, want := range map[string]bool{
		`return strings.Join(strings.Fields(text), strings.Repeat(" ", width-len(text)))`: true,
		`_ = strings.Fields(text); return text[:len(text)-width*9]`:                       false,
	} {
		p := program{dir: t.TempDir(), pkg: "."}
		write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
		write(t, filepath.Join(p.dir, "main.go"), "package main\n\nimport \"strings\"\n\nfunc lay(text string, width int) string {\n\t"+body+"\n}\n\nfunc main() {\n\tprintln(lay(\"much too long\", 5))\n}\n")
		_, candidates, err := fixer.Propose(t.Context(), p.pause(t).Case)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, c := range candidates {
			said = said || strings.Contains(c.Title, "return text as it is")
		}
		if said != want {
			t.Errorf("%s: offered %v, want %v", body, said, want)
		}
	}
}
