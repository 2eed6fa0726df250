package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/cmd/pausetui/doctor"
	"github.com/pausetui/pausetui/config"
)

// TestNothingHostileIsTabled: names and errors of a repository's files are in
// what these commands print.
func TestNothingHostileIsTabled(t *testing.T) {
	const hostile = "a\x1b]52;c;eA==\a\x1b[6n\u009b6n\u202e"
	var out bytes.Buffer
	if err := printFindings(&out, []doctor.Finding{{Name: "config", Found: hostile, Why: []string{hostile}, Hint: hostile}}, false); err != nil {
		t.Fatal(err)
	}
	c := config.Defaults()
	c.Formats[hostile] = "hex"
	c.Note("formats."+hostile, hostile)
	if err := printSettings(&out, c, "/"); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\a\u009b\u202e") || strings.Count(text, "52;c;") < 4 {
		t.Errorf("%q", text)
	}
}
