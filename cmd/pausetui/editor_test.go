package main

import (
	"errors"
	"testing"
)

func TestTheEditorIsTheFirstThatIsSet(t *testing.T) {
	for _, c := range []struct {
		name, editor, visual, git string
		vi                        bool
		want, from                string
	}{
		{"EDITOR before VISUAL", "micro", "code -w", "nano", true, "micro", "$EDITOR"},
		{"VISUAL before git", "", " code -w ", "nano", true, "code -w", "$VISUAL"},
		{"blanks are not set", "  ", "", "nano\n", true, "nano", "git's core.editor"},
		{"git before vi", "", "", "nano\n", true, "nano", "git's core.editor"},
		{"vi at last", "", "", "", true, "/usr/bin/vi", ""},
		{"none", "", "", "\n", false, "", ""},
	} {
		e := editors{
			env: func(name string) string { return map[string]string{"EDITOR": c.editor, "VISUAL": c.visual}[name] },
			git: func() string { return c.git },
			path: func(name string) (string, error) {
				if !c.vi {
					return "", errors.New("not found")
				}
				return "/usr/bin/" + name, nil
			},
		}
		if got, from := e.choose(); got != c.want || from != c.from {
			t.Errorf("%s: %q from %q, want %q from %q", c.name, got, from, c.want, c.from)
		}
	}
}
