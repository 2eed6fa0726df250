package main

import (
	"errors"
	"os/exec"
	"strings"
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

// A repository's own configuration names no program that runs.
func TestARepositoryChoosesNoEditor(t *testing.T) {
	home, repository := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Chdir(repository)
	for _, args := range [][]string{{"init", "-q"}, {"config", "core.editor", "evil"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git %q: %v\n%s", args, err, out)
		}
	}
	if got := gitEditor(); got != "" {
		t.Errorf("the editor is %q", got)
	}
	if out, err := exec.Command("git", "config", "--global", "core.editor", "nano").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(gitEditor()); got != "nano" {
		t.Errorf("the editor is %q, want the person's", got)
	}
}
