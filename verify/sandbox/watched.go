package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
)

// WatchedMost is how many files of a run are watched.
const WatchedMost = 100_000

// Watch looks at the files in a directory, but for those of git, until look says that it
// is enough. What cannot be read is not seen.
func Watch(dir string, look func(path string, info fs.FileInfo) (more bool)) {
	_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // the others are looked at
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case e.IsDir():
			return nil
		}
		info, err := os.Lstat(path)
		if err == nil && !look(path, info) {
			return fs.SkipAll
		}
		return nil
	})
}
