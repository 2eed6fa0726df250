// Package prompts turns a stop into a question for a model, and the model's
// reply into candidates: it gathers the context section by section within a
// budget, renders it by a prompt profile, and splices the reply's code.
//
// It knows no provider and no screen. What comes from the running program is
// fenced as data, and secrets are taken out before anything leaves the process.
package prompts

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/adrg/xdg"
	"gopkg.in/yaml.v3"

	"github.com/pausetui/pausetui/debugger"
)

// Default is the name of the profile that is used when none is named.
const Default = "whole-function"

// maxProfile bounds a profile's file, in bytes.
const maxProfile = 1 << 20

//go:embed profiles/*.md
var embedded embed.FS

// Profile is a way to ask: a markdown file with front matter, a "# System"
// part and a "# User" part. Both are templates over a Context.
type Profile struct {
	Name        string
	Description string
	File        string // where it was read from; "embedded/…" for those of the program

	system, user *template.Template
}

// frontMatter is what may stand between the first two lines of "---".
type frontMatter struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
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
		return Profile{}, debugger.WithHint(err, "there are "+strings.Join(l.Names(), ", "))
	}
	return p, nil
}

// Load returns the embedded profiles and those of the directories' *.md files;
// a later directory overrides by name. Directories that do not exist are
// passed over. An error names file and line.
func Load(dirs ...string) (Library, error) {
	l := Library{}
	if err := l.read(embedded, "profiles", "embedded"); err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if err := l.read(os.DirFS(dir), ".", dir); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Find returns a profile by name: of the module, of the user, or embedded.
// root is the main module's directory; the empty name is Default.
func Find(root, name string) (Profile, error) {
	dirs := []string{filepath.Join(xdg.ConfigHome, "pausetui", "prompts")}
	if root != "" {
		dirs = append(dirs, filepath.Join(root, ".pausetui", "prompts"))
	}
	l, err := Load(dirs...)
	if err != nil {
		return Profile{}, err
	}
	return l.Get(name)
}

func (l Library) read(fsys fs.FS, dir, shown string) error {
	entries, err := fs.ReadDir(fsys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read prompt profiles in %q: %w", shown, err)
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".md" {
			continue
		}
		file := filepath.Join(shown, e.Name())
		text, err := readBounded(fsys, strings.TrimPrefix(dir+"/"+e.Name(), "./"))
		if err != nil {
			return fmt.Errorf("read prompt profile %q: %w", file, err)
		}
		p, err := Parse(file, text)
		if err != nil {
			return err
		}
		l[p.Name] = p
	}
	return nil
}

func readBounded(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxProfile+1))
	if err == nil && len(data) > maxProfile {
		err = fmt.Errorf("larger than %d bytes", maxProfile)
	}
	return string(data), err
}

var partHeading = regexp.MustCompile(`(?mi)^# (system|user)[ \t]*$\n?`)

// Parse reads a profile. Its name is that of the front matter, or else the
// file's. An error begins with "file:line:".
func Parse(file, text string) (Profile, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	p := Profile{File: file, Name: strings.TrimSuffix(filepath.Base(file), ".md")}
	body, err := p.head(text)
	if err != nil {
		return Profile{}, err
	}
	marks := partHeading.FindAllStringSubmatchIndex(text[body:], -1)
	if len(marks) == 0 {
		return Profile{}, p.fault(text, body, errors.New(`want the lines "# System" and "# User"`))
	}
	if lead := strings.TrimSpace(text[body : body+marks[0][0]]); lead != "" {
		return Profile{}, p.fault(text, body, errors.New(`nothing may stand before "# System" or "# User"`))
	}
	for i, m := range marks {
		name := strings.ToLower(text[body+m[2] : body+m[3]])
		end := len(text)
		if i+1 < len(marks) {
			end = body + marks[i+1][0]
		}
		t, err := p.template(text, body+m[1], end)
		if err != nil {
			return Profile{}, err
		}
		part := &p.system
		if name == "user" {
			part = &p.user
		}
		if *part != nil {
			return Profile{}, p.fault(text, body+m[0], fmt.Errorf("a second part %q", name))
		}
		*part = t
	}
	if p.user == nil {
		return Profile{}, p.fault(text, body, errors.New(`the part "# User" is missing`))
	}
	return p, nil
}

// head reads the front matter and returns where the body begins.
func (p *Profile) head(text string) (body int, err error) {
	if !strings.HasPrefix(text, "---\n") {
		return 0, nil
	}
	yamlText, _, ok := strings.Cut(text[4:], "\n---\n")
	if !ok {
		return 0, p.fault(text, 0, errors.New(`the front matter has no closing "---"`))
	}
	var f frontMatter
	// The padding makes the parser count lines as the file does.
	d := yaml.NewDecoder(bytes.NewReader([]byte("\n" + yamlText)))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return 0, p.yamlFault(err)
	}
	if f.Name != "" {
		p.Name = f.Name
	}
	p.Description = f.Description
	return 4 + len(yamlText) + len("\n---\n"), nil
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

func (p *Profile) yamlFault(err error) error {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s:%s: %s", p.File, m[1], strings.ReplaceAll(m[2], " in type prompts.frontMatter", "; want name, description"))
	}
	return fmt.Errorf("%s:1: %w", p.File, err)
}

// fault is an error at a byte of the file.
func (p *Profile) fault(text string, at int, err error) error {
	return fmt.Errorf("%s:%d: %w", p.File, 1+strings.Count(text[:at], "\n"), err)
}

// template parses a part, padded so that its errors count lines as the file
// does, and tries it: an unknown field is an error now, not at the first stop.
func (p *Profile) template(text string, start, end int) (*template.Template, error) {
	padding := strings.Repeat("\n", strings.Count(text[:start], "\n"))
	t, err := template.New(p.File).Option("missingkey=error").Parse(padding + text[start:end])
	if err == nil {
		err = t.Execute(io.Discard, Context{Sections: []Section{{Key: "stop"}}})
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return t, nil
}
