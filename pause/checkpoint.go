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

// EnvDir is the environment variable in which pausetui passes a directory to the
// program. The directory holds the description of the blocks' code, the stored
// results, and notes on what happened to blocks. Child processes do not inherit
// the variable.
const EnvDir = "PAUSETUI_BLOCKS"

// The files in that directory.
const (
	codeFile  = "code.json"
	notesFile = "notes.jsonl"
)

// code is what pausetui has computed of the function of a block, by the place
// where it is declared.
type code struct {
	Hash string `json:"hash"`
	Why  string `json:"why"` // why it cannot be stored; then Hash is empty
}

// run is this run of the program under pausetui.
type run struct {
	dir   string
	notes *notes

	load sync.Once
	code map[string]code

	mu    sync.Mutex
	store Store
	begun map[string]int // how often each key was begun
	total int            // bytes stored
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
	return &run{dir: dir, notes: newNotes(dir), store: &Directory{Path: dir}, begun: map[string]int{}}
}

// Use stores results in s instead of the session's directory. Call it before the
// first Run. Without pausetui, nothing is stored. pausetui removes its directory when
// the program exits with code 0; it does not call s.Drop. Call s.Drop after the
// work has succeeded, and do not defer the call: deferred calls also run at a panic.
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
	key   string // of the block and its inputs
	code  string // the hash of its code
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
			r.notes.runs(at.path, err.Error())
			return nil
		}
		at.key += "(" + inputs + ")"
	}
	r.load.Do(r.prepare)
	switch c, ok := r.code[place]; {
	case !ok:
		r.notes.runs(at.path, "its code is not known: give Run a function literal, or a function by its name")
	case c.Hash == "":
		r.notes.runs(at.path, c.Why)
	default:
		sum := sha256.Sum256([]byte(at.key))
		return r.first(at.path, hex.EncodeToString(sum[:]), c.Hash)
	}
	return nil
}

// first returns the record of a key that is begun for the first time. Results of
// one that is begun again could be mixed up, so it is stored no more.
func (r *run) first(path, key, code string) *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun[key]++
	if r.begun[key] == 1 {
		return &record{run: r, store: r.store, path: path, key: key, code: code}
	}
	if r.begun[key] == 2 {
		why := "it runs more than once with the same inputs: name what differs with pause.Inputs, or give it an id of its own"
		if err := r.store.Put(key, sealed{kind: repeated}.bytes(key)); err != nil {
			why += "; " + err.Error()
		}
		r.notes.runs(path, why)
	}
	return nil
}

// repeated is the kind of what is stored for a key that was begun twice.
const repeated = "repeated"

// errChanged is why a block runs again whose result is of other code.
var errChanged = errors.New("its code changed, or something that its code depends on")

// restore returns the stored result of a block.
func restore[T any](r *record) (T, bool) {
	var result T
	data, err := r.store.Get(r.key)
	if errors.Is(err, fs.ErrNotExist) {
		return result, false
	}
	if err != nil {
		r.notes.runs(r.path, "its stored result cannot be read: "+err.Error())
		return result, false
	}
	one, err := unseal(r.key, data)
	switch {
	case err == nil && one.kind == repeated:
		return result, false
	case err == nil && one.code != r.code:
		err = errChanged
	case err == nil && one.kind != reflect.TypeFor[T]().String():
		err = errDamaged
	case err == nil:
		err = json.Unmarshal(one.text, &result)
	}
	if err != nil {
		r.notes.runs(r.path, err.Error())
		var zero T
		return zero, false
	}
	r.notes.restored(r.path)
	return result, true
}

// keep stores the result of a block that has finished.
func keep[T any](r *record, result T) {
	text, err := encode(result)
	if err != nil {
		r.notes.runs(r.path, err.Error())
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.begun[r.key] > 1: // begun again meanwhile
	case r.total+len(text) > maxTotal:
		r.notes.runs(r.path, fmt.Sprintf("the results of this run take more than %d MB", maxTotal>>20))
	default:
		if err := r.store.Put(r.key, sealed{r.code, reflect.TypeFor[T]().String(), text}.bytes(r.key)); err != nil {
			r.notes.runs(r.path, "its result cannot be stored: "+err.Error())
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

// prepare reads what pausetui says of the blocks' code, and looks at what is
// stored. pausetui reads the source while the program already runs.
func (r *run) prepare() {
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
		r.notes.runs("", "the code of the blocks is not known: "+err.Error())
	}
	if d, ok := r.store.(*Directory); ok {
		if lost := d.damage(); lost > 0 {
			r.notes.runs("", fmt.Sprintf("the file of stored results is damaged: %d bytes at its end are ignored", lost))
		}
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
