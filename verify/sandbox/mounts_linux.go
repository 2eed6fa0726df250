package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

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

// layOut rearranges this mount namespace: everything read-only, hidden
// directories empty, throwaway ones under an overlay, a small /dev, our own
// /proc. It returns the directories that may be written to.
func layOut(o order) (writable []string, err error) {
	lower, err := detach(o.Throwaway)
	if err != nil {
		return nil, err
	}
	readable, err := detach(slices.DeleteFunc(slices.Clone(o.Readable), func(p string) bool {
		return slices.ContainsFunc(o.Throwaway, func(d string) bool { return within(d, p) }) ||
			!slices.ContainsFunc(o.Hidden, func(d string) bool { return within(d, p) })
	}))
	if err != nil {
		return nil, err
	}
	written, err := detach(o.Writable)
	if err != nil {
		return nil, err
	}
	sealed := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
	if !o.Files {
		if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, sealed); err != nil {
			return nil, fmt.Errorf("make the file system read-only: %w", err)
		}
	}
	layer, err := newLayer(o)
	if err != nil {
		return nil, err
	}
	if writable, err = layer.hide(o.Hidden); err != nil {
		return nil, err
	}
	if err := makeHome(o); err != nil {
		return nil, err
	}
	for _, t := range readable {
		if err := layer.reattach(t, sealed); err != nil {
			return nil, err
		}
	}
	for _, t := range written {
		if err := layer.reattach(t, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}); err != nil {
			return nil, err
		}
		writable = append(writable, t.path)
	}
	for i, t := range lower {
		if err := layer.overlay(i, t); err != nil {
			return nil, err
		}
		writable = append(writable, t.path)
	}
	for _, path := range o.Masked {
		if err := layer.mask(path); err != nil {
			return nil, err
		}
	}
	if err := layer.devices(); err != nil {
		return nil, err
	}
	if o.Files {
		writable = []string{"/"} // but for the overlays, whose writes go to the layer
	}
	return append(writable, "/dev/shm"), layer.proc()
}

// makeHome makes an empty home where the person's is hidden.
func makeHome(o order) error {
	if !slices.ContainsFunc(o.Hidden, func(d string) bool { return within(d, o.Home) }) {
		return nil
	}
	if err := os.MkdirAll(o.Home, 0o700); err != nil {
		return fmt.Errorf("make an empty home: %w", err)
	}
	return nil
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
	root string
	used int
}

func newLayer(o order) (*layer, error) {
	options := fmt.Sprintf("mode=0755,size=%d,nr_inodes=200000", o.Limits.Disk)
	if err := unix.Mount("tmpfs", attic, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, fmt.Errorf("mount the throwaway layer: %w", err)
	}
	return &layer{root: attic}, nil
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

// hide puts an empty directory over each.
func (l *layer) hide(dirs []string) ([]string, error) {
	var hidden []string
	for _, d := range dirs {
		info, err := os.Stat(d)
		if err != nil {
			continue
		}
		empty, err := l.dir(info.Mode().Perm() | info.Mode()&os.ModeSticky)
		if err != nil {
			return nil, err
		}
		if err := unix.Mount(empty, d, "", unix.MS_BIND, ""); err != nil {
			return nil, fmt.Errorf("hide %q: %w", d, err)
		}
		hidden = append(hidden, d)
	}
	return hidden, nil
}

// reattach puts a tree back where it was, with the attributes.
func (l *layer) reattach(t tree, attr *unix.MountAttr) error {
	defer func() { _ = unix.Close(t.fd) }()
	if err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, attr); err != nil {
		return fmt.Errorf("seal %q: %w", t.path, err)
	}
	if err := makePoint(t); err != nil {
		return err
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("show %q: %w", t.path, err)
	}
	return nil
}

// makePoint makes what a mount needs below it, where a hidden directory took
// that away.
func makePoint(t tree) error {
	if _, err := os.Lstat(t.path); err == nil {
		return nil
	}
	dir := t.path
	if !t.dir {
		dir = filepath.Dir(t.path)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("show %q: %w", t.path, err)
	}
	if t.dir {
		return nil
	}
	f, err := os.OpenFile(t.path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("show %q: %w", t.path, err)
	}
	return f.Close()
}

// overlay shows a tree at its place; what is written goes to the layer.
func (l *layer) overlay(i int, t tree) error {
	defer func() { _ = unix.Close(t.fd) }()
	upper, err := l.dir(0o755)
	if err != nil {
		return err
	}
	work, err := l.dir(0o700)
	if err != nil {
		return err
	}
	if err := makePoint(t); err != nil {
		return err
	}
	// The tree is put down where no name can trouble the option string, whose
	// separators are commas and colons.
	low, err := l.dir(0o700)
	if err != nil {
		return err
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, low, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return fmt.Errorf("hold on to %q: %w", t.path, err)
	}
	if err := likeness(low, upper); err != nil {
		return err
	}
	options := "lowerdir=" + low + ",upperdir=" + upper + ",workdir=" + work
	for _, extra := range []string{",userxattr", ""} {
		if err = unix.Mount("overlay", t.path, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options+extra); err == nil {
			return nil
		}
	}
	return fmt.Errorf("put an overlay on %q: %w", t.path, err)
}

// likeness gives the upper directory the mode and owner of the lower one, as
// far as this user may.
func likeness(lower, upper string) error {
	var st unix.Stat_t
	if err := unix.Stat(lower, &st); err != nil {
		return fmt.Errorf("look at %q: %w", lower, err)
	}
	_ = os.Chown(upper, int(st.Uid), int(st.Gid)) // only root's files may be another's
	return os.Chmod(upper, os.FileMode(st.Mode&0o777))
}

// mask puts something empty over a file or directory.
func (l *layer) mask(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // hidden by now
	}
	if info.IsDir() {
		_, err := l.hide([]string{path})
		return err
	}
	if err := unix.Mount("/dev/null", path, "", unix.MS_BIND, ""); err != nil {
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
		t := tree{path: filepath.Join(dev, name)}
		if err := makePoint(t); err != nil {
			return err
		}
		if err := unix.Mount("/dev/"+from, t.path, "", unix.MS_BIND, ""); err != nil {
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
	if err := unix.Mount("devpts", filepath.Join(dev, "pts"), "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return fmt.Errorf("make /dev/pts: %w", err)
	}
	if err := unix.Mount(dev, "/dev", "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
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

const procFlags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC

func mountProc() error {
	if err := unix.Mount("proc", "/proc", "proc", procFlags, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// proc hides the layer below another view of the processes, which cannot be
// written to.
func (l *layer) proc() error {
	if err := mountProc(); err != nil {
		return err
	}
	if err := unix.Mount("", "/proc", "", procFlags|unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("make /proc read-only: %w", err)
	}
	return nil
}
