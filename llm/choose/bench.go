package choose

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// BenchPath is where the results of benchmarks are kept for this user.
func BenchPath() string { return filepath.Join(xdg.StateHome, "pausetui", "bench.json") }

// BenchResult is one line of a benchmark: a model with a prompt on the cases of
// a class. The file is a JSON list of these.
type BenchResult struct {
	Model    string `json:"model"` // PROVIDER/NAME
	Prompt   string `json:"prompt"`
	Class    string `json:"class"`
	Cases    int    `json:"cases"`
	Right    int    `json:"right"`    // the program did what it should, not only no longer panic
	Verified int    `json:"verified"` // the checks found nothing wrong
}

const maxBench = 16 << 20 // bytes of the file

// ReadBench reads the results of benchmarks; a file that does not exist holds
// none.
func ReadBench(path string) ([]BenchResult, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the results of benchmarks: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	var list []BenchResult
	if err := json.NewDecoder(io.LimitReader(file, maxBench)).Decode(&list); err != nil {
		return nil, fmt.Errorf("read the results of benchmarks %q: %w", path, err)
	}
	for i, b := range list {
		if b.Model == "" || b.Class == "" || b.Cases < 0 || b.Right < 0 || b.Verified < 0 || b.Right > b.Cases || b.Verified > b.Cases {
			return nil, fmt.Errorf("read the results of benchmarks %q: entry %d: want model, class, and 0 ≤ right, verified ≤ cases", path, i+1)
		}
	}
	return list, nil
}

// AddBench adds results of benchmarks. What was verified there and not right is
// known to be wrong.
func (r *Results) AddBench(list []BenchResult) {
	for _, b := range list {
		r.Add(Key{b.Model, b.Prompt, b.Class}, Tally{Asked: b.Cases, Candidates: max(b.Right, b.Verified), Verified: b.Verified, Right: b.Right})
	}
}
