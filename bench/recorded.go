package bench

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/tools/txtar"
)

// Recorded is what a case is made of: a module as it was when it stopped, the
// files of the fix, and tests that tell right from wrong.
type Recorded struct {
	Name, About   string
	Class         string
	Test          bool // the target is the tests of the package
	Package       string
	Args, Env     []string
	Stdin         []byte // nil without one
	StopsIn       string
	Module, Fixed map[string]string // by name, relative to the module root
	Hidden        map[string]string // _test.go files
	// QuietIsRight: the tests do not tell a fix from a recover.
	QuietIsRight bool
}

const recordedStdin = "input/stdin.txt"

// Archive writes the case as an archive. It fails for what cannot be a case.
func (r Recorded) Archive() ([]byte, error) {
	settings, err := r.settings()
	if err != nil {
		return nil, err
	}
	text, err := toml.Marshal(settings)
	if err != nil {
		return nil, err
	}
	a := &txtar.Archive{Comment: []byte(strings.TrimSpace(r.About) + "\n"), Files: []txtar.File{{Name: "case.toml", Data: text}}}
	add := func(prefix string, files map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			a.Files = append(a.Files, txtar.File{Name: prefix + name, Data: []byte(files[name])})
		}
	}
	add("", r.Module)
	if r.Stdin != nil {
		a.Files = append(a.Files, txtar.File{Name: recordedStdin, Data: r.Stdin})
	}
	add("hidden/", r.Hidden)
	add("fixed/", r.Fixed)
	data := txtar.Format(a)
	if !same(a, txtar.Parse(data)) {
		return nil, errors.New("a file of the module cannot be in an archive: it has a line that looks like a file's name there, or no newline at its end")
	}
	if _, err := Parse(r.Name+suffix, data); err != nil {
		return nil, err
	}
	return data, nil
}

func same(a, b *txtar.Archive) bool {
	return slices.EqualFunc(a.Files, b.Files, func(x, y txtar.File) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) })
}

// recordedSettings are the settings that a recorded case can have.
type recordedSettings struct {
	Class   string   `toml:"class"`
	Kind    Kind     `toml:"kind"`
	Package string   `toml:"package"`
	Args    []string `toml:"args,omitempty"`
	Stdin   string   `toml:"stdin,omitempty"`
	Env     []string `toml:"env,omitempty"`
	StopsIn string   `toml:"stops_in"`
	Fault   Fault    `toml:"fault"`
	FaultIn string   `toml:"fault_in,omitempty"`
	Hidden  struct {
		Test         bool `toml:"test"`
		QuietIsRight bool `toml:"quiet_is_right,omitempty"`
	} `toml:"hidden"`
}

func (r Recorded) settings() (recordedSettings, error) {
	s := recordedSettings{Class: r.Class, Kind: Program, Package: r.Package, Args: r.Args, Env: r.Env, StopsIn: r.StopsIn, Fault: Here}
	s.Hidden.Test, s.Hidden.QuietIsRight = true, r.QuietIsRight
	if r.Test {
		s.Kind = Test
	}
	if r.Stdin != nil {
		s.Stdin = recordedStdin
	}
	changed, err := r.changed()
	if err != nil {
		return s, err
	}
	switch {
	case len(changed) == 0:
		return s, errors.New("the fix changes no declaration")
	case !slices.Contains(changed, Outermost(r.StopsIn)):
		s.Fault, s.FaultIn = Elsewhere, changed[0]
	}
	return s, nil
}

// changed names the declarations that the fix changes, sorted.
func (r Recorded) changed() ([]string, error) {
	files := func(with map[string]string) []txtar.File {
		var list []txtar.File
		for name, text := range r.Module {
			if other, ok := with[name]; ok {
				text = other
			}
			list = append(list, txtar.File{Name: name, Data: []byte(text)})
		}
		return list
	}
	before, err := declarations(files(nil))
	if err != nil {
		return nil, err
	}
	after, err := declarations(files(r.Fixed))
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if before[name] != after[name] {
			list = append(list, name)
		}
	}
	return list, nil
}

// HiddenName is what a regression test is called as a hidden one.
func HiddenName(test string) string {
	return fmt.Sprintf("TestHidden%s", strings.TrimPrefix(test, "Test"))
}
