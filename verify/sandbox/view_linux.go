package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// What a program may look at is shown below overlays. The files are the same, but a
// socket or a named pipe of another program is a different one there, whatever its
// name and whenever it was made: nobody listens. An overlay neither shows what is
// mounted below its lower directory nor lets it be uncovered, so that a directory
// on the way to a mount is built up, with what lies in it shown piece by piece.
// Overlays slow a build down, in which no candidate runs: it has no sockets instead.

// mount is a place where a file system is mounted.
type mount struct{ path, kind string }

// withoutSockets are the kinds of file systems in which nobody can bind a socket: they are
// shown as they are. Some of them no overlay takes.
var withoutSockets = []string{"sysfs", "cgroup", "cgroup2", "securityfs", "debugfs", "tracefs", "pstore", "efivarfs", "configfs",
	"fusectl", "selinuxfs", "bpf", "autofs", "squashfs", "erofs", "iso9660", "vfat", "exfat"}

// largest is the number of entries up to which a directory is shown piece by piece.
const largest = 1000

// readMounts lists the mounts that this process sees, the lower of two at the same
// place first.
func readMounts(file string) ([]mount, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("list the mounts: %w", err)
	}
	var list []mount
	for line := range strings.Lines(string(text)) {
		before, after, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if len(place) < 5 || len(kind) == 0 {
			return nil, fmt.Errorf("list the mounts: %q makes no sense", line)
		}
		list = append(list, mount{path: unescape(place[4]), kind: kind[0]})
	}
	return list, nil
}

// unescape undoes how the kernel writes blanks and the like: \040.
func unescape(path string) string {
	parts := strings.Split(path, `\`)
	for i, p := range parts[1:] {
		if len(p) >= 3 {
			if n, err := strconv.ParseUint(p[:3], 8, 8); err == nil {
				parts[i+1] = string([]byte{byte(n)}) + p[3:]
			}
		}
	}
	return strings.Join(parts, "")
}

// show makes a root in which there is what is shown, and nothing else. Where files are
// allowed the root stays as it is.
func (l *layer) show(o order) error {
	if o.Files {
		return nil
	}
	root, err := l.dir(0o755)
	if err == nil {
		err = unix.Mount(root, root, "", unix.MS_BIND, "")
	}
	if err != nil {
		return fmt.Errorf("make a root: %w", err)
	}
	l.inside = root
	for _, path := range places(o) {
		if slices.Contains(o.Hidden, path) {
			err = l.hide(path)
		} else {
			err = l.showOne(path)
		}
		if err != nil {
			return err
		}
	}
	return l.link(o.Links)
}

// places are the paths that are shown, or hidden in what is shown, each before those that
// lie in it. What is shown with what it lies in is left out.
func places(o order) []string {
	all := slices.Concat(o.Shown, o.Readable, o.Hidden)
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
	var list, around []string // around: those in which the next one lies, the innermost last
	for _, path := range slices.Compact(all) {
		for len(around) > 0 && !within(around[len(around)-1], path) {
			around = around[:len(around)-1]
		}
		hidden := slices.Contains(o.Hidden, path)
		inShown := len(around) > 0 && !slices.Contains(o.Hidden, around[len(around)-1])
		if !hidden && (inShown || slices.ContainsFunc(o.Throwaway, func(d string) bool { return within(d, path) })) {
			continue
		}
		list, around = append(list, path), append(around, path)
	}
	return list
}

// showOne shows a file, or a directory with all that is in it.
func (l *layer) showOne(path string) error {
	at := l.inside + path
	info, err := os.Lstat(path)
	switch {
	case err != nil, path == attic: // gone, or ours
		return nil //nolint:nilerr // gone
	case info.Mode().IsRegular():
		return l.single(path, at)
	case !info.IsDir():
		return nil
	}
	if err := makePoint(at, true); err != nil {
		return err
	}
	return l.view(path, at)
}

// link makes the links by which what is shown may be reached, where they are not shown
// themselves.
func (l *layer) link(links map[string]string) error {
	for path, to := range links {
		at := l.inside + path
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := os.MkdirAll(filepath.Dir(at), 0o755)
		if err == nil {
			err = os.Symlink(to, at)
		}
		if err != nil {
			return fmt.Errorf("show %q: %w", path, err)
		}
	}
	return nil
}

// single shows one file. Below an overlay of its directory it is another one, so that nobody
// sees who else uses it.
func (l *layer) single(path, at string) error {
	dir := filepath.Dir(path)
	if inner, _ := l.below(dir); !inner && !l.plain {
		over, err := l.dir(0o755)
		if err == nil {
			err = overlay(dir, over, unix.MS_RDONLY, "lowerdir=.:"+l.empty)
		}
		if err == nil {
			return l.bind(filepath.Join(over, filepath.Base(path)), at, false)
		}
	}
	l.watched = true
	return l.bind(path, at, false)
}

// view shows a directory of the machine's in an empty one, but for those that the sandbox
// has of its own.
func (l *layer) view(path, at string) error {
	inner, sockets := l.below(path)
	if !sockets || l.plain && path != "/" {
		return l.bind(path, at, true)
	}
	if !inner {
		err := overlay(path, at, unix.MS_RDONLY, "lowerdir=.:"+l.empty)
		if err == nil || errors.Is(err, unix.EACCES) { // not for this user either
			return nil
		}
	}
	entries, err := os.ReadDir(path)
	switch {
	case err != nil:
		return nil //nolint:nilerr // not for this user either
	case !inner || len(entries) > largest:
		l.bare = true
		return l.bind(path, at, true)
	}
	file := func(from, to string) error { return l.bind(from, to, false) }
	return pieces(path, at, entries, []string{"/dev", attic}, file, l.view)
}

// pieces fills a directory with what is in another one, but for what is to be
// skipped: file and dir show one of those.
func pieces(path, at string, entries []os.DirEntry, skip []string, file, dir func(from, to string) error) error {
	for _, e := range entries {
		from, to := filepath.Join(path, e.Name()), filepath.Join(at, e.Name())
		var err error
		switch {
		case slices.Contains(skip, from):
		case e.Type().IsRegular():
			err = file(from, to)
		case e.IsDir():
			if err = os.Mkdir(to, 0o700); err == nil {
				err = dir(from, to)
			}
		case e.Type()&os.ModeSymlink != 0:
			var target string
			if target, err = os.Readlink(from); err == nil {
				err = os.Symlink(target, to)
			}
		}
		if err != nil {
			return fmt.Errorf("show %q: %w", from, err)
		}
	}
	return likeness(path, at)
}

// below reports whether anything is mounted below a directory, and whether sockets
// can be anywhere in it.
func (l *layer) below(path string) (inner, sockets bool) {
	for _, m := range l.mounts {
		if within(path, m.path) && m.path != path {
			inner = true
			sockets = sockets || !slices.Contains(withoutSockets, m.kind)
		}
	}
	return inner, sockets || !slices.Contains(withoutSockets, l.around(path).kind)
}

// around is the mount in which a path lies.
func (l *layer) around(path string) (around mount) {
	for _, m := range l.mounts {
		if within(m.path, path) && len(m.path) >= len(around.path) {
			around = m
		}
	}
	return around
}

// processes are the places where those of the machine are seen, whose own one is attic.
func (l *layer) processes() (paths []string) {
	for _, m := range l.mounts {
		if m.kind == "proc" && !within(attic, m.path) {
			paths = append(paths, m.path)
		}
	}
	return paths
}

// bind shows a file or directory as it is.
func (l *layer) bind(path, at string, dir bool) error {
	err := makePoint(at, dir)
	if err == nil {
		err = unix.Mount(path, at, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if err != nil {
		return fmt.Errorf("show %q: %w", path, err)
	}
	return nil
}
