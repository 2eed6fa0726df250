package main

import (
	"bytes"
	"strings"
	"testing"
)

// The manual page names every command that the help lists, and its flags.
func TestManualIsComplete(t *testing.T) {
	root := newRoot()
	var page bytes.Buffer
	if err := writeManual(&page, root); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(page.String(), `\-`, "-")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && !strings.Contains(text, `\fB`+c.Name()+`\fP`) {
			t.Errorf("the command %s is missing", c.Name())
		}
	}
	for _, want := range []string{"--max-rounds", "--theme", ".SH FILES", ".SH ENVIRONMENT"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}
