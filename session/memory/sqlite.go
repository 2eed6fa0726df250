package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/sqlite"
)

// Database is a Store in a file of SQLite. It is not derived from anything, so a
// damaged one is an error and is never replaced.
type Database struct {
	db   *sql.DB
	path string
}

// Path is where the fixes of this user are kept.
func Path() string { return filepath.Join(xdg.StateHome, "pausetui", "memory.db") }

// Open opens the database at path, and makes it where there is none.
func Open(ctx context.Context, path string) (*Database, error) {
	d := &Database{path: path}
	if err := sqlite.Making(ctx, path, func() error { return d.open(ctx) }); err != nil {
		return nil, fmt.Errorf("open the memory of fixes %q: %w", path, err)
	}
	return d, nil
}

func (d *Database) open(ctx context.Context) error {
	db, err := sqlite.Open(d.path, "FULL")
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS fixes (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, fix TEXT NOT NULL); CREATE INDEX IF NOT EXISTS fixes_fingerprint ON fixes(fingerprint)"); err != nil {
		_ = db.Close()
		return err
	}
	d.db = db
	return nil
}

// Close closes the database.
func (d *Database) Close() error { return d.db.Close() }

// Get implements Store.
func (d *Database) Get(ctx context.Context, fingerprint string) ([]Fix, error) {
	return d.query(ctx, "SELECT fix FROM fixes WHERE fingerprint = ?", fingerprint)
}

// List implements Store.
func (d *Database) List(ctx context.Context) ([]Fix, error) {
	return d.query(ctx, "SELECT fix FROM fixes ORDER BY id")
}

// Put implements Store.
func (d *Database) Put(ctx context.Context, f Fix) error {
	text, err := json.Marshal(f)
	if err == nil {
		_, err = d.db.ExecContext(ctx, "INSERT INTO fixes VALUES (?,?,?) ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, fix = excluded.fix", f.ID, f.Fingerprint, string(text))
	}
	return d.failed(err)
}

// Delete implements Store.
func (d *Database) Delete(ctx context.Context, id string) error {
	done, err := d.db.ExecContext(ctx, "DELETE FROM fixes WHERE id = ?", id)
	if err != nil {
		return d.failed(err)
	}
	if n, err := done.RowsAffected(); err == nil && n == 0 {
		return fmt.Errorf("forget %s: %w", id, ErrNotKept)
	}
	return nil
}

func (d *Database) query(ctx context.Context, query string, args ...any) ([]Fix, error) {
	rows, err := d.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, d.failed(err)
	}
	defer rows.Close()
	var list []Fix
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, d.failed(err)
		}
		var f Fix
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			continue // written by another program: it is no fix of ours
		}
		list = append(list, f)
	}
	return list, d.failed(rows.Err())
}

func (d *Database) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the memory of fixes %q: %w", d.path, err)
}
