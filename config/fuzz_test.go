package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzParse holds that a file is read, or refused with mistakes that name the file and a
// line of it.
func FuzzParse(f *testing.F) {
	examples, _ := filepath.Glob("testdata/*.toml")
	for _, name := range examples {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte("[keys]\nnext = \"n\"\n[profiles.x]\nmodel = \"ollama/m\"\n"))
	f.Add([]byte("[theme]\nname = 3\n[limits\n"))
	f.Add([]byte("a.b.c.d = {e = [[[[1]]]]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, err := parse("config.toml", data, Defaults())
		var mistakes Mistakes
		if err == nil || !errors.As(err, &mistakes) {
			return
		}
		for _, m := range mistakes {
			if m.File != "config.toml" || m.Line < 0 {
				t.Errorf("the mistake %+v", m)
			}
		}
	})
}
