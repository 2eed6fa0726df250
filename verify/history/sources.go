package history

import (
	"embed"
	"io/fs"
	"path/filepath"
	"strings"
)

//go:embed record/*.go
var sources embed.FS

// directory is where package record is put, in the module of a program.
const directory = "pausetui_history"

// AddRecord adds the files of package record to a module, and returns its import path there.
func AddRecord(dir, module string, overlay map[string]string) (string, error) {
	entries, err := fs.ReadDir(sources, "record")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := fs.ReadFile(sources, "record/"+e.Name())
		if err != nil {
			return "", err
		}
		overlay[filepath.Join(dir, directory, e.Name())] = string(text)
	}
	return module + "/" + directory, nil
}
