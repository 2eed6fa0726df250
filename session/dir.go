package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Dir chooses and makes the directory of a module's logs: explicit when given,
// else debug/ in the root, else .pausetui/log where debug/ holds other things.
// The note says so then. A directory it makes ignores its contents in git.
func Dir(root, explicit string) (dir, note string, err error) {
	dir = explicit
	if dir == "" {
		dir = filepath.Join(root, "debug")
		if other := foreign(dir); other != "" {
			dir = filepath.Join(root, ".pausetui", "log")
			note = fmt.Sprintf("debug/ holds other things (%s): logs go to .pausetui/log", other)
		}
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, note, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", fmt.Errorf("make the log directory: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600); err != nil {
		return "", "", fmt.Errorf("make the log directory: %w", err)
	}
	return dir, note, nil
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

// logName tells whether a file name begins as a session's does: 20261120-170203-….
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
