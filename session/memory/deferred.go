package memory

import (
	"context"
	"sync"
)

// Deferred is the database at a path, opened when it is first needed: a session
// that never stops does not pay for it.
type Deferred struct {
	Path string

	once sync.Once
	db   *Database
	err  error
}

func (d *Deferred) open(ctx context.Context) (*Database, error) {
	d.once.Do(func() { d.db, d.err = Open(context.WithoutCancel(ctx), d.Path) })
	return d.db, d.err
}

// Close closes the database, if it was opened.
func (d *Deferred) Close() error {
	d.once.Do(func() { d.err = ErrNotKept }) // nobody opens it any more
	if d.db == nil {
		return nil
	}
	return d.db.Close()
}

// Get implements Store.
func (d *Deferred) Get(ctx context.Context, fingerprint string) ([]Fix, error) {
	db, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	return db.Get(ctx, fingerprint)
}

// Put implements Store.
func (d *Deferred) Put(ctx context.Context, f Fix) error {
	db, err := d.open(ctx)
	if err != nil {
		return err
	}
	return db.Put(ctx, f)
}

// List implements Store.
func (d *Deferred) List(ctx context.Context) ([]Fix, error) {
	db, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	return db.List(ctx)
}

// Delete implements Store.
func (d *Deferred) Delete(ctx context.Context, id string) error {
	db, err := d.open(ctx)
	if err != nil {
		return err
	}
	return db.Delete(ctx, id)
}
