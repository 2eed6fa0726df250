// Package exeinfo reads what an executable file says of itself: how it was
// built, from which modules, which functions it has and where its source was.
// It runs nothing, and knows nothing of debuggers.
package exeinfo

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// ErrNoGo is returned for a file that the Go toolchain has not made.
var ErrNoGo = errors.New("not a Go program")

// Info is what is known of a program.
type Info struct {
	File     string // where it was read, as named
	Modified time.Time
	Build    *debug.BuildInfo
	// MainFile is the source file of func main as the program records it;
	// empty when it does not.
	MainFile string
	// Bare programs have no debug information (-ldflags=-w or -s).
	Bare bool
	// NoLines is why its line table was refused; nil when it was not, or is missing.
	NoLines error
	lines   *lineTable
}

// Read reads an executable file.
func Read(file string) (Info, error) {
	info := Info{File: file}
	stat, err := os.Stat(file)
	if err != nil {
		return info, err
	}
	info.Modified = stat.ModTime()
	if info.Build, err = Build(file); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrBuildInfo) {
			return info, err
		}
		return info, fmt.Errorf("read %q: %w", file, ErrNoGo)
	}
	exe, err := elf.Open(file)
	if err != nil {
		return info, nil // another system's: there is no more to be known
	}
	defer exe.Close()
	info.Bare = exe.Section(".debug_info") == nil && exe.Section(".zdebug_info") == nil
	info.readLines(exe)
	return info, nil
}

// readLines finds func main by the line table.
func (i *Info) readLines(exe *elf.File) {
	lines, err := elfTable(exe)
	if err != nil {
		if !errors.Is(err, errNoTable) {
			i.NoLines = err
		}
		return
	}
	defer damaged(&i.NoLines)
	if f, ok := lines.named("main.main"); ok {
		path, _ := lines.place(f, lines.entry(f), entrySteps)
		i.MainFile = string(path)
	}
	i.lines = lines
}

// Line is the place of an instruction in the source, also of stripped programs;
// an empty file where it is not known. Programs that are loaded anywhere (PIE)
// have none.
func (i Info) Line(pc uint64) (file string, line int) {
	if i.lines == nil || i.Setting("-buildmode") == "pie" {
		return "", 0
	}
	f, ok := i.lines.at(pc)
	if !ok {
		return "", 0
	}
	path, line := i.lines.place(f, pc, maxSteps)
	return string(path), line
}

// Setting is one of the build's settings: "-tags", "CGO_ENABLED".
func (i Info) Setting(key string) string {
	if i.Build == nil {
		return ""
	}
	for _, s := range i.Build.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// SourceDir is the directory of the main package's source, where it is on this
// machine; empty when it is not.
func (i Info) SourceDir() string {
	dir := filepath.Dir(i.MainFile)
	if !filepath.IsAbs(dir) {
		return ""
	}
	if _, err := os.Stat(i.MainFile); err != nil {
		return ""
	}
	return dir
}
