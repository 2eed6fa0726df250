package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// record is one line of the journal file (DESIGN §6).
type record struct {
	V     int             `json:"v"`
	Seq   uint64          `json:"seq"`
	At    time.Time       `json:"at"`
	Actor string          `json:"actor"`
	Kind  string          `json:"kind"`
	Body  json.RawMessage `json:"body"`
}

// version of the journal's lines.
const version = 1

// maxRecord bounds a line of a journal that is read, in bytes.
const maxRecord = 64 << 20

// Journal is the file of a session's events. Append may be called from one
// goroutine at a time.
type Journal struct {
	file *os.File
	size int64 // of what was written whole
	seq  uint64
	now  func() time.Time
}

// CreateJournal makes a new journal file, readable by its owner only. It fails
// with fs.ErrExist when the path is taken.
func CreateJournal(path string, now func() time.Time) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the journal: %w", err)
	}
	_ = lock(file) // tells others that the session is alive; not every file system can
	return &Journal{file: file, now: now}, nil
}

// ReopenJournal opens the journal of a session that was killed, whose last
// event has the number seq, to add to it; a torn last line is cut off. It fails
// with ErrAlive when the session still runs.
func ReopenJournal(path string, seq uint64, now func() time.Time) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	if lock(file) != nil {
		return nil, errors.Join(ErrAlive, file.Close())
	}
	data, err := io.ReadAll(file)
	size := int64(bytes.LastIndexByte(data, '\n') + 1)
	if err = errors.Join(err, file.Truncate(size)); err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal: %w", err), file.Close())
	}
	return &Journal{file: file, size: size, seq: seq, now: now}, nil
}

// ErrAlive is returned for the journal of a session that still runs.
var ErrAlive = errors.New("the session still runs")

func lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// Append writes an event to the file before it returns it. Events around
// writes to the source are also synced to the disk.
func (j *Journal) Append(actor string, body Body) (Event, error) {
	e := Event{Seq: j.seq + 1, At: j.now().Round(0), Actor: actor, Body: body}
	line, err := encode(e)
	if err != nil {
		return Event{}, err
	}
	if _, err := j.file.Write(line); err != nil {
		_ = j.file.Truncate(j.size) // half a line would hide all that follow
		return Event{}, fmt.Errorf("write the journal: %w", err)
	}
	j.seq, j.size = e.Seq, j.size+int64(len(line))
	if durable(body) {
		if err := j.file.Sync(); err != nil {
			return Event{}, fmt.Errorf("sync the journal: %w", err)
		}
	}
	return e, nil
}

// durable tells which events must survive a loss of power.
func durable(body Body) bool {
	switch body.(type) {
	case *Decided, *Applying, *Applied, *ApplyFailed, *Undone, *Judged:
		return true
	}
	return false
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

func encode(e Event) ([]byte, error) {
	body, err := json.Marshal(e.Body)
	if err != nil {
		return nil, fmt.Errorf("encode event %q: %w", e.Body.Kind(), err)
	}
	line, err := json.Marshal(record{V: version, Seq: e.Seq, At: e.At, Actor: e.Actor, Kind: e.Body.Kind(), Body: body})
	if err != nil {
		return nil, fmt.Errorf("encode event %q: %w", e.Body.Kind(), err)
	}
	return append(line, '\n'), nil
}

// ErrTorn is returned with the events before it when a journal's line cannot
// be read though others follow it.
var ErrTorn = errors.New("damaged line in the journal")

// Read returns the events of a journal. A torn last line is left out in
// silence: it is what a kill leaves behind.
func Read(r io.Reader) ([]Event, error) {
	var events []Event
	lines := bufio.NewReaderSize(r, 1<<20)
	var torn error // of the line before, forgiven if it was the last
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return events, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return events, fmt.Errorf("read the journal, line %d: %w", number, err)
		}
		if torn != nil {
			return events, torn
		}
		if e, err := decode(line); err == nil {
			events = append(events, e)
		} else {
			torn = fmt.Errorf("line %d: %w: %w", number, ErrTorn, err)
		}
	}
}

// ReadFile reads the journal at path.
func ReadFile(path string) ([]Event, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	defer file.Close()
	return Read(file)
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, more, err := r.ReadLine()
		line = append(line, part...)
		if len(line) > maxRecord {
			return nil, fmt.Errorf("longer than %d bytes", maxRecord)
		}
		if err != nil || !more {
			return line, err
		}
	}
}

func decode(line []byte) (Event, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Event{}, err
	}
	if r.V != version || r.Kind == "" {
		return Event{}, fmt.Errorf("version %d, kind %q", r.V, r.Kind)
	}
	return Event{Seq: r.Seq, At: r.At, Actor: r.Actor, Body: decodeBody(r.Kind, r.Body)}, nil
}
