// Package index finds past sessions: a SQLite database in the user's state directory that
// is made from the journals.
//
// It holds what a list, a search and the statistics need. The words of messages, code,
// places and reasons are in a full-text table; if no word of the table begins with a
// search word, similar words are searched instead. Why it is in SQLite is in
// docs/decisions/index-of-sessions.md.
//
// The rules: the journals are the truth. Whatever is in the database can be made
// again from them, so a database that is missing, damaged or of another version
// is simply made anew. A journal is read once for each of its sizes and times of
// change. What cannot be read is a row that says why. Texts of journals are
// stored as they are; whoever shows them cleans them. The package knows no
// frontend.
package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/sqlite"
)

// version of the tables, and of what is read from a journal. A database of another
// one is made anew.
const version = 7

// schema makes the tables. A text table without contents of its own holds the
// words of each session under the number of its row.
const schema = `
CREATE TABLE directories (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE sessions (
	id INTEGER PRIMARY KEY,
	directory INTEGER NOT NULL REFERENCES directories(id),
	name TEXT NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL,
	at INTEGER NOT NULL, facts TEXT NOT NULL, seconds REAL NOT NULL,
	target TEXT NOT NULL, package TEXT NOT NULL, class TEXT NOT NULL, classes TEXT NOT NULL, message TEXT NOT NULL,
	function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, fingerprint TEXT NOT NULL,
	outcome TEXT NOT NULL, judgement TEXT NOT NULL, judgements TEXT NOT NULL, applied TEXT NOT NULL, judged TEXT NOT NULL, decided TEXT NOT NULL,
	models TEXT NOT NULL, prompts TEXT NOT NULL, effects TEXT NOT NULL, stops INTEGER NOT NULL,
	candidates INTEGER NOT NULL, verified INTEGER NOT NULL,
	error TEXT NOT NULL,
	UNIQUE (directory, name)
);
CREATE INDEX sessions_at ON sessions(directory, at);
CREATE VIRTUAL TABLE words USING fts5(
	message, place, code, reasons, models,
	content='', contentless_delete=1, prefix='1 2 3', tokenize="unicode61 tokenchars '_'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
`

// Index is the database, as it looks from one directory of logs. Its methods may
// be called from several goroutines, and by several processes at a time.
type Index struct {
	db        *sql.DB
	path      string
	logs      string // absolute
	directory int64
}

// Path is where the index is kept for this user.
func Path() string { return filepath.Join(xdg.StateHome, "pausetui", "sessions.db") }

// Open opens the index at path for a directory of logs, and makes it where it is
// missing, damaged or of another version.
func Open(ctx context.Context, path, logs string) (*Index, error) {
	logs, err := filepath.Abs(logs)
	if err != nil {
		return nil, fmt.Errorf("open the index of sessions: %w", err)
	}
	x := &Index{path: path, logs: logs}
	if err := sqlite.Making(ctx, path, func() error { return x.make(ctx) }); err != nil {
		return nil, advice.Add(fmt.Errorf("make the index of sessions %q: %w", path, err), "see whether the disk is full and the directory is yours")
	}
	return x, nil
}

// make opens the index. One that is damaged or of another version is replaced; one
// that is only in use is not.
func (x *Index) make(ctx context.Context) error {
	err := x.open(ctx)
	if err == nil || ctx.Err() != nil || sqlite.Busy(err) {
		return err
	}
	if removed := remove(x.path); removed != nil {
		return errors.Join(err, removed)
	}
	return x.open(ctx)
}

// open fails where the file is no database of this version.
func (x *Index) open(ctx context.Context) (err error) {
	db, err := sqlite.Open(x.path, "NORMAL")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = db.Close()
		}
	}()
	tx, err := db.BeginTx(ctx, nil) // two processes may make it at once
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	var found int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
		return err
	}
	switch {
	case found == 0:
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", schema, version)); err != nil {
			return err
		}
	case found != version:
		return fmt.Errorf("the index is of version %d", found)
	}
	if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO directories(path) VALUES (?)", x.logs); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, "SELECT id FROM directories WHERE path = ?", x.logs).Scan(&x.directory); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	x.db = db
	return nil
}

// remove deletes a database with the files beside it.
func remove(path string) error {
	var failed error
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Logs is the directory of logs, absolute.
func (x *Index) Logs() string { return x.logs }

// Close closes the database.
func (x *Index) Close() error { return x.db.Close() }
