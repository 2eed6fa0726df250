package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
)

// Dir chooses and makes the directory of a module's logs: explicit when given,
// else debug/ in the root, else .pausetui/log where debug/ holds other things.
// The note says so then. A directory it makes ignores its contents in git. It
// fails where a symbolic link leads from there out of the module, which no one
// chose who only opened a repository.
func Dir(root, explicit string) (dir, note string, err error) {
	dir, note, err = choose(root, explicit)
	if err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", notMade(err)
	}
	if err := ignoreInGit(dir); err != nil {
		return "", "", notMade(err)
	}
	return dir, note, nil
}

func notMade(err error) error {
	return advice.Add(fmt.Errorf("make the log directory: %w", err), "--log-dir DIR puts logs elsewhere")
}

// ignoreInGit has git ignore what a directory will hold, if it holds nothing
// yet: a directory just made, or one whose maker was killed before this. Who
// takes the file away from among logs wants them in git. An empty file of ours is
// what a kill has left of it.
func ignoreInGit(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 1 || len(entries) == 1 && !emptyIgnore(entries[0]) {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, gitIgnore), []byte("*\n"), 0o600)
}

const gitIgnore = ".gitignore"

func emptyIgnore(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && e.Name() == gitIgnore && info.Size() == 0 && info.Mode().Perm() == 0o600
}

// FindDir is the directory of a module's logs as Dir chooses it, which need
// not exist.
func FindDir(root, explicit string) (dir string, err error) {
	dir, _, err = choose(root, explicit)
	return dir, err
}

// choose returns the directory and why it is not debug/, if it is not.
func choose(root, explicit string) (dir, note string, err error) {
	switch {
	case explicit == "":
		dir = filepath.Join(root, "debug")
		if err := inModule(root, dir); err != nil {
			return "", "", err
		}
		if other := foreign(dir); other != "" {
			dir = filepath.Join(root, ".pausetui", "log")
			return dir, fmt.Sprintf("debug/ holds other things (%s): logs go to .pausetui/log", other), inModule(root, dir)
		}
		return dir, "", nil
	case filepath.IsAbs(explicit):
		return explicit, "", nil
	}
	return filepath.Join(root, explicit), "", nil
}

// inModule refuses a directory of logs that a symbolic link takes elsewhere.
func inModule(root, dir string) error {
	err := regular.Within(root, dir)
	if errors.Is(err, regular.ErrLeadsOut) {
		return advice.Add(fmt.Errorf("the session logs of this module: %w", err), "if you want them there, name the directory: --log-dir")
	}
	return nil // its user reports that it is missing or cannot be read
}

// foreign names an entry of dir that is no log of ours; empty when there is none.
func foreign(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		name := e.Name()
		ours := name == ".gitignore" || name == "README.md" || strings.HasPrefix(name, ".") || logName(name)
		if !ours {
			return name
		}
	}
	return ""
}

// logName reports whether a file name begins as a session's does: 20261120-170203-….
func logName(name string) bool {
	if len(name) < 17 || name[8] != '-' || name[15] != '-' {
		return false
	}
	for i, c := range name[:15] {
		if i != 8 && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
