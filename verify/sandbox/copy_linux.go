package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Bounds on a working directory that is copied; a larger one stays as it is,
// read-only.
const (
	copyBytes = 64 << 20
	copyFiles = 5000
)

// copyOut prepares the landlock tier, which cannot redirect writes: the program
// runs in a copy of its working directory and gets a temporary directory of its
// own.
func copyOut(o *order) (writable []string, err error) {
	temp := ownTemp(*o)
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, fmt.Errorf("make the sandbox's directory: %w", err)
	}
	o.Env = append(o.Env, "TMPDIR="+temp)
	writable = append([]string{temp}, o.Writable...)
	if o.InPlace || !small(o.Dir) {
		return writable, nil
	}
	work := filepath.Join(o.Scratch, "work")
	if err := os.CopyFS(work, os.DirFS(o.Dir)); err != nil {
		return writable, nil //nolint:nilerr // it holds what cannot be copied, and stays as it is, read-only
	}
	for i, dir := range o.Watched {
		if rest, err := filepath.Rel(o.Dir, dir); err == nil && filepath.IsLocal(rest) {
			o.Watched[i] = filepath.Join(work, rest)
		}
	}
	o.Dir, o.Copied = work, o.Dir
	o.Env = append(o.Env, "PWD="+work)
	return append(writable, work), nil
}

// ownTemp is the temporary directory of a run in the landlock tier.
func ownTemp(o order) string { return filepath.Join(o.Scratch, "tmp") }

// small reports whether a directory is cheap to copy and holds nothing but files.
func small(dir string) bool {
	var bytes, files int64
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if files++; files > copyFiles {
			return fs.SkipAll
		}
		if strings.HasSuffix(path, "/.git") && e.IsDir() {
			bytes = copyBytes // a repository is more than it seems
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		if !e.IsDir() && !e.Type().IsRegular() {
			files = copyFiles
		}
		if bytes > copyBytes {
			return fs.SkipAll
		}
		return nil
	})
	return err == nil && files <= copyFiles && bytes <= copyBytes
}
