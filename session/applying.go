package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
)

// While a session writes to the source, a small file next to its journal says
// so: ".20261120-170203.applying", which names the journal. The next start
// looks for these alone, and need not read the journals of all sessions.

const applyingExt = ".applying"

// markKind tells marks from other texts that are vouched for.
const markKind = "mark"

// maxMark bounds a mark that is read, in bytes.
const maxMark = 1 << 10

// BeginApply marks the log: the source is going to be written. The mark is on
// the disk when it returns.
func (l *Log) BeginApply() error {
	l.mu.Lock()
	journal := filepath.Base(l.path(".jsonl"))
	l.mu.Unlock()
	err := renameio.WriteFile(l.applyingMark(), []byte(Vouch(markKind, journal)), 0o600, renameio.WithTempDir(l.dir))
	if err == nil {
		err = patch.SyncDir(l.dir)
	}
	if err != nil {
		return fmt.Errorf("mark the log: %w", err)
	}
	return nil
}

// EndApply takes the mark away: the journal says how the apply ended.
func (l *Log) EndApply() error {
	if err := os.Remove(l.applyingMark()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("unmark the log: %w", err)
	}
	return nil
}

func (l *Log) applyingMark() string { return filepath.Join(l.dir, "."+l.id+applyingExt) }

// Interrupted lists the journals in dir of sessions that were killed while
// they wrote to the source; foreign are those that marks name which this user's
// pausetui did not write here. It also removes what writers that are gone have
// left over in dir. A directory that cannot be read holds none.
func Interrupted(dir string) (journals, foreign []string) {
	for _, name := range hidden(dir) {
		if !applying.MatchString(name) {
			sweep(dir, name)
			continue
		}
		mark := filepath.Join(dir, name)
		data, err := regular.ReadIn(dir, name, maxMark)
		if err != nil {
			continue
		}
		named, ours := Vouched(markKind, data)
		journal := filepath.Join(dir, filepath.Base(named))
		if info, err := os.Lstat(journal); err != nil || !info.Mode().IsRegular() {
			if ours {
				_ = os.Remove(mark) // the session was removed since
			}
			continue
		}
		switch {
		case Alive(journal):
		case ours && !errors.Is(Sealed(journal), ErrForeign): // a damaged one is reported
			journals = append(journals, journal)
		default:
			foreign = append(foreign, journal)
		}
	}
	slices.Sort(journals)
	slices.Sort(foreign)
	return journals, foreign
}

var (
	applying = lazyregexp.New(`^\.\d{8}-\d{6}(?:-\d+)?\.applying$`)
	// torn are names that renameio gives a file until it is whole.
	torn = lazyregexp.New(`^\.{1,2}(\d{8}-\d{6}).*\.(?:md|out|applying)\d+$`)
)

// hidden lists the names in dir that begin with a dot.
func hidden(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, ".") })
}

// sweep removes a file that was being written by a session that is gone.
func sweep(dir, name string) {
	m := torn.FindStringSubmatch(name)
	if m == nil {
		return
	}
	for _, journal := range withPrefix(dir, m[1]) {
		if Alive(journal) {
			return
		}
	}
	_ = os.Remove(filepath.Join(dir, name))
}

// withPrefix lists the journals in dir whose names begin so.
func withPrefix(dir, prefix string) []string {
	entries, _ := os.ReadDir(dir) // not Glob: the path may hold its signs
	var list []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && filepath.Ext(e.Name()) == ".jsonl" {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}
