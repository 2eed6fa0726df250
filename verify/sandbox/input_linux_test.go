package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program can open again what it was given to read, for writing, past all mounts of its own.
func TestTheStandardInputIsNotWrittenTo(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		for _, files := range []bool{false, true} {
			s := program(t, tier, "")
			input := filepath.Join(s.Dir, "input")
			if err := os.WriteFile(input, []byte("given\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			s.Path, s.Args, s.Stdin, s.AllowFiles = "/bin/sh", []string{"-c", "read x; echo got $x; echo forged > /proc/self/fd/0"}, input, files
			r := mustRun(t, s)
			text, err := os.ReadFile(input)
			if err != nil || string(text) != "given\n" || !strings.Contains(string(r.Output), "got given") {
				t.Errorf("files %v: the input is %q, %v; %s", files, text, err, r.Output)
			}
		}
	})
}
