package prompts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/llm"
)

// Estimator says how many bytes a model's tokeniser makes one token of: at
// first by the model's family, then by what its server has counted. It may be
// used from several goroutines; a nil one knows families only.
type Estimator struct {
	mu     sync.Mutex
	file   string // empty keeps nothing
	models map[string]counted
}

// counted is what was observed of a model.
type counted struct {
	// Ratios are the last observations in bytes per token, the newest last.
	Ratios []float64 `json:"ratios"`
}

const (
	maxRatios = 8
	maxModels = 500
	// leastObserved is the smallest prompt that says anything, in bytes: in
	// shorter ones the model's own template weighs too much.
	leastObserved = 1000
	// caution is taken off what was observed: the next prompt may hold more of
	// what takes many tokens.
	caution = 0.95
)

// lowestRatio and highestRatio are what is believed of a server, in bytes per
// token. One that counts only what it had not seen before reports far too few
// tokens.
const (
	lowestRatio  = 1.2
	highestRatio = 5.0
)

// TokensFile is where observations are kept.
func TokensFile() string { return filepath.Join(xdg.StateHome, "pausetui", "tokens.json") }

// NewEstimator reads what was observed before; a file that is missing or cannot
// be read is replaced. The empty name keeps nothing.
func NewEstimator(file string) *Estimator {
	return &Estimator{file: file, models: readCounted(file)}
}

// maxCounted bounds the file of counts, in bytes.
const maxCounted = 1 << 20

func readCounted(file string) map[string]counted {
	models := map[string]counted{}
	if file == "" {
		return models
	}
	text, err := regular.ReadUpTo(file, maxCounted)
	if err != nil || json.Unmarshal(text, &models) != nil || models == nil {
		return map[string]counted{}
	}
	for name, c := range models {
		for _, r := range c.Ratios {
			if !believable(r) || len(c.Ratios) > maxRatios {
				delete(models, name)
			}
		}
	}
	return models
}

func believable(ratio float64) bool { return ratio >= lowestRatio && ratio <= highestRatio }

// BytesPerToken is the estimate for a model, on the low side.
func (e *Estimator) BytesPerToken(m llm.Info) float64 {
	if e == nil {
		return BytesPerToken(m)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	seen := e.models[m.ID()].Ratios
	if len(seen) == 0 {
		return BytesPerToken(m)
	}
	least := seen[0]
	for _, r := range seen {
		least = min(least, r)
	}
	return least * caution
}

// Observe takes the server's own count of a prompt of so many bytes, and keeps
// it. What cannot be true is passed over.
func (e *Estimator) Observe(m llm.Info, bytes, tokens int) error {
	if e == nil || tokens <= 0 || bytes < leastObserved || !believable(float64(bytes)/float64(tokens)) {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, c := range readCounted(e.file) { // another session may have observed, too
		if name != m.ID() || len(e.models[name].Ratios) == 0 {
			e.models[name] = c
		}
	}
	c := e.models[m.ID()]
	c.Ratios = append(c.Ratios[max(0, len(c.Ratios)-maxRatios+1):len(c.Ratios):len(c.Ratios)], float64(bytes)/float64(tokens))
	if len(e.models) >= maxModels {
		e.models = map[string]counted{}
	}
	e.models[m.ID()] = c
	return e.write()
}

func (e *Estimator) write() error {
	if e.file == "" {
		return nil
	}
	data, err := json.Marshal(e.models)
	if err != nil {
		return fmt.Errorf("keep token counts: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(e.file), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("keep token counts: %w", err)
	}
	if err := renameio.WriteFile(e.file, data, 0o600); err != nil {
		return fmt.Errorf("keep token counts in %q: %w", e.file, err)
	}
	return nil
}
