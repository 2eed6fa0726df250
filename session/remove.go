package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
)

// Remove deletes what the directory of logs holds of a session: the journal, the
// log, the output, the source texts and the snapshots. It fails with ErrAlive, having deleted
// nothing, while the session runs. The journal goes last, so that what a failure
// leaves is still listed.
func Remove(dir, name string) error {
	e, err := Find(dir, name)
	if err != nil {
		return err
	}
	if Alive(e.Journal) {
		return advice.Add(fmt.Errorf("delete %s: %w", e.Name, ErrAlive), "end the session first")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("delete %s: %w", e.Name, err)
	}
	var failed error
	for _, f := range entries {
		path := filepath.Join(dir, f.Name())
		if path == e.Journal || !f.Type().IsRegular() || !strings.HasPrefix(f.Name(), e.Name+".") {
			continue
		}
		failed = errors.Join(failed, os.Remove(path))
	}
	sources := filepath.Join(dir, e.ID()+"-sources")
	if info, err := os.Lstat(sources); err == nil && info.IsDir() {
		failed = errors.Join(failed, os.RemoveAll(sources))
	}
	for _, path := range Snapshots(dir, e.ID()) {
		failed = errors.Join(failed, os.Remove(path))
	}
	if failed == nil {
		failed = os.Remove(e.Journal)
	}
	if failed != nil {
		return fmt.Errorf("delete %s: %w", e.Name, failed)
	}
	return nil
}

// ID is the part of the name that the session's source texts are kept under:
// "20261120-170203".
func (e Entry) ID() string {
	if e.number > 1 {
		return fmt.Sprintf("%s-%d", e.time, e.number)
	}
	return e.time
}
