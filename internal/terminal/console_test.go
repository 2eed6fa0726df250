package terminal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/charmbracelet/x/term"
)

var _ term.File = (*console)(nil) // which Bubble Tea asks for the size

// A console's font has some characters: what it lacks is written as another one of them,
// also where a character is written in two parts.
func TestWhatAConsoleLacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "screen")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	has := map[rune]bool{'│': true, '┌': true, '►': true, 'é': true}
	c := newConsole(f, func(r rune) bool { return !has[r] })
	for _, part := range []string{"╭─▸ caf\xc3", "\xa9 \xe2", "\x9c", "\x93 verified… │\n"} {
		if n, err := c.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("wrote %d of %q: %v", n, part, err)
		}
	}
	got, err := os.ReadFile(path)
	if want := "┌-► café y verified> │\n"; err != nil || string(got) != want {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
}

// Whatever a font has, there is something for each character.
func TestStandInsEndInASCII(t *testing.T) {
	for _, s := range standIns {
		if last := s[len(s)-1]; last >= 0x80 {
			t.Errorf("%q ends in no ASCII character", s)
		}
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("TERM", "linux")
	if Output(f) != f {
		t.Error("what is no console is written to in another way")
	}
}
