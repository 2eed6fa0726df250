package source

import (
	"path/filepath"
	"strings"
)

// userDirs are directories with a slash at their end.
type userDirs []string

func newUserDirs(dirs []string) userDirs {
	var list userDirs
	for _, dir := range dirs {
		list = append(list, filepath.Clean(dir)+"/")
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != filepath.Clean(dir) {
			list = append(list, real+"/")
		}
	}
	return list
}

// has reports whether a source file is the user's own. What a server or a core
// dump names by way of ".." is elsewhere.
func (u userDirs) has(file string) bool {
	if strings.Contains(file, "/../") {
		return false
	}
	for _, dir := range u {
		rest, below := strings.CutPrefix(file, dir)
		if below && !strings.HasPrefix(rest, "vendor/") && !strings.Contains(rest, "/vendor/") &&
			filepath.Base(rest) != "_testmain.go" {
			return true
		}
	}
	return false
}
