package bench

import (
	"embed"
	"io/fs"
)

//go:embed corpus/*.txtar
var archives embed.FS

// Corpus is the built-in set of cases. Half of them is closed: see Case.Open.
func Corpus() fs.FS {
	sub, err := fs.Sub(archives, "corpus")
	if err != nil {
		panic(err) // fails only for a name that is no path
	}
	return sub
}
