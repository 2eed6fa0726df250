package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// changedMost is how many files are named that a run has changed.
const changedMost = 20

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
		Watch(dir, func(path string, info fs.FileInfo) (more bool) {
			files[path] = stateIn(info)
			return len(files) < WatchedMost
		})
	}
	return files
}

func stateIn(info fs.FileInfo) fileState {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileState{}
	}
	return fileState{info.Mode(), info.Size(), st.Mtim, st.Ctim}
}

// changed are the files that are watched and not as they were, and those of them that are
// gone, the first few by name. Each is looked at, however many others the program has made.
func (o order) changed(before map[string]fileState) (list, gone []string) {
	for path, was := range before {
		info, err := os.Lstat(path)
		if err == nil && stateIn(info) == was {
			continue
		}
		removed := errors.Is(err, fs.ErrNotExist)
		if rest, err := filepath.Rel(o.Dir, path); o.Copied != "" && err == nil && filepath.IsLocal(rest) {
			path = filepath.Join(o.Copied, rest)
		}
		list = append(list, path)
		if removed {
			gone = append(gone, path)
		}
	}
	slices.Sort(list)
	slices.Sort(gone)
	return list[:min(len(list), changedMost)], gone[:min(len(gone), changedMost)]
}
