// Package regular opens and reads files whose names come from elsewhere: a
// repository, a journal, a program's debug information. Such a name may be that
// of a device, a FIFO that never answers, a link that leads elsewhere, or more
// than fits into the memory. Only regular files are opened, without waiting
// and without the effects that opening a device has, and what is read is bounded.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var (
	// ErrNotRegular is returned for a directory, device, FIFO or socket, and for
	// a symbolic link where none is followed.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrTooLarge is returned for a file that is larger than the caller reads.
	ErrTooLarge = errors.New("it is too large")
	// ErrLeadsOut is returned for a path that leads out of its root by a
	// symbolic link.
	ErrLeadsOut = errors.New("a symbolic link leads out of the module")
)

// MaxSource bounds a source file that Read reads, in bytes: far more than any
// file that a person or a generator writes.
const MaxSource = 64 << 20

// opening keeps an open from waiting for a FIFO's other end, and a terminal
// from becoming ours, should the file have been replaced since it was looked at.
const opening = syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a regular file for reading. Symbolic links are followed.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY) }

// OpenFile opens a regular file that exists, with the flags of os.OpenFile. With
// syscall.O_NOFOLLOW the file itself may be no symbolic link.
func OpenFile(path string, flag int) (*os.File, error) {
	look := os.Stat
	if flag&syscall.O_NOFOLLOW != 0 {
		look = os.Lstat
	}
	return open(path, look, func() (*os.File, error) { return os.OpenFile(path, flag|opening, 0) })
}

func open(path string, look func(string) (fs.FileInfo, error), openIt func() (*os.File, error)) (*os.File, error) {
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	file, err := openIt()
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Read reads a regular file of at most MaxSource bytes.
func Read(path string) ([]byte, error) { return ReadUpTo(path, MaxSource) }

// ReadUpTo reads a regular file of at most so many bytes.
func ReadUpTo(path string, most int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	return all(file, path, most)
}

// ReadIn is ReadUpTo for a path below root. It fails with ErrLeadsOut where a
// symbolic link leads out of root.
func ReadIn(root, rel string, most int64) ([]byte, error) {
	inside, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = inside.Close() }() // only read
	path := filepath.Join(root, rel)
	file, err := open(path, func(string) (fs.FileInfo, error) { return inside.Stat(rel) },
		func() (*os.File, error) { return inside.OpenFile(rel, os.O_RDONLY|opening, 0) })
	if err != nil {
		if errors.Is(Within(root, path), ErrLeadsOut) {
			err = &fs.PathError{Op: "open", Path: path, Err: ErrLeadsOut}
		}
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return all(file, path, most)
}

func all(file *os.File, path string, most int64) ([]byte, error) {
	tooLarge := &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)}
	if info, err := file.Stat(); err == nil && info.Size() > most {
		return nil, tooLarge
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, tooLarge
	}
	return data, err
}

// Within fails with ErrLeadsOut when path, or the part of it that exists, is not
// below root once symbolic links are followed. A link to nothing leads out, too:
// whatever is made by that name would be elsewhere.
func Within(root, path string) error {
	top, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	for at := path; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			if _, err := os.Lstat(at); err == nil {
				return &fs.PathError{Op: "open", Path: path, Err: ErrLeadsOut}
			}
			continue
		}
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
			return &fs.PathError{Op: "open", Path: path, Err: ErrLeadsOut}
		}
		return nil
	}
}
