package loop

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/source/workspace"
)

// WorkDir is the target's working directory: the one that was asked for, where
// the person is, or that of a tested package, as go test has it.
func (l *Loop) WorkDir() string {
	from := l.Workspace.Dir
	if !l.Opts.Target.Mode.Builds() { // the modules may be elsewhere
		from = l.Opts.Target.Dir
	}
	switch dir := l.Opts.Target.WorkDir; {
	case dir != "" && filepath.IsAbs(dir):
		return dir
	case dir != "":
		return filepath.Join(from, dir)
	case l.Opts.Target.Test:
		return PackageDir(l.Workspace, l.Opts.Target.Package)
	}
	return from
}

// PackageDir is the directory of a package of the user's, by its path in the
// binary; empty for others.
func (l *Loop) PackageDir(pkg string) string {
	if pkg == "main" && l.Opts.Target.Mode.Builds() {
		return PackageDir(l.Workspace, l.Opts.Target.Package)
	}
	if dir := l.Workspace.PackageDir(pkg); dir != "" {
		return dir
	}
	return l.Workspace.PackageDir(strings.TrimSuffix(pkg, "_test")) // an external test package
}

// PackageDir is the directory of a package of the user's, named as on a command
// line: by its path below the person's directory, by import path, or by its
// files. Of others it is the person's directory.
func PackageDir(ws workspace.Workspace, pkg string) string {
	if files := strings.Fields(pkg); len(files) > 0 && strings.HasSuffix(files[0], ".go") {
		pkg = filepath.Dir(files[0])
		if !filepath.IsAbs(pkg) {
			pkg = "./" + pkg
		}
	}
	var dirs []string
	switch {
	case filepath.IsAbs(pkg):
		dirs = []string{pkg}
	case pkg == "." || pkg == ".." || strings.HasPrefix(pkg, "./") || strings.HasPrefix(pkg, "../"):
		dirs = []string{filepath.Join(ws.Dir, pkg)}
	default:
		for _, m := range ws.Modules {
			if rest, ok := strings.CutPrefix(pkg+"/", m.Path+"/"); ok {
				dirs = append(dirs, filepath.Join(m.Dir, rest))
			}
		}
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ws.Dir
}
