package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzCase holds that an archive is a case, whose files stay below its directory, or refused.
func FuzzCase(f *testing.F) {
	for _, name := range []string{"closed-channel-csv-pipeline", "divide-by-zero-split-bill"} {
		if data, err := os.ReadFile(filepath.Join("corpus", name+".txtar")); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte("-- case.toml --\nclass = \"x\"\n-- ../../etc/passwd --\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("x.txtar", data)
		if err != nil {
			return
		}
		for _, f := range slices.Concat(c.module, c.input, c.hidden, c.fixed) {
			if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
				t.Errorf("it has the file %q", f.Name)
			}
		}
	})
}
