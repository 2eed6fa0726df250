// Package sqlite opens the databases that pausetui keeps for a person.
package sqlite

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver; its build of SQLite has FTS5
)

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
