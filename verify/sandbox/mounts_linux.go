package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// attic is where the writable layer is mounted: some directory that exists
// everywhere and that programs do not look into.
const attic = "/proc"

// tree is a detached copy of a part of the file system, held by a descriptor.
type tree struct {
	path string
	fd   int
	dir  bool
}

// layOut rearranges this mount namespace: a new root that holds only what is shown,
// read-only, with throwaway directories under an overlay, a small /dev and our own /proc.
// Where files are allowed, the root stays as it is. It fills in what may be written to, and
// takes unix sockets away where one of the machine's could be met.
func layOut(o *order) error {
	kept, err := detach(append([]string{attic}, o.Writable...))
	if err != nil {
		return err
	}
	if !o.Files {
		if err := setAttributes(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, sealed); err != nil {
			return fmt.Errorf("make the file system read-only: %w", err)
		}
	}
	layer, err := newLayer(*o)
	if err != nil {
		return err
	}
	if err := layer.show(*o); err != nil {
		return err
	}
	writable := slices.Clone(o.Hidden)
	for _, t := range kept[1:] {
		if err := layer.reattach(t, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}); err != nil {
			return err
		}
		writable = append(writable, t.path)
	}
	for _, path := range o.Throwaway {
		if err := layer.throwaway(path); err != nil {
			return err
		}
		writable = append(writable, path)
	}
	for _, path := range slices.Concat(o.Masked, layer.processes()) {
		if err := layer.mask(path); err != nil {
			return err
		}
	}
	if err := layer.devices(); err != nil {
		return err
	}
	if o.Files {
		writable = []string{"/"} // but for the overlays, whose writes go to the layer
	}
	o.Writable = append(writable, "/dev/shm")
	o.Unix = o.Unix && !layer.bare
	o.Inotify = o.Inotify && o.Unix && !layer.watched // it would see what others do with their files
	return layer.close(kept[0])
}

// sealed are the attributes of what is only looked at.
var sealed = &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}

// setAttributes gives a mount attributes. For a moment it is busy where somebody reads a file
// there: the time of that is written.
func setAttributes(fd int, path string, flags uint, attr *unix.MountAttr) error {
	const tries = 200
	for i := 0; ; i++ {
		err := unix.MountSetattr(fd, path, flags, attr)
		if !errors.Is(err, unix.EBUSY) || i == tries {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// sealInput opens a file that is the standard input through a mount that is only looked
// at: whoever has it can open it again, for writing.
func sealInput(path string) error {
	if !isFile(path) {
		return nil
	}
	tree, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return fmt.Errorf("hold on to %q: %w", path, err)
	}
	defer func() { _ = unix.Close(tree) }()
	if err := setAttributes(tree, "", unix.AT_EMPTY_PATH, sealed); err != nil {
		return fmt.Errorf("seal %q: %w", path, err)
	}
	file, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", tree))
	if err != nil {
		return nil // the one that is open was opened by another user
	}
	defer file.Close()
	return unix.Dup3(int(file.Fd()), 0, 0)
}

// isFile reports whether a path is that of a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// detach copies the mounts at the paths, to be put back in place when what is
// around them is hidden. Paths that do not exist are left out.
func detach(paths []string) ([]tree, error) {
	var trees []tree
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			continue
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, p, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return nil, fmt.Errorf("hold on to %q: %w", p, err)
		}
		trees = append(trees, tree{path: p, fd: fd, dir: info.IsDir()})
	}
	return trees, nil
}

// layer is one temporary file system that takes everything that is written; its
// size bounds that.
type layer struct {
	root   string
	used   int
	inside string  // the root that is being made; empty where the machine's stays
	mounts []mount // of the machine, by its own paths
	empty  string  // a directory with nothing in it
	plain  bool    // no overlays: the program has no unix sockets anyway
	bare   bool    // something is shown in which sockets of the machine may lie
	// watched: a file is shown of which could be seen who else uses it.
	watched bool
}

func newLayer(o order) (*layer, error) {
	l := &layer{root: attic, plain: !o.Unix}
	var err error
	if l.mounts, err = readMounts("/proc/self/mountinfo"); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("mode=0755,size=%d,nr_inodes=200000", o.Limits.Disk)
	if err := unix.Mount("tmpfs", attic, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, fmt.Errorf("mount the throwaway layer: %w", err)
	}
	l.empty, err = l.dir(0o755)
	return l, err
}

// dir makes a new directory in the layer.
func (l *layer) dir(mode os.FileMode) (string, error) {
	l.used++
	path := filepath.Join(l.root, fmt.Sprint(l.used))
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", fmt.Errorf("prepare the throwaway layer: %w", err)
	}
	return path, os.Chmod(path, mode)
}

// hide puts an empty directory in the place of one.
func (l *layer) hide(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // gone
	}
	empty, err := l.dir(info.Mode().Perm() | info.Mode()&os.ModeSticky)
	if err != nil {
		return err
	}
	if err := makePoint(l.inside+path, true); err != nil {
		return err
	}
	if err := unix.Mount(empty, l.inside+path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("hide %q: %w", path, err)
	}
	return nil
}

// reattach puts a tree back where it was, with the attributes.
func (l *layer) reattach(t tree, attr *unix.MountAttr) error {
	defer func() { _ = unix.Close(t.fd) }()
	if err := setAttributes(t.fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, attr); err != nil {
		return fmt.Errorf("seal %q: %w", t.path, err)
	}
	if err := makePoint(l.inside+t.path, t.dir); err != nil {
		return err
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, l.inside+t.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("show %q: %w", t.path, err)
	}
	return nil
}

// makePoint makes what a mount needs below it, where there is nothing.
func makePoint(path string, isDir bool) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	dir := path
	if !isDir {
		dir = filepath.Dir(path)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("show %q: %w", path, err)
	}
	if isDir {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("show %q: %w", path, err)
	}
	return f.Close()
}

// throwaway shows a directory at its place; what is written goes to the layer.
func (l *layer) throwaway(path string) error {
	if inner, _ := l.below(path); !inner {
		if err := makePoint(l.inside+path, true); err != nil {
			return err
		}
		return l.changeable(path, l.inside+path)
	}
	at, err := l.dir(0o755)
	if err != nil {
		return err
	}
	if err := l.changeable(path, at); err != nil {
		return err
	}
	return l.bind(at, l.inside+path, true)
}

// changeable shows a directory at another place, where it can be written to. No overlay
// takes a directory in which something is mounted: on the way to a mount, files are
// copied.
func (l *layer) changeable(path, at string) error {
	if slices.Contains(l.processes(), path) {
		return nil // nothing of it is shown
	}
	if inner, _ := l.below(path); inner {
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil //nolint:nilerr // not for this user either
		}
		return pieces(path, at, entries, nil, copyFile, l.changeable)
	}
	upper, err := l.dir(0o755)
	if err != nil {
		return err
	}
	work, err := l.dir(0o700)
	if err != nil {
		return err
	}
	if err := likeness(path, upper); err != nil {
		return err
	}
	if err := overlay(path, at, 0, "lowerdir=.,upperdir="+upper+",workdir="+work); err != nil {
		around := l.around(path)
		return fmt.Errorf("put an overlay on %q (%s, mounted at %q): %w", path, around.kind, around.path, err)
	}
	return nil
}

// copyFile copies a file, as far as this user may read it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return nil // not for this user either
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), likeness(from, to))
}

// overlay mounts one, whose options name its lower directory by a dot: no name can
// trouble their separators.
func overlay(lower, at string, flags uintptr, options string) error {
	err := os.Chdir(lower)
	if err != nil {
		return err
	}
	for _, extra := range []string{",userxattr", ""} {
		if err = unix.Mount("overlay", at, "overlay", unix.MS_NOSUID|unix.MS_NODEV|flags, options+extra); err == nil {
			break
		}
	}
	return errors.Join(err, os.Chdir("/"))
}

// likeness gives a directory the mode and owner of another one, as far as this
// user may.
func likeness(of, dir string) error {
	var st unix.Stat_t
	if err := unix.Stat(of, &st); err != nil {
		return fmt.Errorf("look at %q: %w", of, err)
	}
	_ = os.Chown(dir, int(st.Uid), int(st.Gid)) // only root's files may be another's
	return os.Chmod(dir, os.FileMode(st.Mode&0o777))
}

// mask puts something empty over a file or directory.
func (l *layer) mask(path string) error {
	info, err := os.Stat(l.inside + path)
	if err != nil {
		return nil //nolint:nilerr // hidden by now
	}
	if info.IsDir() {
		return l.hide(path)
	}
	if err := unix.Mount("/dev/null", l.inside+path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("hide %q: %w", path, err)
	}
	return nil
}

// devices puts a small /dev in place: as root, the nodes of disks are not held
// back by a read-only mount.
func (l *layer) devices() error {
	dev, err := l.dir(0o755)
	if err != nil {
		return err
	}
	// What reads as zeros is /dev/full: mapping /dev/zero makes memory that no
	// process is seen to hold.
	for name, from := range map[string]string{"null": "null", "zero": "full", "full": "full", "random": "random", "urandom": "urandom", "tty": "tty"} {
		path := filepath.Join(dev, name)
		if err := makePoint(path, false); err != nil {
			return err
		}
		if err := unix.Mount("/dev/"+from, path, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("make /dev/%s: %w", name, err)
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, filepath.Join(dev, name)); err != nil {
			return fmt.Errorf("make /dev/%s: %w", name, err)
		}
	}
	for name, mode := range map[string]os.FileMode{"pts": 0o755, "shm": 0o777 | os.ModeSticky} {
		if err := os.Mkdir(filepath.Join(dev, name), 0o755); err != nil {
			return fmt.Errorf("make /dev/%s: %w", name, err)
		}
		if err := os.Chmod(filepath.Join(dev, name), mode); err != nil {
			return fmt.Errorf("make /dev/%s: %w", name, err)
		}
	}
	if err := unix.Mount("devpts", filepath.Join(dev, "pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, fmt.Sprintf("newinstance,ptmxmode=0666,mode=0620,max=%d", terminals)); err != nil {
		return fmt.Errorf("make /dev/pts: %w", err)
	}
	if err := makePoint(l.inside+"/dev", true); err != nil {
		return err
	}
	if err := unix.Mount(dev, l.inside+"/dev", "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("make /dev: %w", err)
	}
	return nil
}

// ownProcesses cuts this mount namespace off from the machine's, and shows the
// processes of the sandbox only.
func ownProcesses() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	return mountProc()
}

func mountProc() error {
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// close enters the root that was made, and hides the layer below the processes,
// which cannot be written to. Until then every path leads where it will lead: who
// has just been started may still look for libraries.
func (l *layer) close(processes tree) error {
	if l.inside != "" {
		old := l.inside + attic
		err := errors.Join(makePoint(old, true), unix.PivotRoot(l.inside, old), unix.Unmount(attic, unix.MNT_DETACH),
			setAttributes(unix.AT_FDCWD, "/", 0, sealed))
		if err != nil {
			return fmt.Errorf("enter the new root: %w", err)
		}
		l.inside = ""
	}
	return l.reattach(processes, sealed)
}
