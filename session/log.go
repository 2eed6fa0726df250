package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"
)

// Log is a session on disk: its journal and the markdown made from it, side by
// side under one name. Append may be called from any goroutine.
type Log struct {
	mu      sync.Mutex
	dir     string
	id      string
	suffix  string
	journal *Journal
	events  []Event
	failed  error
	closed  bool

	dirty   chan struct{}
	closing chan struct{} // closed by Close
	done    chan struct{}
}

// unnamed is the suffix of a log before its first crash.
const unnamed = "running"

// CreateLog opens a new log in dir, named by the time.
func CreateLog(dir string, now func() time.Time) (*Log, error) {
	base := now().Format("20060102-150405")
	for n := 1; n < 100; n++ {
		id := base
		if n > 1 {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		if len(journalsOf(dir, id)) > 0 {
			continue
		}
		path := filepath.Join(dir, id+"-"+unnamed+".jsonl")
		journal, err := CreateJournal(path, now)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Another process may have created its log and renamed it since.
		if len(journalsOf(dir, id)) > 1 {
			if err := errors.Join(journal.Close(), os.Remove(path)); err != nil {
				return nil, err
			}
			continue
		}
		return newLog(dir, id, unnamed, journal, nil), nil
	}
	return nil, fmt.Errorf("create a log in %q: too many sessions at %s", dir, base)
}

// journalsOf are the journals of a session.
func journalsOf(dir, id string) []string {
	journals, _ := filepath.Glob(filepath.Join(dir, id+"-*.jsonl"))
	// "-2-running" is of the session "-2".
	return slices.DeleteFunc(journals, func(path string) bool {
		rest := strings.TrimPrefix(filepath.Base(path), id+"-")
		return rest[0] >= '0' && rest[0] <= '9'
	})
}

// newLog returns a log that keeps its markdown until Close.
func newLog(dir, id, suffix string, journal *Journal, events []Event) *Log {
	l := &Log{dir: dir, id: id, suffix: suffix, journal: journal, events: events, dirty: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{})}
	go l.keepMarkdown()
	return l
}

// ID names the session: "20261120-170203".
func (l *Log) ID() string { return l.id }

// Path is the markdown file.
func (l *Log) Path() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.path(".md")
}

// Size is that of the journal, in bytes.
func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.journal.size
}

func (l *Log) path(ext string) string { return filepath.Join(l.dir, l.id+"-"+l.suffix+ext) }

// Append records an event and has the markdown made again.
func (l *Log) Append(actor string, body Body) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return Event{}, fmt.Errorf("append to the log: %w", fs.ErrClosed)
	}
	e, err := l.journal.Append(actor, body)
	if err != nil {
		l.failed = err
		return Event{}, err
	}
	l.events = append(l.events, e)
	l.name(body)
	select {
	case l.dirty <- struct{}{}:
	default:
	}
	return e, nil
}

// name gives the log its final name: the class of the first crash, else the outcome.
func (l *Log) name(body Body) {
	if l.suffix != unnamed {
		return
	}
	switch b := body.(type) {
	case *Stopped:
		if b.Stop.Crashed() {
			l.rename(string(b.Stop.Panic.Class))
		}
	case *Ended:
		l.rename(b.Outcome)
	}
}

func (l *Log) rename(suffix string) {
	if suffix == "" {
		return
	}
	old := []string{l.path(".jsonl"), l.path(".md")}
	before := l.suffix
	l.suffix = suffix
	if err := os.Rename(old[0], l.path(".jsonl")); err != nil {
		l.suffix = before // the old name serves as well
		return
	}
	l.journal.renamed()
	// The markdown is made again under the new name.
	_ = os.Rename(old[1], l.path(".md")) // never without one
}

// WriteSide writes a bounded file next to the log and returns its name.
func (l *Log) WriteSide(ext string, data []byte) (string, error) {
	l.mu.Lock()
	path := l.path(ext)
	l.mu.Unlock()
	if err := renameio.WriteFile(path, data, 0o600, renameio.WithTempDir(l.dir)); err != nil {
		return "", fmt.Errorf("write %q: %w", path, err)
	}
	return filepath.Base(path), nil
}

// keepMarkdown writes the markdown whenever events have come, until Close. It takes a
// small part of a processor's time, however long the session gets: each time all of it
// is written.
func (l *Log) keepMarkdown() {
	const share = 20
	defer close(l.done)
	for range l.dirty {
		begun := time.Now()
		l.writeMarkdown()
		select {
		case <-time.After(share * time.Since(begun)):
		case <-l.closing:
		}
	}
}

func (l *Log) writeMarkdown() {
	l.mu.Lock()
	events, path := l.events[:len(l.events):len(l.events)], l.path(".md")
	l.mu.Unlock()
	text := Markdown(events)
	err := renameio.WriteFile(path, text, 0o600, renameio.WithTempDir(l.dir))
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failed = fmt.Errorf("write the log: %w", err)
	}
	if path != l.path(".md") { // renamed meanwhile: the next round writes the new one
		_ = os.Remove(path)
	}
}

// ErrIncomplete is wrapped by the error of Close where something of the session
// could not be written.
var ErrIncomplete = errors.New("the log is not complete")

// Close writes what is outstanding and closes the files. A log without an event is
// removed: there is nothing to tell. It fails with ErrIncomplete.
func (l *Log) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	close(l.dirty)
	close(l.closing)
	l.mu.Unlock()
	<-l.done
	if len(l.events) == 0 {
		return errors.Join(l.journal.Close(), os.Remove(l.path(".jsonl")))
	}
	l.writeMarkdown()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := errors.Join(l.failed, l.journal.Close()); err != nil {
		return fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	return nil
}
