package pause_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log"

	_ "modernc.org/sqlite"

	"github.com/pausetui/pausetui/pause"
)

// store keeps results in a table.
type store struct{ db *sql.DB }

func open(file string) (*store, error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return nil, err
	}
	_, err = db.Exec(`CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &store{db}, nil
}

func (s *store) Get(key string) ([]byte, error) {
	var data []byte
	err := s.db.QueryRow(`SELECT data FROM results WHERE key = ?`, key).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fs.ErrNotExist
	}
	return data, err
}

func (s *store) Put(key string, data []byte) error {
	_, err := s.db.Exec(`INSERT INTO results VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET data = excluded.data`, key, data)
	return err
}

func (s *store) Drop() error {
	_, err := s.db.Exec(`DELETE FROM results`)
	return err
}

func importAll(file string) error {
	s, err := open(file)
	if err != nil {
		return err
	}
	pause.Use(s)
	if err := run(context.Background()); err != nil {
		return err
	}
	return s.Drop() // only after success: a deferred call would also drop the results at a panic
}

func ExampleUse() {
	if err := importAll("results.db"); err != nil {
		log.Fatal(err)
	}
}
