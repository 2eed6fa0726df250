package choose

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"
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

// SaveBench adds results of benchmarks to a file. A result takes the place of an
// earlier one of the same model, prompt and class.
func SaveBench(path string, list []BenchResult) error {
	have, err := ReadBench(path)
	if err != nil {
		return err
	}
	key := func(b BenchResult) Key { return Key{b.Model, b.Prompt, b.Class} }
	have = slices.DeleteFunc(have, func(b BenchResult) bool {
		return slices.ContainsFunc(list, func(n BenchResult) bool { return key(n) == key(b) })
	})
	data, err := json.MarshalIndent(append(have, list...), "", " ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep the results of benchmarks: %w", err)
	}
	return nil
}

// AddBench adds results of benchmarks. What was verified there and not right is
// known to be wrong.
func (r *Results) AddBench(list []BenchResult) {
	for _, b := range list {
		r.Add(Key{b.Model, b.Prompt, b.Class}, Tally{Asked: b.Cases, Candidates: max(b.Right, b.Verified), Verified: b.Verified, Right: b.Right})
	}
}
