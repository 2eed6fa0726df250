package target

import (
	"testing"
)

// Keys are encoded as the terminal that TERM names does.
func TestKeysAreThoseOfTheProgramsTerminal(t *testing.T) {
	for term, keys := range map[string]map[string]string{
		"xterm-256color":        {"\x1bOF": "\x1bOF", "\x1b[F": "\x1b[F"},
		"tmux-256color":         {"\x1bOF": "\x1b[4~", "\x1b[F": "\x1b[4~", "\x1b[H": "\x1b[1~", "\x1bOA": "\x1bOA", "\x1bOP": "\x1bOP", "\x1b[1;5H": "\x1b[1;5H"},
		"screen":                {"\x1bOH": "\x1b[1~"},
		"linux":                 {"\x1bOF": "\x1b[4~", "\x1bOQ": "\x1b[[B", "\x1b[15~": "\x1b[[E", "\x1b[17~": "\x1b[17~"},
		"rxvt-unicode-256color": {"\x1b[F": "\x1b[8~", "\x1bOP": "\x1b[11~", "\x1b[1;5D": "\x1bOd", "\x1b[3;2~": "\x1b[3$", "\x1b[1;5H": "\x1b[7^"},
		"":                      {"\x1bOF": "\x1bOF"},
	} {
		for key, want := range keys {
			if got := keyFor([]string{"TERM=dumb", "TERM=" + term}, key); got != want {
				t.Errorf("%s: %q becomes %q, not %q", term, key, got, want)
			}
		}
	}
}
