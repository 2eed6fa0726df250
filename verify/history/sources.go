package history

import (
	"embed"
	"path/filepath"

	"github.com/pausetui/pausetui/verify/instrument"
)

//go:embed record/*.go
var sources embed.FS

// directory is where package record is put, in the module of a program.
const directory = "pausetui_history"

// AddRecord adds the files of package record to a module, and returns its import path there.
func AddRecord(dir, module string, overlay map[string]string) string {
	for name, text := range instrument.Package(sources, "record") {
		overlay[filepath.Join(dir, directory, name)] = text
	}
	return module + "/" + directory
}
