package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
)

// record is one line of the journal file (docs/reference/journal.md).
type record struct {
	V     int             `json:"v"`
	Seq   uint64          `json:"seq"`
	At    time.Time       `json:"at"`
	Actor string          `json:"actor"`
	Kind  string          `json:"kind"`
	Body  json.RawMessage `json:"body"`
	// A field "mac", which seal adds, is over this line and all before it.
}

// version of the journal's lines.
const version = 1

// maxRecord bounds a line of a journal that is read, in bytes.
const maxRecord = 64 << 20

// Bounds of journals that are read, in bytes.
const (
	MaxJournal = 256 << 20 // one that a person asks for
	MaxListed  = 64 << 20  // one among others, for a list or figures
)

// ErrTooLarge is returned for a journal of more than MaxJournal, before any of it is read.
var ErrTooLarge = errors.New("the journal is too large")

// Journal is the file of a session's events. Append may be called from one
// goroutine at a time. While it is open, others can tell that the session
// lives: the file is locked.
type Journal struct {
	file  *os.File
	seal  *seal
	size  int64 // of what was written whole
	seq   uint64
	now   func() time.Time
	named bool // its name in the directory is on the disk
}

// CreateJournal makes a new journal file, readable by its owner only. It fails
// with fs.ErrExist when the path is taken.
func CreateJournal(path string, now func() time.Time) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the journal: %w", err)
	}
	_ = flock(file, syscall.LOCK_EX) // not every file system can
	return &Journal{file: file, seal: newSeal(), now: now}, nil
}

// OpenJournal opens the journal of a session that has ended, or was killed, to
// add to it. It returns the events so far; a torn last line is cut off, and cut
// says how many bytes that were. It fails with ErrAlive when the session still
// runs, with ErrTorn when a line before the last is damaged, and with ErrForeign,
// before it changes anything, when the last whole line is not sealed, unless
// trusted: then a person has said that this journal is to be acted on.
func OpenJournal(path string, trusted bool, now func() time.Time) (j *Journal, events []Event, cut int64, err error) {
	file, err := openWhole(path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	if flock(file, syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil, nil, 0, ErrAlive
	}
	got, err := readSealed(file)
	if err != nil {
		return nil, got.events, 0, err
	}
	switch {
	case trusted, got.sealed:
	case len(got.events) == 0:
		return nil, nil, 0, fmt.Errorf("%q: %w", path, ErrEmpty)
	default:
		return nil, got.events, 0, ErrForeign
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil && got.good < size {
		err = file.Truncate(got.good)
	}
	if err == nil && got.good > size { // all but the newline was written
		_, err = file.Write([]byte{'\n'})
	}
	if err != nil {
		return nil, got.events, 0, fmt.Errorf("open the journal: %w", err)
	}
	j = &Journal{file: file, seal: got.seal, size: got.good, now: now}
	if len(got.events) > 0 {
		j.seq = got.events[len(got.events)-1].Seq
	}
	return j, got.events, max(size-got.good, 0), nil
}

// openJournal opens the file of a journal itself, never what a link leads to:
// its last line may be cut off.
func openJournal(path string, flag int) (*os.File, error) {
	return regular.OpenFile(path, flag|syscall.O_NOFOLLOW)
}

// openWhole opens a journal that is to be read to its end. Every reader of whole journals
// opens them by it.
func openWhole(path string, flag int) (*os.File, error) {
	file, err := openJournal(path, flag)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() > MaxJournal {
		err = fmt.Errorf("%w: it has %d MB, and at most %d are read", ErrTooLarge, info.Size()>>20, MaxJournal>>20)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Sealed reports whether the journal at path is this user's, unchanged. It fails
// with ErrForeign when it is not, with ErrEmpty, and as ReadFile does.
func Sealed(path string) error {
	file, err := openWhole(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	got, err := readSealed(file)
	switch {
	case err != nil:
		return err
	case len(got.events) == 0:
		return ErrEmpty
	case !got.sealed:
		return ErrForeign
	}
	return nil
}

// ErrAlive is returned for the journal of a session that still runs.
var ErrAlive = errors.New("the session still runs")

// Alive reports whether the session that writes the journal at path still runs.
func Alive(path string) bool {
	file, err := openJournal(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer file.Close()
	return Written(file)
}

// Written reports whether the session that writes an open journal still runs, also
// where the file has got another name.
func Written(file *os.File) bool {
	err := flock(file, syscall.LOCK_SH|syscall.LOCK_NB)
	if err == nil {
		_ = flock(file, syscall.LOCK_UN) // the session may be resumed
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Append writes an event to the file before it returns it. Events around
// writes to the source are also synced to the disk.
func (j *Journal) Append(actor string, body Body) (Event, error) {
	e := Event{Seq: j.seq + 1, At: j.now().Round(0), Actor: actor, Body: body}
	line, err := encode(e)
	if err != nil {
		return Event{}, err
	}
	line = append(j.seal.close(line), '\n')
	if _, err := j.file.Write(line); err != nil {
		_ = j.file.Truncate(j.size) // half a line would hide all that follow
		return Event{}, fmt.Errorf("write the journal: %w", err)
	}
	j.seal.wrote(line)
	j.seq, j.size = e.Seq, j.size+int64(len(line))
	if durable(body) {
		if err := j.sync(); err != nil {
			return Event{}, fmt.Errorf("sync the journal: %w", err)
		}
	}
	return e, nil
}

// sync puts what was appended on the disk, under the name it has now.
func (j *Journal) sync() error {
	if err := j.file.Sync(); err != nil || j.named {
		return err
	}
	j.named = true
	return patch.SyncDir(filepath.Dir(j.file.Name()))
}

// renamed is called when the file got another name in its directory.
func (j *Journal) renamed() { j.named = false }

// durable tells which events must survive a loss of power.
func durable(body Body) bool {
	switch body.(type) {
	case *Decided, *Applying, *Applied, *ApplyFailed, *Undone, *Judged, *Committed:
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
	return line, nil
}

// ErrTorn is returned with the events before it when a journal's line cannot
// be read though others follow it.
var ErrTorn = errors.New("damaged line in the journal")

// Read returns the events of a journal. A torn last line is left out in
// silence: it is what a kill leaves.
func Read(r io.Reader) ([]Event, error) {
	got, err := readLines(r, nil)
	return got.events, err
}

// reading is what was read of a journal.
type reading struct {
	events []Event
	good   int64 // bytes of the lines that hold them, each with its newline
	seal   *seal // after those lines; nil when it was not wanted
	sealed bool  // the last of them carries the right code
}

func readSealed(r io.Reader) (reading, error) { return readLines(r, newSeal()) }

func readLines(r io.Reader, s *seal) (reading, error) {
	got := reading{seal: s}
	err := scan(r, func(e Event, text []byte) error {
		got.take(e, text)
		return nil
	})
	return got, err
}

// scan calls take for each event of a journal, with its line.
func scan(r io.Reader, take func(e Event, text []byte) error) error {
	size, all := 0, 0
	lines := bufio.NewReaderSize(r, 64<<10)
	var torn error // of the line before, forgiven if it was the last
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the journal, line %d: %w", number, err)
		}
		if torn != nil {
			return torn
		}
		if size += len(line); size > MaxJournal { // it grows
			return fmt.Errorf("read the journal: %w", ErrTooLarge)
		}
		if all += parts(line); tooManyParts(all, size) {
			return fmt.Errorf("read the journal, line %d: %w", number, errParts)
		}
		text := bytes.TrimSuffix(line, []byte{'\n'})
		e, err := decodeRecord(text)
		if err != nil {
			torn = fmt.Errorf("line %d: %w: %w", number, ErrTorn, err)
			continue
		}
		if err := take(e, text); err != nil {
			return err
		}
	}
}

// take adds a whole line.
func (r *reading) take(e Event, text []byte) {
	r.events = append(r.events, e)
	r.good += int64(len(text)) + 1
	if r.seal != nil {
		r.sealed = r.seal.holds(text)
		r.seal.wrote(text)
		r.seal.wrote([]byte{'\n'})
	}
}

// ReadFile reads the journal at path. It fails with ErrTooLarge, and as Read does.
func ReadFile(path string) ([]Event, error) {
	var events []Event
	err := EachEvent(path, func(e Event) error {
		events = append(events, e)
		return nil
	})
	return events, err
}

// EachEvent calls take for each event of the journal at path, and keeps none. It fails as
// ReadFile does, and as take does.
func EachEvent(path string, take func(Event) error) error {
	file, err := openWhole(path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	return scan(file, func(e Event, _ []byte) error { return take(e) })
}

// ReadStarted reads the first event of the journal at path, and no more. It
// fails with ErrEmpty where there is none.
func ReadStarted(path string) (Started, error) {
	file, err := openJournal(path, os.O_RDONLY)
	if err != nil {
		return Started{}, fmt.Errorf("read the journal: %w", err)
	}
	defer file.Close()
	line, err := readLine(bufio.NewReader(file))
	if err != nil && !errors.Is(err, io.EOF) {
		return Started{}, fmt.Errorf("read the journal, line 1: %w", err)
	}
	if len(line) == 0 {
		return Started{}, ErrEmpty
	}
	e, err := decode(bytes.TrimSuffix(line, []byte{'\n'}))
	if err != nil {
		return Started{}, fmt.Errorf("line 1: %w: %w", ErrTorn, err)
	}
	started, ok := e.Body.(*Started)
	if !ok {
		return Started{}, fmt.Errorf("line 1: %w: it does not begin a session", ErrTorn)
	}
	return *started, nil
}

// readLine returns a line with its newline; the last one may have none.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxRecord {
			return nil, fmt.Errorf("longer than %d bytes", maxRecord)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// decode reads an event of a line by itself.
func decode(line []byte) (Event, error) {
	if tooManyParts(parts(line), len(line)) {
		return Event{}, errParts
	}
	return decodeRecord(line)
}

func decodeRecord(line []byte) (Event, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Event{}, err
	}
	if r.V != version || r.Kind == "" {
		return Event{}, fmt.Errorf("version %d, kind %q", r.V, r.Kind)
	}
	return Event{Seq: r.Seq, At: r.At, Actor: r.Actor, Body: decodeBody(r.Kind, r.Body)}, nil
}
