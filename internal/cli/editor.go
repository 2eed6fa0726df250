package cli

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// Editor is the program that the person edits files with, with its arguments;
// empty where there is none.
func Editor() string {
	command, _ := FindEditor()
	return command
}

// FindEditor is Editor, and the setting that names it; empty where it is found in PATH.
func FindEditor() (command, from string) {
	return editors{os.Getenv, gitEditor, exec.LookPath}.choose()
}

// editors are the places that name the person's editor.
type editors struct {
	env  func(string) string
	git  func() string
	path func(string) (string, error)
}

// choose returns the first editor of $EDITOR, $VISUAL, git's and vi, and where it
// is from.
func (e editors) choose() (command, from string) {
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v := strings.TrimSpace(e.env(name)); v != "" {
			return v, "$" + name
		}
	}
	if v := strings.TrimSpace(e.git()); v != "" {
		return v, "git's core.editor"
	}
	if vi, err := e.path("vi"); err == nil {
		return vi, ""
	}
	return "", ""
}

// gitEditor is the editor that the person or the machine has configured for git. A
// repository's own configuration is not read: it must not name programs to run.
func gitEditor() string {
	git := exec.CommandContext(context.Background(), "git", "config", "core.editor")
	git.Env = append(os.Environ(), "GIT_DIR="+os.DevNull)
	out, err := git.Output()
	if err != nil {
		return "" // there is none
	}
	return string(out)
}
