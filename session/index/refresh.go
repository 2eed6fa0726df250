package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pausetui/pausetui/session"
)

// Progress is how far a refresh has come.
type Progress struct {
	Done, Total int   // journals
	Bytes       int64 // read so far
}

// Changes are what a refresh found.
type Changes struct {
	Read, Removed int // sessions
	Bytes         int64
}

// atOnce is how many sessions a transaction stores: few enough that another
// process does not wait long, many enough that the disk does not.
const atOnce = 64

// indexed is what the index has of a journal.
type indexed struct{ id, size, changed int64 }

// Refresh brings the index up to date with the directory: it reads the journals
// that are new or have changed, and forgets those that are gone. It reports its
// progress, if progress is not nil.
func (x *Index) Refresh(ctx context.Context, progress func(Progress)) (Changes, error) {
	var c Changes
	entries, err := session.List(x.logs)
	if err != nil {
		return c, err
	}
	have, err := x.known(ctx)
	if err != nil {
		return c, err
	}
	var todo []journal
	for _, e := range entries {
		j, ok := look(e)
		if !ok {
			continue
		}
		was, there := have[e.Name]
		delete(have, e.Name)
		if !there || was.size != j.size || was.changed != j.changed {
			todo = append(todo, j)
		}
	}
	if c.Removed = len(have); c.Removed > 0 {
		if err := x.forget(ctx, have); err != nil {
			return c, err
		}
	}
	for len(todo) > 0 {
		n := min(atOnce, len(todo))
		if err := x.store(ctx, todo[:n]); err != nil {
			return c, err
		}
		for _, j := range todo[:n] {
			c.Bytes += j.size
		}
		c.Read, todo = c.Read+n, todo[n:]
		if progress != nil {
			progress(Progress{Done: c.Read, Total: c.Read + len(todo), Bytes: c.Bytes})
		}
	}
	return c, nil
}

// journal is a file to be read.
type journal struct {
	session.Entry
	size, changed int64  // bytes; nanoseconds since 1970
	problem       string // why it is not read; empty for a file
}

// look says how large the file is, and when it was changed. What is no file is
// named and not opened: a link leads anywhere, and a pipe may never end.
func look(e session.Entry) (journal, bool) {
	info, err := os.Lstat(e.Journal)
	if err != nil {
		return journal{}, false
	}
	j := journal{Entry: e, size: info.Size(), changed: info.ModTime().UnixNano()}
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		j.problem = "it is a link, which is not followed"
	case !info.Mode().IsRegular():
		j.problem = "it is not a regular file"
	case j.size > session.MaxListed:
		j.problem = fmt.Sprintf("it is larger than %d MB", session.MaxListed>>20)
	}
	return j, true
}

func (x *Index) known(ctx context.Context) (map[string]indexed, error) {
	rows, err := x.db.QueryContext(ctx, "SELECT name, id, size, changed FROM sessions WHERE directory = ?", x.directory)
	if err != nil {
		return nil, x.failed(err)
	}
	defer rows.Close()
	have := map[string]indexed{}
	for rows.Next() {
		var name string
		var k indexed
		if err := rows.Scan(&name, &k.id, &k.size, &k.changed); err != nil {
			return nil, x.failed(err)
		}
		have[name] = k
	}
	return have, x.failed(rows.Err())
}

// forget removes sessions whose journals are gone.
func (x *Index) forget(ctx context.Context, gone map[string]indexed) error {
	return x.change(ctx, func(tx *sql.Tx) error {
		for _, k := range gone {
			if err := drop(ctx, tx, k.id); err != nil {
				return err
			}
		}
		return nil
	})
}

func drop(ctx context.Context, tx *sql.Tx, id int64) error {
	for _, statement := range []string{"DELETE FROM words WHERE rowid = ?", "DELETE FROM sessions WHERE id = ?"} {
		if _, err := tx.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}

// store reads journals and stores what they say. Another process may have stored
// them meanwhile: the last one counts.
func (x *Index) store(ctx context.Context, journals []journal) error {
	read := make([]record, len(journals))
	for i, j := range journals {
		var err error
		if read[i], err = readJournal(ctx, j); err != nil {
			return err
		}
	}
	return x.change(ctx, func(tx *sql.Tx) error {
		for _, r := range read {
			if err := x.put(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}

func (x *Index) put(ctx context.Context, tx *sql.Tx, r record) error {
	var old int64
	err := tx.QueryRowContext(ctx, "SELECT id FROM sessions WHERE directory = ? AND name = ?", x.directory, r.Name).Scan(&old)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	default:
		if err := drop(ctx, tx, old); err != nil {
			return err
		}
	}
	done, err := tx.ExecContext(ctx, `INSERT INTO sessions (directory, name, size, changed, at, facts, seconds, target, package, class, classes, message, function, file, line, fingerprint,
		outcome, judgement, judgements, applied, judged, decided, models, prompts, effects, stops, candidates, verified, error)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		x.directory, r.Name, r.size, r.changed, r.At.UnixMilli(), string(r.facts()), r.Seconds, r.Target, r.Package, r.Class, strings.Join(r.classes(), " "), r.Message, r.Function, r.File, r.Line, r.Fingerprint,
		r.Outcome, r.Judgement, strings.Join(r.judgements(), " "), strings.Join(r.Applied, " "), strings.Join(r.Judged, " "), strings.Join(r.Decided, " "), strings.Join(r.Models, " "), strings.Join(r.Prompts, " "), strings.Join(r.effects(), " "),
		r.Stops, r.Candidates, r.Verified, r.Error)
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	if err != nil {
		return err
	}
	texts := []string{r.Class, r.Message, r.Target}
	for _, c := range r.crashes {
		texts = append(texts, c.class, c.message, c.function)
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO words(rowid, message, place, code, reasons, models) VALUES (?,?,?,?,?,?)",
		id, strings.Join(texts, " "), r.Function+" "+r.File, r.code, r.reasons, strings.Join(r.Models, " ")+" "+strings.Join(r.Prompts, " "))
	return err
}

func (x *Index) change(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return x.failed(err)
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	if err := do(tx); err != nil {
		return x.failed(err)
	}
	return x.failed(tx.Commit())
}

func (x *Index) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the index of sessions %q: %w", x.path, err)
}
