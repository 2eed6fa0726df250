package pause

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
)

// note is what happened to a block, for pausetui to report.
type note struct {
	Block string `json:"block"` // empty where it is about all blocks
	What  string `json:"what"`  // "returned" (its stored result), "runs" (again, though it had finished)
	Why   string `json:"why,omitempty"`
	// More says that other blocks run again for the same reason.
	More bool `json:"more,omitempty"`
	// Count is how many blocks have returned their stored results so far.
	Count int `json:"count,omitempty"`
}

// Bounds of the notes of a run. Thousands of blocks leave room for every reason.
const (
	maxReasons  = 500 // that are noted
	maxPaths    = 20  // of blocks, for each reason
	maxReturned = 100 // of blocks that are noted; after those, one of so many is
)

// notes tells pausetui what happens to blocks. Notes are for people: one that is
// lost costs nothing.
type notes struct {
	dir string

	mu       sync.Mutex
	file     *os.File // nil until something is noted
	failed   bool     // the file cannot be written
	said     map[[2]string]bool
	paths    map[string]int // by reason
	returned int
}

func newNotes(dir string) *notes {
	return &notes{dir: dir, said: map[[2]string]bool{}, paths: map[string]int{}}
}

// runs notes that a block runs again, and why.
func (n *notes) runs(path, why string) {
	path, why = bounded(path), bounded(why)
	n.mu.Lock()
	defer n.mu.Unlock()
	known, before := n.paths[why]
	if n.said[[2]string{path, why}] || before && known == maxPaths || !before && len(n.paths) == maxReasons {
		return
	}
	n.said[[2]string{path, why}] = true
	n.paths[why]++
	n.write(note{Block: path, What: "runs", Why: why, More: n.paths[why] == maxPaths})
}

// restored notes that a block has returned its stored result.
func (n *notes) restored(path string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.returned++; n.returned <= maxReturned || n.returned%maxReturned == 0 {
		n.write(note{Block: bounded(path), What: "returned", Count: n.returned})
	}
}

func (n *notes) write(one note) {
	if n.failed {
		return
	}
	line, err := json.Marshal(one)
	if err == nil && n.file == nil {
		n.file, err = os.OpenFile(filepath.Join(n.dir, notesFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if err == nil {
		_, err = n.file.Write(append(line, '\n'))
	}
	n.failed = err != nil
}
