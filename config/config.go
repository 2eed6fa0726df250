// Package config reads pausetui's settings: the user's
// ($XDG_CONFIG_HOME/pausetui/config.toml) and the module's
// (.pausetui/config.toml), which wins.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"

	"github.com/pausetui/pausetui/debugger"
)

// Config is what a file may say.
type Config struct {
	// Profiles are models with prompts under names; the one named "default"
	// is asked when no other is chosen.
	Profiles map[string]Profile `toml:"profiles"`
	// Keys maps the name of an action to the key that does it.
	Keys map[string]string `toml:"keys"`
}

// Profile is a model, a prompt and options.
type Profile struct {
	Model       string  `toml:"model"` // PROVIDER/NAME
	Prompt      string  `toml:"prompt"`
	Temperature float64 `toml:"temperature"`
	Candidates  int     `toml:"candidates"`
	// Source is the file that says so.
	Source string `toml:"-"`
}

// Files lists the files that are read for a module, the weaker first.
func Files(root string) []string {
	return []string{filepath.Join(xdg.ConfigHome, "pausetui", "config.toml"), filepath.Join(root, ".pausetui", "config.toml")}
}

// Root is the directory above dir (or dir itself) that holds go.mod or
// .pausetui; dir when there is none.
func Root(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		for _, mark := range []string{"go.mod", ".pausetui"} {
			if _, err := os.Stat(filepath.Join(d, mark)); err == nil {
				return d
			}
		}
		if filepath.Dir(d) == d {
			return dir
		}
	}
}

// Load reads the files that exist. Its errors name file, line and, for an
// unknown key, the nearest known one.
func Load(root string) (Config, error) {
	all := Config{Profiles: map[string]Profile{}, Keys: map[string]string{}}
	for _, path := range Files(root) {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, fmt.Errorf("read the configuration: %w", err)
		}
		one, err := parse(path, data)
		if err != nil {
			return all, err
		}
		for name, p := range one.Profiles {
			p.Source = path
			all.Profiles[name] = p
		}
		for action, key := range one.Keys {
			all.Keys[action] = key
		}
	}
	return all, nil
}

// known are all keys, for naming the nearest.
var known = []string{"profiles", "keys", "model", "prompt", "temperature", "candidates"}

func parse(path string, data []byte) (Config, error) {
	var c Config
	d := toml.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	err := d.Decode(&c)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case err == nil:
		return c, nil
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		e := unknown.Errors[0]
		line, _ := e.Position()
		key := e.Key()
		last := key[len(key)-1]
		return c, debugger.WithHint(fmt.Errorf("%s:%d: unknown key %q", path, line, strings.Join(key, ".")),
			fmt.Sprintf("did you mean %q?", nearest(last, known)))
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return c, fmt.Errorf("%s:%d: %s", path, line, wrong.Error())
	}
	return c, fmt.Errorf("%s: %w", path, err)
}

// nearest is the name with the smallest edit distance.
func nearest(name string, names []string) string {
	best, least := "", 1<<30
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
