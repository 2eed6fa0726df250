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

// alternate is a terminal on which the program draws from the alternate screen on.
type alternate struct{ strings.Builder }

// End implements Screen.
func (*alternate) End() {}

// Draws implements Screen.
func (a *alternate) Draws() bool { return strings.Contains(a.String(), "\x1b[?1049h") }

// Resize implements Screen.
func (*alternate) Resize(int, int) {}

// A program that draws gets the size of what the person saw it in, once it draws.
func TestAProgramThatDrawsHasTheScreenOfThePerson(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		s := program(t, tier, "")
		s.Path, s.Args, s.Terminal = "/bin/sh", []string{"-c", `stty size; printf '\033[?1049h'; while [ "$(stty size)" = "40 120" ]; do sleep 0.01; done; stty size`}, true
		s.Screen, s.Size = func(int, int, func(string)) Screen { return &alternate{} }, Size{Cols: 80, Rows: 11}
		if out := string(mustRun(t, s).Output); !strings.Contains(out, "40 120") || !strings.Contains(out, "11 80") {
			t.Errorf("%q", out)
		}
	})
}
