// Package sqlite opens the databases that pausetui keeps for a person. Every
// database is opened here, so that processes share it by the same rules. The
// package must not know tables.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // its build of SQLite has FTS5
	lib "modernc.org/sqlite/lib"

	"github.com/pausetui/pausetui/internal/filelock"
)

// makeWait is how long another process may take to make a database.
const makeWait = 30 * time.Second

// Making calls f, which opens the database at path for the first time in this
// process and may make or replace it, while no other process is in such a call.
func Making(ctx context.Context, path string, f func() error) error {
	return filelock.Do(ctx, path+".lock", makeWait, f)
}

// Busy reports whether an error says that others use the database, and nothing
// of the database itself.
func Busy(err error) bool {
	var failed *sqlite.Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Code() & 0xff { // the rest says more of the same
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// Open opens the database at path, and makes an empty one, which only its owner
// may read, if there is none. Several processes may have it open: a transaction
// locks it when it begins, and waits up to 10 s for another one. synchronous is
// SQLite's setting: "FULL" survives a loss of power, "NORMAL" may lose what was
// written last.
func Open(path, synchronous string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "foreign_keys(ON)", "synchronous(" + synchronous + ")"}}
	return sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+settings.Encode())
}
