package index

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	looking  = 2 * time.Second        // between looks at a directory that the system does not watch
	watching = 30 * time.Second       // at one that it does: file systems over a network report only their own changes
	settling = 100 * time.Millisecond // after a change, for the others that come with it
)

// Watch calls look at once, and again whenever the directory of logs may have
// changed, until ctx ends: the system reports it where it can, and where it cannot
// the directory is looked at every two seconds.
func (x *Index) Watch(ctx context.Context, look func()) {
	w, err := fsnotify.NewWatcher()
	if err != nil { // for instance there are too many already
		w = &fsnotify.Watcher{}
	} else {
		defer w.Close()
	}
	watched := false
	for {
		if err == nil && !watched {
			watched = w.Add(x.logs) == nil // before the look, so that no change falls between
		}
		look()
		wait := looking
		if watched {
			wait = watching
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		case e := <-w.Events:
			if e.Name == x.logs && e.Has(fsnotify.Remove|fsnotify.Rename) {
				watched = false // the directory may be made again
			}
		case err := <-w.Errors:
			_ = err // more than it could report
		}
		settle(ctx, w)
	}
}

// settle waits for the changes that come with one: a checkout brings many.
func settle(ctx context.Context, w *fsnotify.Watcher) {
	end := time.After(settling)
	for {
		select {
		case <-ctx.Done():
			return
		case <-end:
			return
		case <-w.Events:
		}
	}
}
