package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/tools/txtar"
)

const (
	suffix   = ".txtar"
	settings = "case.toml"

	maxArchive = 16 << 20 // bytes
)

// Load reads all cases of a directory, in the order of their names. The error
// joins those of all cases that cannot be used.
func Load(corpus fs.FS) ([]*Case, error) {
	names, err := fs.Glob(corpus, "*"+suffix)
	if err != nil {
		return nil, err
	}
	var cases []*Case
	var failed []error
	for _, name := range names {
		info, err := fs.Stat(corpus, name)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() || info.Size() > maxArchive { // a FIFO would be waited for
			failed = append(failed, fmt.Errorf("%q is not a file of at most %d MB", name, maxArchive>>20))
			continue
		}
		data, err := fs.ReadFile(corpus, name)
		if err != nil {
			return nil, err
		}
		c, err := Parse(name, data)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		cases = append(cases, c)
	}
	return cases, errors.Join(failed...)
}

// Parse reads one archive. It is strict: what it does not know, what is
// missing and what contradicts itself are errors that name the file and the
// line or key.
func Parse(file string, data []byte) (*Case, error) {
	archive := txtar.Parse(data)
	c := &Case{Name: strings.TrimSuffix(path.Base(file), suffix), About: strings.TrimSpace(string(archive.Comment)), Package: "."}
	if err := c.sort(archive.Files); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == settings })
	if i < 0 {
		return nil, fmt.Errorf("%s: no %s in the archive", file, settings)
	}
	if err := c.decode(file, lineOf(data, settings), archive.Files[i].Data); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// sort puts each file of the archive where it belongs.
func (c *Case) sort(files []txtar.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		if !fs.ValidPath(f.Name) || f.Name == "." {
			return fmt.Errorf("%q is not a clean relative path", f.Name)
		}
		if seen[f.Name] {
			return fmt.Errorf("%s: twice in the archive", f.Name)
		}
		seen[f.Name] = true
		dir, rest, _ := strings.Cut(f.Name, "/")
		switch {
		case f.Name == settings:
		case dir == "input" && rest != "":
			c.input = append(c.input, f)
		case dir == "hidden" && rest != "":
			c.hidden = append(c.hidden, txtar.File{Name: rest, Data: f.Data})
		case dir == "fixed" && rest != "":
			c.fixed = append(c.fixed, txtar.File{Name: rest, Data: f.Data})
		case dir == "answers":
			if rest != strongAnswer && rest != sloppyAnswer {
				return fmt.Errorf("%s: want %s or %s", f.Name, strongAnswer, sloppyAnswer)
			}
			c.answers = append(c.answers, txtar.File{Name: rest, Data: f.Data})
		default:
			c.module = append(c.module, f)
		}
	}
	return nil
}

// decode reads the settings, whose first line has this number in the archive.
func (c *Case) decode(file string, first int, data []byte) error {
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(c)
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		e := unknown.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("%s:%d: unknown key %q", file, first+row-1, strings.Join(e.Key(), "."))
	case errors.As(err, &bad):
		row, _ := bad.Position()
		return fmt.Errorf("%s:%d: %w", file, first+row-1, err)
	}
	return fmt.Errorf("%s:%d: %w", file, first, err)
}

// lineOf is the number of the line after a file's marker in an archive.
func lineOf(archive []byte, name string) int {
	line := 1
	for text := range bytes.Lines(archive) {
		line++
		if string(bytes.TrimSpace(text)) == "-- "+name+" --" {
			return line
		}
	}
	return 1
}
