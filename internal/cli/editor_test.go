package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// The person's editor is $EDITOR, then $VISUAL, then git's, then vi.
func TestTheEditorIsFound(t *testing.T) {
	bin := t.TempDir()
	for name, text := range map[string]string{"git": "#!/bin/sh\n[ \"$1 $2\" = 'config core.editor' ] && echo nano\n", "vi": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil { //nolint:gosec // it has to run
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	for _, c := range []struct{ editor, visual, want string }{
		{"hx", "code", "hx"}, {" ", "code --wait", "code --wait"}, {"", "", "nano"},
	} {
		t.Setenv("EDITOR", c.editor)
		t.Setenv("VISUAL", c.visual)
		if got := Editor(); got != c.want {
			t.Errorf("EDITOR=%q VISUAL=%q: %q, want %q", c.editor, c.visual, got, c.want)
		}
	}
	if err := os.Remove(filepath.Join(bin, "git")); err != nil {
		t.Fatal(err)
	}
	if got := Editor(); got != filepath.Join(bin, "vi") {
		t.Errorf("without git: %q", got)
	}
	if err := os.Remove(filepath.Join(bin, "vi")); err != nil {
		t.Fatal(err)
	}
	if got := Editor(); got != "" {
		t.Errorf("with nothing: %q", got)
	}
}
