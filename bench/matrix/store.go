package matrix

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/advice"
)

// The files of a run's directory.
const (
	planFile    = "plan.json"
	resultFile  = "results.jsonl"
	detailFile  = "details.jsonl"
	troubleFile = "errors.jsonl"
	askedFile   = "asked.jsonl"
	answersDir  = "answers"
	lockFile    = "lock"
)

// ErrOtherPlan is returned for a directory that holds a run of another plan.
var ErrOtherPlan = errors.New("the directory holds a run of another plan")

// Store is the directory of a run, open for writing. It is safe for concurrent
// use; another process cannot write it at the same time.
type Store struct {
	dir  string
	plan Plan
	lock *flock.Flock

	mu       sync.Mutex
	results  *os.File
	details  *os.File
	troubles *os.File
	asked    *os.File
	done     map[Cell]bool
	answers  map[Cell][]string
}

// Create opens the directory of a run, which may have begun before. It fails
// with ErrOtherPlan where the directory is another run's.
func Create(dir string, p Plan) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(dir, answersDir), 0o700); err != nil {
		return nil, fmt.Errorf("create the run: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil, advice.Add(errors.Join(fmt.Errorf("the run %q is under way in another process", dir), err), "wait until it has ended, or give another --dir")
	}
	s := &Store{dir: dir, plan: p, lock: lock, done: map[Cell]bool{}, answers: map[Cell][]string{}}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) open() error {
	switch have, err := ReadPlan(s.dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.writePlan(); err != nil {
			return err
		}
	case err != nil:
		return err
	case have.ID() != s.plan.ID():
		return advice.Add(fmt.Errorf("%w: %s", ErrOtherPlan, s.dir), "models, prompts, cases, trials or rounds differ: give another --dir, or the same flags")
	}
	err := Scan(s.dir, s.plan, func(r Result) { s.done[r.Cell] = true })
	if err != nil {
		return err
	}
	if s.answers, err = readAsked(s.dir); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		file **os.File
	}{{resultFile, &s.results}, {detailFile, &s.details}, {troubleFile, &s.troubles}, {askedFile, &s.asked}} {
		if *f.file, err = appendable(filepath.Join(s.dir, f.name)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) writePlan() error {
	data, err := json.MarshalIndent(s.plan, "", " ")
	if err == nil {
		err = renameio.WriteFile(filepath.Join(s.dir, planFile), append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}

// appendable opens a file of lines at its end. A line that was not written to
// its end is cut off.
func appendable(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	size, err := file.Seek(0, 2)
	if err == nil {
		var whole int64
		if whole, err = wholeLines(file, size); err == nil && whole < size {
			err = file.Truncate(whole)
		}
		if err == nil {
			_, err = file.Seek(whole, 0)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// wholeLines is the size of a file without a last line that does not end.
func wholeLines(file *os.File, size int64) (int64, error) {
	const piece = 64 << 10
	buffer := make([]byte, piece)
	for end := size; end > 0; {
		from := max(end-piece, 0)
		part := buffer[:end-from]
		if _, err := file.ReadAt(part, from); err != nil {
			return 0, err
		}
		if at := bytes.LastIndexByte(part, '\n'); at >= 0 {
			return from + int64(at) + 1, nil
		}
		end = from
	}
	return 0, nil
}

// Close closes the files of the run.
func (s *Store) Close() error {
	var errs []error
	for _, f := range []*os.File{s.results, s.details, s.troubles, s.asked} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(append(errs, s.lock.Unlock())...)
}

// Dir is the directory of the run.
func (s *Store) Dir() string { return s.dir }

// Plan is the plan of the run.
func (s *Store) Plan() Plan { return s.plan }

// Done reports whether a cell has a result.
func (s *Store) Done(c Cell) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done[c]
}

// Forget drops all results, which are to be made again from the stored answers.
func (s *Store) Forget() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = map[Cell]bool{}
	for _, f := range []*os.File{s.results, s.details, s.troubles} {
		if err := f.Truncate(0); err != nil {
			return err
		}
		if _, err := f.Seek(0, 0); err != nil {
			return err
		}
	}
	return nil
}

// Add writes a result, after its details: a cell that has a result has both.
// Details of a closed case are dropped.
func (s *Store) Add(r Result, d Detail) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done[r.Cell] {
		return fmt.Errorf("cell %v has a result already", r.Cell)
	}
	if !s.plan.Cases[r.Case].Closed {
		d.Cell, d.Name = r.Cell, s.plan.Cases[r.Case].Name
		if err := writeLine(s.details, d); err != nil {
			return err
		}
	}
	if err := writeLine(s.results, r); err != nil {
		return err
	}
	s.done[r.Cell] = true
	return nil
}

// Answers lists the keys of the stored answers of a cell, in order.
func (s *Store) Answers(c Cell) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.answers[c])
}

// Asked writes that an answer was stored for a cell.
func (s *Store) Asked(c Cell, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[c] = append(s.answers[c], key)
	return writeLine(s.asked, asked{c, key})
}

// asked is a line of the file that lists answers by cell.
type asked struct {
	Cell
	Key string `json:"key"`
}

// Trouble writes why a cell has no result yet.
func (s *Store) Trouble(t Trouble) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan.Cases[t.Case].Closed {
		t.Err = "a closed case could not be measured"
	}
	return writeLine(s.troubles, t)
}

func writeLine(file *os.File, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	at, err := file.Seek(0, 1)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		_ = file.Truncate(at) // the part that was written is cut off, now or when the run is opened again
		_, _ = file.Seek(at, 0)
		return fmt.Errorf("store the result: %w", err)
	}
	return nil
}
