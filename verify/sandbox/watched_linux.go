package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

const (
	watchedMost = 20_000 // files
	changedMost = 20     // that are named
)

// fileState is what a program cannot change in a file, and then make as it was: the time
// of the change of a file is not for it to set.
type fileState struct {
	mode    fs.FileMode
	size    int64
	written syscall.Timespec
	changed syscall.Timespec
}

// stateOf looks at the files in directories, by their paths. Directories themselves
// change with what is added.
func stateOf(dirs []string) map[string]fileState {
	files := map[string]fileState{}
	for _, dir := range dirs {
		// What cannot be read is not seen, before or after.
		_ = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			switch {
			case len(files) >= watchedMost:
				return fs.SkipAll
			case err != nil || e.IsDir():
				return nil //nolint:nilerr // the others are looked at
			}
			info, err := os.Lstat(path)
			if err != nil {
				return nil //nolint:nilerr // gone meanwhile
			}
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				files[path] = fileState{info.Mode(), info.Size(), st.Mtim, st.Ctim}
			}
			return nil
		})
	}
	return files
}

// changed are the files that are watched and not as they were, the first few by name.
func (o order) changed(before map[string]fileState) []string {
	var list []string
	after := stateOf(o.Watched)
	for path, was := range before {
		if now, ok := after[path]; ok && now == was || !ok && len(after) >= watchedMost {
			continue
		}
		if rest, err := filepath.Rel(o.Dir, path); o.Copied != "" && err == nil && filepath.IsLocal(rest) {
			path = filepath.Join(o.Copied, rest)
		}
		list = append(list, path)
	}
	slices.Sort(list)
	return list[:min(len(list), changedMost)]
}
