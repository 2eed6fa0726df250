package catalog

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

// Path is where the catalog of this user is kept.
func Path() string { return filepath.Join(xdg.StateHome, "pausetui", "catalog.json") }

const (
	maxFile   = 16 << 20 // bytes of the file that are read
	maxProbes = 1000     // kept, the newest
)

// Load reads a kept catalog. One that does not exist is empty; one that cannot
// be read is an error, and empty too: nothing in it cannot be found out again.
func Load(path string) (Catalog, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Catalog{}, nil
	}
	if err != nil {
		return Catalog{}, fmt.Errorf("read the catalog of models: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return Catalog{}, fmt.Errorf("read the catalog of models: %w", err)
	}
	var c Catalog
	if err := json.Unmarshal(data, &c); err != nil {
		return Catalog{}, fmt.Errorf("read the catalog of models %q: %w", path, err)
	}
	return c, nil
}

// Save keeps a catalog. What another process found out by probes meanwhile is
// kept too; the returned catalog has it.
func Save(path string, c Catalog) (Catalog, error) {
	if kept, err := Load(path); err == nil {
		c = c.merged(kept.Probes)
	}
	data, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return c, fmt.Errorf("keep the catalog of models: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return c, fmt.Errorf("keep the catalog of models: %w", err)
	}
	if err := renameio.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return c, fmt.Errorf("keep the catalog of models: %w", err)
	}
	return c, nil
}

// merged adds probes that are newer, and forgets the oldest of too many.
func (c Catalog) merged(others map[string]Probe) Catalog {
	all := make(map[string]Probe, len(c.Probes)+len(others))
	for k, p := range c.Probes {
		all[k] = p
	}
	for k, p := range others {
		if have, ok := all[k]; !ok || p.At.After(have.At) {
			all[k] = p
		}
	}
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return all[b].At.Compare(all[a].At) })
	for _, k := range keys[min(len(keys), maxProbes):] {
		delete(all, k)
	}
	c.Probes = all
	return c
}
