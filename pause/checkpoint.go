package pause

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"time"
)

// EnvDir names the environment variable that pausetui sets to a directory: the
// code of the blocks is described there, results are stored there, and what
// happens to blocks is noted there. It is not passed on to child processes.
const EnvDir = "PAUSETUI_BLOCKS"

// The files in that directory.
const (
	codeFile  = "code.json"
	notesFile = "notes.jsonl"
)

// maxNotes bounds the notes of a run.
const maxNotes = 500

// code is what pausetui has computed of the function of a block, by the place
// where it is declared.
type code struct {
	Hash string `json:"hash"`
	Why  string `json:"why"` // why it cannot be stored; then Hash is empty
}

// note is what happened to a block, for pausetui to report.
type note struct {
	Block string `json:"block"`
	What  string `json:"what"` // "returned" (its stored result), "runs" (again, though it had finished)
	Why   string `json:"why,omitempty"`
}

// run is this run of the program under pausetui.
type run struct {
	dir string

	load sync.Once
	code map[string]code

	mu    sync.Mutex
	store Store
	begun map[string]int // how often each key was begun
	total int            // bytes stored
	noted int
	notes *os.File // nil until something is noted, or where it cannot be
}

// under is the run under pausetui; nil otherwise.
var under *run

func init() {
	dir := os.Getenv(EnvDir)
	if dir == "" {
		return
	}
	_ = os.Unsetenv(EnvDir) // children of the program are programs of their own
	under = newRun(dir)
	tracking.Store(true)
}

func newRun(dir string) *run {
	return &run{dir: dir, store: &Directory{Path: dir}, begun: map[string]int{}}
}

// Use has results stored in s instead of a directory. Call it before the first
// Run. Without pausetui nothing is stored. pausetui drops its directory when the
// run ends well; call s.Drop at the end of main for another store.
func Use(s Store) {
	if under == nil {
		return
	}
	under.mu.Lock()
	defer under.mu.Unlock()
	under.store = s
}

// record is a block whose result can be stored.
type record struct {
	*run
	store Store
	path  string
	key   string
}

// begin prepares the record of a block; nil where nothing is stored for it. It
// adds the inputs to the block's place.
func begin(b *block, at *place, place string) *record {
	r := under
	if r == nil {
		return nil
	}
	if b.always {
		return nil
	}
	if len(b.inputs) > 0 {
		inputs, err := hashValues(b.inputs)
		if err != nil {
			r.note(at.path, "runs", err.Error())
			return nil
		}
		at.key += "(" + inputs + ")"
	}
	r.load.Do(r.readCode)
	switch c, ok := r.code[place]; {
	case !ok:
		r.note(at.path, "runs", "its code is not known: give Run a function literal, or a function by its name")
	case c.Hash == "":
		r.note(at.path, "runs", c.Why)
	default:
		sum := sha256.Sum256([]byte(at.key + "\x00" + c.Hash))
		return r.first(at.path, hex.EncodeToString(sum[:]))
	}
	return nil
}

// first returns the record of a key that is begun for the first time. Results of
// one that is begun again could be mixed up, so it is stored no more.
func (r *run) first(path, key string) *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun[key]++
	if r.begun[key] == 1 {
		return &record{run: r, store: r.store, path: path, key: key}
	}
	if r.begun[key] == 2 {
		why := "it runs more than once with the same inputs: name what differs with pause.Inputs"
		if err := r.store.Put(key, seal(key, repeated, nil)); err != nil {
			why += "; " + err.Error()
		}
		r.noteLocked(path, "runs", why)
	}
	return nil
}

// repeated is the kind of what is stored for a key that was begun twice.
const repeated = "repeated"

// restore returns the stored result of a block.
func restore[T any](r *record) (T, bool) {
	var result T
	data, err := r.store.Get(r.key)
	if errors.Is(err, fs.ErrNotExist) {
		return result, false
	}
	if err != nil {
		r.note(r.path, "runs", "its stored result cannot be read: "+err.Error())
		return result, false
	}
	if _, err := unseal(r.key, repeated, data); err == nil {
		return result, false
	}
	text, err := unseal(r.key, reflect.TypeFor[T]().String(), data)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		r.note(r.path, "runs", err.Error())
		var zero T
		return zero, false
	}
	r.note(r.path, "returned", "")
	return result, true
}

// keep stores the result of a block that has finished.
func keep[T any](r *record, result T) {
	text, err := encode(result)
	if err != nil {
		r.note(r.path, "runs", err.Error())
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.begun[r.key] > 1: // begun again meanwhile
	case r.total+len(text) > maxTotal:
		r.noteLocked(r.path, "runs", fmt.Sprintf("the results of this run take more than %d MB", maxTotal>>20))
	default:
		if err := r.store.Put(r.key, seal(r.key, reflect.TypeFor[T]().String(), text)); err != nil {
			r.noteLocked(r.path, "runs", "its result cannot be stored: "+err.Error())
			return
		}
		r.total += len(text)
	}
}

// encode encodes a result, if it comes back from that as it was.
func encode[T any](result T) ([]byte, error) {
	s := sizer{left: maxResult}
	if err := s.value(reflect.ValueOf(&result).Elem()); err != nil {
		return nil, fmt.Errorf("its result cannot be stored: %w", err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("its result cannot be stored: %w", err)
	}
	if len(text) > maxResult {
		return nil, fmt.Errorf("its result cannot be stored: it takes more than %d MB", maxResult>>20)
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil {
		return nil, fmt.Errorf("its result cannot be stored: %w", err)
	}
	if !reflect.DeepEqual(result, back) {
		return nil, fmt.Errorf("its result cannot be stored: a %T does not come back from JSON as it was", result)
	}
	return text, nil
}

// maxWait is how long the first block waits for pausetui to describe the code.
const maxWait = time.Minute

// readCode reads what pausetui says of the blocks' code. pausetui reads the
// source while the program already runs.
func (r *run) readCode() {
	var text []byte
	err := fs.ErrNotExist
	for began := time.Now(); errors.Is(err, fs.ErrNotExist) && time.Since(began) < maxWait; {
		if text, err = os.ReadFile(filepath.Join(r.dir, codeFile)); errors.Is(err, fs.ErrNotExist) {
			time.Sleep(5 * time.Millisecond)
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &r.code)
	}
	if err != nil {
		r.note("", "runs", "the code of the blocks is not known: "+err.Error())
	}
}

func (r *run) note(path, what, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noteLocked(path, what, why)
}

// noteLocked appends a note. Notes are for people: one that is lost costs nothing.
func (r *run) noteLocked(path, what, why string) {
	if r.noted++; r.noted > maxNotes {
		return
	}
	if r.notes == nil {
		f, err := os.OpenFile(filepath.Join(r.dir, notesFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			r.noted = maxNotes
			return
		}
		r.notes = f
	}
	line, err := json.Marshal(note{bounded(path), what, bounded(why)})
	if err == nil {
		_, _ = r.notes.Write(append(line, '\n'))
	}
}

// codePointer is the place where a function is declared: "/src/main.go:42".
func codePointer(f any) string {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return ""
	}
	file, line := fn.FileLine(fn.Entry())
	return fmt.Sprintf("%s:%d", file, line)
}
