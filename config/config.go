// Package config reads pausetui's settings from two files: the user's
// ($XDG_CONFIG_HOME/pausetui/config.toml) and the module's
// (.pausetui/config.toml). It remembers where each value came from, and what was
// ignored.
//
// The rules are:
//
//   - The module's file may come with another person's repository, so it can only
//     restrict: hide more, lower limits, filter panics, format values.
//   - A file is bounded before it is parsed.
//   - A mistake names file, line, key and the nearest valid value.
//
// The package must not know models, prompts, keys or themes: the caller passes
// the valid names to Check.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/glob"
	"github.com/pausetui/pausetui/internal/regular"
)

// Config is the contents of a configuration file.
type Config struct {
	// Profiles name a model with a prompt. The profile "default" is used when no
	// other is chosen.
	Profiles map[string]Profile `toml:"profiles"`
	// Providers are sources of models, by the name before the slash in
	// model = "NAME/MODEL".
	Providers map[string]Provider `toml:"providers"`
	Models    Models              `toml:"models"`
	Redact    Redact              `toml:"redact"`
	Limits    Limits              `toml:"limits"`
	Panics    Panics              `toml:"panics"`
	// Keys maps the name of an action to its key, or to several keys separated
	// by spaces.
	Keys   map[string]string `toml:"keys"`
	Theme  Theme             `toml:"theme"`
	Notify Notify            `toml:"notify"`
	Hooks  Hooks             `toml:"hooks"`
	// Formats say how values of types are written: patterns of types, and for
	// each a template or a word, see format.Parse.
	Formats map[string]string `toml:"formats"`
	Console Console           `toml:"console"`
	Editors Editors           `toml:"editors"`

	// ModuleHooks are those of the module's file.
	ModuleHooks Hooks `toml:"-"`

	// moduleFormats are the patterns of Formats that are of the module's file.
	moduleFormats map[string]bool
	root          string // where that is

	// Ignored are the settings of the module's file that count from the user's
	// alone, in the order of the file.
	Ignored []Ignored `toml:"-"`

	places map[string]string // where each key was set, "file:line" or "flag --x"
}

// Profile is a model, a prompt and options.
type Profile struct {
	Model       string  `toml:"model"`  // PROVIDER/NAME; "auto" or empty leaves the choice to pausetui
	Prompt      string  `toml:"prompt"` // the name of a prompt profile; "auto" or empty leaves the choice to pausetui
	Temperature float64 `toml:"temperature"`
	Candidates  int     `toml:"candidates"` // answers to ask for; 1 when 0
	MaxTokens   int     `toml:"max_tokens"` // of an answer; the provider's default when 0
	Price
	// Source is the file that says so.
	Source string `toml:"-"`
}

// Price is what a model costs per million tokens, in a currency of your choice.
type Price struct {
	In  float64 `toml:"price_in"`
	Out float64 `toml:"price_out"`
}

// The kinds of providers.
const (
	KindOllama = "ollama" // a server that speaks Ollama's own API
	KindOpenAI = "openai" // a server that speaks OpenAI's: hosted, vLLM, llama.cpp, LM Studio
	KindReplay = "replay" // recorded answers
)

// Kinds are what the key kind of a provider may be.
func Kinds() []string { return []string{KindOllama, KindOpenAI, KindReplay} }

// Provider is a source of models.
type Provider struct {
	Kind    string `toml:"kind"`     // KindOllama, KindOpenAI or KindReplay
	BaseURL string `toml:"base_url"` // the kind's own default when empty
	KeyEnv  string `toml:"key_env"`  // name of the environment variable that holds the key; none is sent when empty
	File    string `toml:"file"`     // directory of recorded answers, for KindReplay; relative to the file that says so
	// Prices are by model; a name may hold * and ?, and the longest that matches counts.
	Prices map[string]Price `toml:"prices"`
	// Source is the file that says so; empty for a default.
	Source string `toml:"-"`
}

// PriceOf is what a model of the provider costs; the zero Price without one.
func (p Provider) PriceOf(model string) Price {
	best, price := "", Price{}
	for _, pattern := range slices.Sorted(maps.Keys(p.Prices)) {
		if glob.Match(pattern, model) && len(pattern) >= len(best) {
			best, price = pattern, p.Prices[pattern]
		}
	}
	return price
}

// Models say which models are chosen when you name none. Names are
// PROVIDER/NAME and may contain * and ?.
type Models struct {
	Prefer []string `toml:"prefer"` // the first one that exists is chosen
	Avoid  []string `toml:"avoid"`  // never chosen, only when named
	Auto   bool     `toml:"auto"`   // choose by what is known about the models; true by default
}

// Redact says what is hidden before a prompt leaves the process. It is always
// on for models on other machines.
type Redact struct {
	Local   bool `toml:"local"`   // also for models on this machine; true by default
	Entropy bool `toml:"entropy"` // also long literals that look random; true by default
	// Names and Types hide values of variables and fields of these names, or of
	// these types ("User", "store.User"). Both may contain * and ?; names ignore
	// case. The lists of both files count.
	Names []string `toml:"names"`
	Types []string `toml:"types"`
	// Allow lists texts that are not secrets, with * and ?. Values of the
	// environment stay hidden in any case.
	Allow []string `toml:"allow"`
}

// Panics filter by package the panics that the program survives, with patterns
// of import paths as in the go command. The lists of both files count.
type Panics struct {
	In  []string `toml:"in"`  // stop only at panics in these
	Not []string `toml:"not"` // do not stop at panics in these
}

// Limits bound how models are asked. Zero means the default, which is given
// with each limit.
type Limits struct {
	FirstToken    Duration `toml:"first_token"`    // wait for the first token; 5m
	Total         Duration `toml:"total"`          // wait for the whole answer; 15m
	MaxRounds     int      `toml:"max_rounds"`     // how often a failed candidate goes back to its model; 2
	MaxCandidates int      `toml:"max_candidates"` // how many candidates are proved at each stop; 8
	Lookups       int      `toml:"lookups"`        // of a model in the paused program, for each question; 6
	// In MB: what a program or a build that a proof runs may use, with all processes it starts. 2048; builds
	// may use half of the machine's memory if that is more. Scripts may use at most 512.
	Memory int `toml:"memory"`
	// How long after its start a session still asks models, and how long a run of fix may take; no limit when 0.
	Time Duration `toml:"time"`
	// For all questions of a session, or of a run of fix, together; no limit when 0.
	Asking Duration `toml:"asking"` // how long models work on answers
	Tokens int      `toml:"tokens"` // of prompts and answers
	Cost   float64  `toml:"cost"`   // in the currency of the configured prices
}

// Of Limits.Memory, in MB: the default for runs, and the least with which a Go program
// starts.
const (
	defaultMemory = 2048
	leastMemory   = 64
)

// Theme says which colors the screen has.
type Theme struct {
	Name       string            `toml:"name"`       // empty: the last chosen one
	Background string            `toml:"background"` // "dark", "light", or "auto": ask the terminal; 16 colors that suit both where it does not answer
	Colors     map[string]string `toml:"colors"`     // by name: "#rrggbb", or a number in the terminal's palette
}

// Console are settings of the command line. The zero value of each means the
// default. Most have the names of dlv's settings.
type Console struct {
	// Aliases are more names for commands: "cc" = "continue".
	Aliases map[string]string `toml:"aliases"`
	// SubstitutePath maps directories of the target's source to directories on
	// this machine. The longest match is used.
	SubstitutePath     map[string]string `toml:"substitute_path"`
	Flavor             string            `toml:"disassemble_flavor"` // "go", "intel", "gnu"
	SourceLines        int               `toml:"source_list_line_count"`
	MaxStringLen       int               `toml:"max_string_len"`       // bytes of a text that print writes
	MaxArrayValues     int               `toml:"max_array_values"`     // elements that print writes
	MaxVariableRecurse int               `toml:"max_variable_recurse"` // levels that print writes
}

// Editors say what the editors that attach (--listen) may do.
type Editors struct {
	Admit bool `toml:"admit"` // let those in that come over a unix socket, without asking
	Calls bool `toml:"calls"` // watches and hovers of an editor that drives may call functions of the program
}

// Notify says how you are called back when something that took long ends or
// stops while you are looking elsewhere.
type Notify struct {
	After   Duration `toml:"after"`   // how long it must have taken; 10s
	Bell    bool     `toml:"bell"`    // ring the terminal's bell; true by default
	Desktop string   `toml:"desktop"` // a desktop notification: "auto" (if the terminal is known to support it), "osc9", "osc777", "off"
}

// Flavors are how instructions can be written.
var Flavors = []string{"go", "intel", "gnu"}

// What a theme's background and a desktop notification may be.
var (
	Backgrounds = []string{Auto, "dark", "light"}
	Desktops    = []string{Auto, "osc9", "osc777", "off"}
)

// Duration is a time.Duration that is written "90s" or "5m".
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v <= 0 {
		return fmt.Errorf("want a time above 0 such as \"90s\" or \"5m\", not %q", text)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes it as it is read.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Defaults is the configuration without any file.
func Defaults() Config {
	return Config{
		Profiles:  map[string]Profile{},
		Providers: map[string]Provider{"ollama": {Kind: KindOllama}},
		Models:    Models{Auto: true},
		Redact:    Redact{Local: true, Entropy: true},
		Limits: Limits{FirstToken: Duration(5 * time.Minute), Total: Duration(15 * time.Minute),
			MaxRounds: 2, MaxCandidates: 8, Lookups: 6},
		Hooks: Hooks{Timeout: Duration(10 * time.Second)},
		Keys:  map[string]string{}, Formats: map[string]string{}, Console: Console{Aliases: map[string]string{}, SubstitutePath: map[string]string{}}, places: map[string]string{},
		Theme: Theme{Background: Auto, Colors: map[string]string{}}, Notify: Notify{After: Duration(10 * time.Second), Bell: true, Desktop: Auto},
	}
}

// Files lists the files that are read for a module, the weaker first.
func Files(root string) []string { return []string{UserFile(), ModuleFile(root)} }

// UserFile is the user's own configuration.
func UserFile() string { return filepath.Join(xdg.ConfigHome, "pausetui", "config.toml") }

// moduleFile is the module's configuration, from its root.
const moduleFile = ".pausetui/config.toml"

// ModuleFile is the configuration that is in a module.
func ModuleFile(root string) string { return filepath.Join(root, filepath.FromSlash(moduleFile)) }

// Root is the directory above dir (or dir itself) that holds go.mod, go.work or
// .pausetui; dir when there is none.
func Root(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		for _, mark := range []string{"go.mod", "go.work", ".pausetui"} {
			if _, err := os.Stat(filepath.Join(d, mark)); err == nil {
				return d
			}
		}
		if filepath.Dir(d) == d {
			return dir
		}
	}
}

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// Load reads the files that exist. Its error is Mistakes, each with file, line,
// key, and the nearest thing that is known.
func Load(root string) (Config, error) {
	all := Defaults()
	data, err := regular.ReadUpTo(UserFile(), maxFile)
	if err == nil {
		err = all.add(UserFile(), data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return all, unreadable(err)
	}
	all.root = root
	data, err = regular.ReadIn(root, moduleFile, maxFile)
	if err == nil {
		err = all.addModule(ModuleFile(root), data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return all, unreadable(err)
	}
	return all, nil
}

// unreadable says what could not be done, where that is no mistake in the file.
func unreadable(err error) error {
	var mistakes Mistakes
	if errors.As(err, &mistakes) {
		return err
	}
	return fmt.Errorf("read the configuration: %w", err)
}

// add puts what the user's file says over the defaults.
func (c *Config) add(path string, data []byte) error {
	one, keys, err := parse(path, data, *c)
	if err != nil {
		return err
	}
	for name, p := range one.Profiles {
		p.Source = path
		c.Profiles[name] = p
	}
	for name, p := range one.Providers {
		p.Source = path
		if p.File != "" && !filepath.IsAbs(p.File) {
			p.File = filepath.Join(filepath.Dir(path), p.File)
		}
		c.Providers[name] = p
	}
	maps.Copy(c.Keys, one.Keys)
	maps.Copy(c.Formats, one.Formats)
	maps.Copy(c.Console.Aliases, one.Console.Aliases)
	maps.Copy(c.Console.SubstitutePath, one.Console.SubstitutePath)
	one.Console.Aliases, one.Console.SubstitutePath = c.Console.Aliases, c.Console.SubstitutePath
	maps.Copy(c.Theme.Colors, one.Theme.Colors)
	one.Theme.Colors = c.Theme.Colors
	c.Console, c.Editors, c.Theme, c.Notify = one.Console, one.Editors, one.Theme, one.Notify
	c.Models, c.Redact, c.Limits, c.Panics, c.Hooks = one.Models, one.Redact, one.Limits, one.Panics, one.Hooks
	for _, k := range keys {
		c.places[k.name()] = k.place(path)
	}
	return nil
}
