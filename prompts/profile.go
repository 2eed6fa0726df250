// Package prompts turns a stop into a question for a model, and the model's reply into
// candidates: it gathers the context section by section within a budget, renders it by a
// prompt profile, and splices the reply's code.
//
// It follows the values of the failing line through the index of the user's code (a
// backward slice), nearest first, and cuts at the budget.
//
// The rules are:
//
//   - What comes from the running program is fenced as data.
//   - Secrets are removed before anything leaves the process.
//   - A profile may come with another person's repository: its template can only
//     place sections, and is bounded.
//
// The package must not know a provider or a screen.
package prompts

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/adrg/xdg"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/editdistance"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// Default is the name of the profile that is used when none is named.
const Default = "whole-function"

// maxProfile bounds a profile's file, in bytes.
const maxProfile = 256 << 10

// maxProfiles bounds the files of a directory of profiles.
const maxProfiles = 500

//go:embed profiles/*.md
var embedded embed.FS

// Task is what a profile asks for.
type Task string

// The tasks.
const (
	Fix     Task = "fix"     // candidates: code that fixes the stop
	Explain Task = "explain" // why it stopped, in prose
	Ask     Task = "ask"     // the answer to a question about the paused program
)

// Tasks lists the tasks.
var Tasks = []Task{Fix, Explain, Ask}

// Format is how a reply gives code.
type Format string

// The formats.
const (
	// Functions: whole declarations in a ```go fence.
	Functions Format = "function"
	// SearchReplace: exact search/replace blocks.
	SearchReplace Format = "search-replace"
)

// Formats lists the formats.
var Formats = []Format{Functions, SearchReplace}

// Where a profile comes from.
const (
	FromEmbedded = "embedded"
	FromUser     = "user"
	FromProject  = "project"
	FromFile     = "file"
)

// Profile is a way to ask: a markdown file with front matter, a "# System"
// part and a "# User" part. Both are templates over a Context.
type Profile struct {
	Name        string
	Description string
	File        string   // where it was read from; "embedded/…" for those of the program
	From        string   // FromEmbedded, FromUser, FromProject or FromFile
	Text        string   // the file as it is
	Task        Task     // Fix when the file does not say
	Format      Format   // of a fix; Functions when the file does not say
	Needs       []string // keys of sections without which it is no use
	Shows       []string // keys of the sections that it shows; all when empty
	Requires    Requirements
	Offers      []string // llm.Tools, to models that have them; others are asked without; Scripts, to all
	Families    []string // globs of model families it was written for; any when empty
	Classes     []string // globs of classes of stops it suits; any when empty
	Options     AnswerOptions

	system, user *template.Template
}

// Scripts is what a profile offers that has a model write scripts to look around.
// Such a profile is used only where it is named.
const Scripts = "scripts"

// Requirements are what a model must be to be asked with a profile.
type Requirements struct {
	Capabilities []string // llm.Tools, …
	Parameters   float64  // at least, in billions; 0 when any will do
	Context      int      // at least, in tokens; 0 when any will do
}

// AnswerOptions are what a profile asks of an answer; the zero value leaves all
// of it to others.
type AnswerOptions struct {
	Temperature *float64 // nil when the profile does not say
	MaxTokens   int
	Seed        int
	Candidates  int
}

// Library is a set of profiles by name.
type Library map[string]Profile

// Names lists the profiles, sorted.
func (l Library) Names() []string {
	names := make([]string, 0, len(l))
	for n := range l {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Get returns the profile of that name; the empty name is Default.
func (l Library) Get(name string) (Profile, error) {
	if name == "" {
		name = Default
	}
	p, ok := l[name]
	if !ok {
		err := fmt.Errorf("there is no prompt profile %q", name)
		hint := "there are " + strings.Join(l.Names(), ", ")
		if other := nearest(name, l.Names()); other != "" && editdistance.Distance(name, other) <= max(2, len(name)/3) {
			hint = "did you mean " + other + "? " + hint
		}
		return Profile{}, advice.Add(err, hint)
	}
	return p, nil
}

// Dir is a directory of profiles.
type Dir struct {
	Path string
	From string // FromUser, FromProject
}

// Dirs are the directories of the user's and of the module's profiles, the
// weaker first. root is the main module's directory; it may be empty.
func Dirs(root string) []Dir {
	dirs := []Dir{{filepath.Join(xdg.ConfigHome, "pausetui", "prompts"), FromUser}}
	if root != "" {
		dirs = append(dirs, Dir{filepath.Join(root, ".pausetui", "prompts"), FromProject})
	}
	return dirs
}

// Load returns the embedded profiles and those of the directories' *.md files;
// a later directory overrides by name. Directories that do not exist are
// passed over. A mistake in any file fails; it names file, line and key.
func Load(dirs ...string) (Library, error) {
	var list []Dir
	for _, d := range dirs {
		list = append(list, Dir{d, FromFile})
	}
	return strict(Scan(list...))
}

// LoadFor returns the profiles for a module: the embedded ones, the user's and
// its own. root is the main module's directory; it may be empty.
func LoadFor(root string) (Library, error) { return strict(Scan(Dirs(root)...)) }

func strict(l Library, errs []error) (Library, error) {
	if len(errs) > 0 {
		return nil, advice.Add(errs[0], "pausetui prompts check lists every mistake")
	}
	return l, nil
}

// Scan is Load that goes on past files with mistakes: it returns the profiles
// that can be used, and for each file that cannot what is wrong with it
// (Mistakes, where the file could be read).
func Scan(dirs ...Dir) (Library, []error) {
	own, errs := embeddedProfiles()
	l := maps.Clone(own)
	errs = slices.Clone(errs)
	for _, d := range dirs {
		entries, err := d.list()
		errs = append(errs, l.read(entries, err, d.Path, d.From, d.file)...)
	}
	return l, errs
}

// list lists the directory, which for a module's own has to be in the module.
func (d Dir) list() ([]fs.DirEntry, error) {
	if d.From == FromProject {
		if err := regular.Within(d.module(), d.Path); err != nil {
			return nil, err
		}
	}
	return os.ReadDir(d.Path)
}

// file reads one of its files.
func (d Dir) file(name string) ([]byte, error) {
	if d.From == FromProject {
		return regular.ReadIn(d.module(), filepath.Join(filepath.Base(filepath.Dir(d.Path)), filepath.Base(d.Path), name), maxProfile)
	}
	return regular.ReadUpTo(filepath.Join(d.Path, name), maxProfile)
}

// module is the root of the module whose own profiles these are.
func (d Dir) module() string { return filepath.Dir(filepath.Dir(d.Path)) }

// embeddedProfiles are read once: parsing templates takes a millisecond.
var embeddedProfiles = sync.OnceValues(func() (Library, []error) {
	l := Library{}
	entries, err := embedded.ReadDir("profiles")
	return l, l.read(entries, err, "embedded", FromEmbedded, func(name string) ([]byte, error) { return embedded.ReadFile("profiles/" + name) })
})

// ReadFile reads one profile.
func ReadFile(file string) (Profile, error) {
	text, err := regular.ReadUpTo(file, maxProfile)
	if err != nil {
		return Profile{}, fmt.Errorf("read prompt profile %q: %w", file, err)
	}
	p, err := Parse(file, string(text))
	p.From = FromFile
	return p, err
}

// read adds the profiles among the files of a directory.
func (l Library) read(entries []fs.DirEntry, err error, shown, from string, file func(name string) ([]byte, error)) (errs []error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []error{fmt.Errorf("read prompt profiles in %q: %w", shown, err)}
	}
	if len(entries) > maxProfiles {
		errs = append(errs, fmt.Errorf("read prompt profiles in %q: more than %d files", shown, maxProfiles))
		entries = entries[:maxProfiles]
	}
	own := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".md" {
			continue
		}
		path := filepath.Join(shown, e.Name())
		text, err := file(e.Name())
		if err != nil {
			errs = append(errs, fmt.Errorf("read prompt profile %q: %w", path, err))
			continue
		}
		p, err := Parse(path, string(text))
		if other, twice := own[p.Name]; err == nil && twice {
			err = Mistakes{{path, p.lineOfName(), "name", fmt.Sprintf("%q is the name of %s, too", p.Name, other)}}
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if from == FromProject { // how often a model is asked is for the person to say, who pays for it
			p.Options.Candidates = min(p.Options.Candidates, 1)
		}
		own[p.Name], p.From = path, from
		l[p.Name] = p
	}
	return errs
}

var partHeading = lazyregexp.New(`(?mi)^# (system|user)[ \t]*$\n?`)

// Parse reads a profile. Its name is that of the front matter, or else the
// file's. The error is Mistakes: all that is wrong with it.
func Parse(file, text string) (Profile, error) {
	p := Profile{File: file, Name: strings.TrimSuffix(filepath.Base(file), ".md"), Text: text, Task: Fix, Format: Functions}
	r := &reader{p: &p, text: strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")}
	if body, ok := r.head(); ok {
		r.parts(body)
	}
	if len(r.mistakes) > 0 {
		return p, r.mistakes
	}
	return p, nil
}

// lineOfName is the line of the front matter that gives the name; 1 without one.
func (p Profile) lineOfName() int {
	for i, line := range strings.Split(p.Text, "\n") {
		if strings.HasPrefix(line, "name:") {
			return i + 1
		}
	}
	return 1
}
