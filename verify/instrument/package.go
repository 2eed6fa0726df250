package instrument

import (
	"embed"
	"io/fs"
	"strings"
)

// Package returns the files of an embedded Go package, by their names, without its tests:
// an instrumented program gets them as a package of its own.
func Package(files embed.FS, dir string) map[string]string {
	texts := map[string]string{}
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil // it is part of this program
	}
	for _, e := range entries {
		if text, err := fs.ReadFile(files, dir+"/"+e.Name()); err == nil && !strings.HasSuffix(e.Name(), "_test.go") {
			texts[e.Name()] = string(text)
		}
	}
	return texts
}
