package workspace

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Location completes the file of a location "FILE:LINE" as a person types it: "./a.go:3"
// and "../lib/b.go:7" are relative to the directory where the person stands, and a path
// through symbolic links, or around them, becomes the one that the build knows. Other
// locations stay as they are.
func (w Workspace) Location(text string) string {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text
	}
	file, line := filepath.FromSlash(text[:at]), text[at:]
	if _, err := strconv.Atoi(line[1:]); err != nil {
		return text
	}
	sep := string(filepath.Separator)
	if strings.HasPrefix(file, "."+sep) || strings.HasPrefix(file, ".."+sep) {
		file = filepath.Join(w.Dir, file)
	}
	if !filepath.IsAbs(file) {
		return text
	}
	return w.sameFile(file) + line
}

// sameFile is the path of a file below the root or a module, where its real path is below
// the real path of that; else the path itself.
func (w Workspace) sameFile(file string) string {
	dirs := []string{w.Root}
	for _, m := range w.Modules {
		dirs = append(dirs, m.Dir)
	}
	for _, dir := range dirs {
		if _, ok := inside(dir, file); ok {
			return file
		}
	}
	there, err := filepath.EvalSymlinks(file)
	if err != nil {
		return file
	}
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if rel, ok := inside(real, there); ok {
			return filepath.Join(dir, rel)
		}
	}
	return file
}
