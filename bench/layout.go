package bench

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Layout writes the module and its input files into a directory: what anybody
// may see. The hidden check and the reference fix stay out.
func (c *Case) Layout(dir string) error { return c.layout(dir, c.module) }

func (c *Case) layout(dir string, module []txtar.File) error {
	if err := write(dir, module); err != nil {
		return err
	}
	return write(dir, c.input)
}

// layoutData writes what is no source: the directory a run works in.
func (c *Case) layoutData(dir string, r Run) error {
	var data []txtar.File
	for _, f := range c.module {
		if !strings.HasSuffix(f.Name, ".go") && f.Name != "go.mod" {
			data = append(data, f)
		}
	}
	data = append(data, c.input...)
	for name, text := range r.Files {
		data = append(data, txtar.File{Name: name, Data: []byte(text)})
	}
	return write(dir, data)
}

func write(dir string, files []txtar.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
