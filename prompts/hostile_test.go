package prompts

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
)

// A profile that comes with a repository cannot fill the memory or take all day.
func TestTemplatesThatGrow(t *testing.T) {
	double := `{{$x := .Class}}{{$x = "0123456789abcdef"}}` + strings.Repeat(`{{$x = printf "%s%s" $x $x}}`, 40)
	for name, c := range map[string]struct{ body, want string }{
		"doubling by printf":     {double, `the function "printf" is not there`},
		"doubling by print":      {strings.ReplaceAll(double, `printf "%s%s"`, "print"), `the function "print" is not there`},
		"growing by html":        {`{{$x := "<"}}` + strings.Repeat(`{{$x = $x | html}}`, 40), `the function "html" is not there`},
		"growing by js":          {`{{$x := js (urlquery "<")}}`, `the function "urlquery" is not there`},
		"a call in parentheses":  {`{{len (printf "%999999999d" 1)}}`, `the function "printf" is not there`},
		"a call in a condition":  {`{{if eq (println "x") "y"}}{{end}}`, `the function "println" is not there`},
		"loops within loops":     {strings.Repeat("{{range .Sections}}", 3) + "x" + strings.Repeat("{{end}}", 3), "range within range within range"},
		"loops within long part": {"{{range .Sections}}{{range $.Sections}}" + strings.Repeat(`{{if eq .Key "x"}}{{end}}`, 4000) + "{{end}}{{end}}", "too long for its loops"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		_, err := Parse("x.md", "# User\n"+c.body)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", name, err, c.want)
		}
		if took, used := time.Since(began), after.TotalAlloc-before.TotalAlloc; took > 3*time.Second || used > 256<<20 {
			t.Errorf("%s: %v, %d MB", name, took, used>>20)
		}
	}
	if _, err := Parse("x.md", "# User\n{{range .Sections}}{{if eq .Key \"stop\"}}{{.Text}}{{end}}{{end}}{{if and .Class (not (eq .Class \"x\"))}}{{len .Class}}{{end}}"); err != nil {
		t.Errorf("what is of use is refused: %v", err)
	}
}

func TestProfilesAreFilesOfTheModule(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("# User\nsecret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		plant func(dir string) error
		want  error
	}{
		"fifo":     {func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "x.md"), 0o600) }, regular.ErrNotRegular},
		"device":   {func(dir string) error { return os.Symlink("/dev/zero", filepath.Join(dir, "x.md")) }, regular.ErrLeadsOut},
		"link out": {func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "x.md")) }, regular.ErrLeadsOut},
		"link in": {func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "y"), []byte("# User\nx"), 0o600), os.Symlink("y", filepath.Join(dir, "x.md")))
		}, nil},
		"huge": {func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "x.md"), nil, 0o600), os.Truncate(filepath.Join(dir, "x.md"), 1<<40))
		}, regular.ErrTooLarge},
		"a linked dir": {func(dir string) error { return errors.Join(os.Remove(dir), os.Symlink(filepath.Dir(outside), dir)) }, regular.ErrLeadsOut},
	} {
		root := t.TempDir()
		dir := filepath.Join(root, ".pausetui", "prompts")
		if err := errors.Join(os.MkdirAll(dir, 0o755), c.plant(dir)); err != nil {
			t.Fatal(err)
		}
		done := make(chan []error, 1)
		go func() {
			_, errs := Scan(Dir{dir, FromProject})
			done <- errs
		}()
		select {
		case errs := <-done:
			if err := errors.Join(errs...); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s hangs", name)
		}
	}
}
