package apply

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// The mark of a write is next to the session's journal. Where that is not
// the module's own directory of logs, a file in the module's root says where it
// is while the write lasts: the next start may have another --log-dir.

var pointerName = lazyregexp.New(`^\.pausetui-[0-9-]+\.applying$`)

// pointerKind tells such files from other texts that are vouched for.
const pointerKind = "log directory"

// maxPointer bounds what is read of such a file, in bytes.
const maxPointer = 8 << 10

func (s Site) pointer() string {
	return filepath.Join(s.Workspace.Root, ".pausetui-"+s.Log.ID()+".applying")
}

// begin says, next to the journal and in the module, that the source is going to
// be written.
func (s Site) begin() error {
	if err := s.Log.BeginApply(); err != nil {
		return err
	}
	dir, err := filepath.Abs(s.Log.Dir())
	if err != nil {
		return err
	}
	if own, err := session.FindDir(s.Workspace.Root, ""); err == nil && dir == own {
		return nil
	}
	file, err := os.OpenFile(s.pointer(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return errors.Join(err, s.Log.EndApply())
	}
	_, err = file.WriteString(session.Vouch(pointerKind, dir))
	if err = errors.Join(err, file.Sync(), file.Close(), patch.SyncDir(s.Workspace.Root)); err != nil {
		return errors.Join(err, s.end()) // nothing is written: neither mark shall stay
	}
	return nil
}

// end takes both marks away, the one that leads to the other last.
func (s Site) end() error {
	err := s.Log.EndApply()
	if gone := os.Remove(s.pointer()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// logDirs are the directories to look for interrupted writes: the one in use,
// the module's own, and those that files of ours in its root name.
func logDirs(dir, root string) []string {
	dirs := []string{filepath.Clean(dir)}
	if own, err := session.FindDir(root, ""); err == nil {
		dirs = append(dirs, own)
	}
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		if !pointerName.MatchString(e.Name()) {
			continue
		}
		data, err := regular.ReadIn(root, e.Name(), maxPointer)
		if err != nil {
			continue
		}
		switch to, ours := session.Vouched(pointerKind, data); {
		case ours && filepath.IsAbs(to):
			dirs = append(dirs, filepath.Clean(to))
		case len(data) == 0 && old(e):
			_ = os.Remove(filepath.Join(root, e.Name())) // by a process that was killed, or had no room, before it wrote anything
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// old reports whether a file has not changed for a minute.
func old(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > time.Minute
}
