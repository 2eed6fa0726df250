package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/regular"
)

var (
	// ErrChanged is returned, as a *ConflictError, when a file is not as the
	// edit expects it.
	ErrChanged = errors.New("the file changed since")
	// ErrNoText is returned for a file that is not UTF-8, or would not be: a log, which is
	// JSON, cannot hold it, so that nothing could put it back as it was.
	ErrNoText = errors.New("is not UTF-8 text")
	// ErrReadOnly is returned when a file, its directory or its file system
	// cannot be written.
	ErrReadOnly = errors.New("is read-only")
	// ErrNoSpace is returned when there is no room for the new contents.
	ErrNoSpace = errors.New("there is no room on the disk")
	// ErrSameFile is returned when two edits would write one file.
	ErrSameFile = errors.New("two edits of one file")
	// ErrTorn is returned when a failed apply could not put back what it had
	// replaced: some files are as before, some are not.
	ErrTorn = errors.New("some files could not be put back")
)

// ConflictError says how a file differs from what an edit expects.
type ConflictError struct {
	File string // relative to the root
	How  string // "is gone"
	// Want and Have are the contents expected and found, where both are known.
	Want, Have string
}

// Error names the file and, where contents differ, how much and where.
func (e *ConflictError) Error() string {
	text := e.File + " " + e.How
	if e.Want != "" || e.Have != "" {
		text += ": " + difference(e.Want, e.Have)
	}
	return text
}

// Unwrap returns ErrChanged.
func (e *ConflictError) Unwrap() error { return ErrChanged }

// Diff is what became of the file since, as a unified diff; empty where no
// contents are known.
func (e *ConflictError) Diff() string {
	return Unified(Edit{File: e.File, Before: e.Want, After: e.Have})
}

// difference counts what changed: "2 lines added, 1 removed, from line 42 on".
func difference(before, after string) string {
	added, removed, first := 0, 0, 0
	for _, l := range lines(before, after) {
		switch l.Op {
		case Add:
			added++
			first = earliest(first, l.New)
		case Del:
			removed++
			first = earliest(first, l.Old)
		}
	}
	if added+removed == 0 {
		return "only its line ends"
	}
	return fmt.Sprintf("%d %s added, %d removed, from line %d on", added, plural(added, "line"), removed, first)
}

func earliest(a, b int) int {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// Check reports whether the edits can be applied below root: every file is as
// Before says and can be written. With undo the edits are a Reverse. It fails
// with a *ConflictError, ErrReadOnly, ErrNoText or ErrSameFile, and writes nothing.
func Check(root string, edits []Edit, undo bool) error {
	names := map[string]string{}
	for _, e := range edits {
		path := Target(root, e.File)
		if twin, ok := names[path]; ok {
			return fmt.Errorf("%s and %s: %w", twin, e.File, ErrSameFile)
		}
		names[path] = e.File
		if undo && isUndone(path, e) {
			continue
		}
		if err := expect(path, e, undo); err != nil {
			return err
		}
		if err := writable(path, e); err != nil {
			return err
		}
		if !undo && !e.IsText() {
			return fmt.Errorf("%s %w", e.File, ErrNoText)
		}
	}
	return nil
}

// IsText reports whether a log can hold an edit: its file by name, and both sides.
func (e Edit) IsText() bool {
	return utf8.ValidString(e.File) && utf8.ValidString(e.Before) && utf8.ValidString(e.After)
}

// isUndone reports whether a file already is as taking an edit back leaves it;
// the edit is a Reverse.
func isUndone(path string, e Edit) bool {
	return look(path, Edit{Before: e.After, After: e.Before, Create: e.Create}) == AsBefore
}

// Standing is how a file stands to an edit of it.
type Standing int

// The standings.
const (
	Otherwise Standing = iota // neither of the two
	AsBefore                  // as it was, or missing if the edit creates it
	AsAfter                   // as the edit makes it
)

// Look compares a file below root with both sides of an edit.
func Look(root string, e Edit) Standing { return look(Target(root, e.File), e) }

func look(path string, e Edit) Standing {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && e.Create {
		return AsBefore
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(e.Before)) && info.Size() != int64(len(e.After)) {
		return Otherwise
	}
	content, err := regular.Read(path)
	switch {
	case err == nil && string(content) == e.After:
		return AsAfter
	case err == nil && string(content) == e.Before && !e.Create:
		return AsBefore
	}
	return Otherwise
}

// expect compares a file with what an edit says of it.
func expect(path string, e Edit, undo bool) error {
	creates := e.Create && !undo
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return expectMissing(path, e, creates)
	case err != nil:
		return fmt.Errorf("look at %q: %w", e.File, err)
	case info.IsDir():
		return &ConflictError{File: e.File, How: "is a directory now"}
	case !info.Mode().IsRegular():
		return &ConflictError{File: e.File, How: "is not a regular file"}
	case creates:
		return &ConflictError{File: e.File, How: "now exists"}
	}
	return expectContent(path, e, info.Size())
}

func expectMissing(path string, e Edit, creates bool) error {
	if !creates {
		return &ConflictError{File: e.File, How: "is gone"}
	}
	if _, err := os.Lstat(path); err == nil {
		return &ConflictError{File: e.File, How: "is a dangling symbolic link"}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return &ConflictError{File: e.File, How: "cannot be created: its directory is gone"}
	}
	return nil
}

// maxCompared bounds a file that is read to say how it changed, in bytes.
const maxCompared = 4 << 20

func expectContent(path string, e Edit, size int64) error {
	if size != int64(len(e.Before)) && size > maxCompared {
		return &ConflictError{File: e.File, How: "changed since: it is much larger"}
	}
	content, err := regular.Read(path)
	switch {
	case err != nil:
		return fmt.Errorf("read %q: %w", e.File, explained(err))
	case string(content) == e.Before:
		return nil
	case string(content) == e.After:
		return &ConflictError{File: e.File, How: "holds the change already"}
	}
	return &ConflictError{File: e.File, How: "changed since", Want: e.Before, Have: string(content)}
}

// explained puts the sentinel before an error of the system that means it.
func explained(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return fmt.Errorf("%w (%w)", ErrNoSpace, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	return err
}

// Target is the real file that a name leads to: symbolic links are followed, so that
// a link stays a link.
func Target(root, file string) string {
	path := filepath.FromSlash(file)
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // a file to be made
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// quoted names a directory for people: "." is the module's root.
func quoted(dir string) string {
	return fmt.Sprintf("%q", strings.TrimSuffix(dir, string(filepath.Separator)))
}
