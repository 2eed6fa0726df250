package sessions

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli/clitest"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
)

// TestALargeBundleIsAskedAbout: a few bytes that unpack to much are taken in only if the
// person agrees to the size.
func TestALargeBundleIsAskedAbout(t *testing.T) {
	clitest.OwnState(t)
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("go.mod", []byte("module m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const mb = 1 << 20
	for name, one := range map[string]struct {
		files []bundle.File
		large bool
	}{
		"texts":  {[]bundle.File{{Name: "session.md", Bytes: 40 * mb}, {Name: "session.trace", Bytes: 40 * mb}}, true},
		"core":   {[]bundle.File{{Name: "core", Bytes: 1024 * mb}, {Name: "binary", Bytes: mb}}, true},
		"signed": {[]bundle.File{{Name: "session.md", Bytes: 65 * mb}, {Name: "session.trace", Bytes: -1 << 62}}, true},
		"usual":  {[]bundle.File{{Name: "session.md", Bytes: 40 * mb}, {Name: "core", Bytes: 900 * mb}}, false},
	} {
		path := filepath.Join(t.TempDir(), "crash"+bundle.Extension)
		p := bundle.Plan{Manifest: bundle.Manifest{Version: bundle.Version, Session: "20261120-170203-nil-map-write", Files: one.files}}
		if err := p.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		asked := ""
		_, err := importFile(io.Discard, "", path, func(size string) bool { asked = size; return false })
		if errors.Is(err, errLarge) != one.large || one.large && (!strings.Contains(asked, " MB") || !strings.Contains(advice.Of(err), "--large")) {
			t.Errorf("%s: %v, asked %q", name, err, asked)
		}
		if _, err := importFile(io.Discard, "", path, func(string) bool { return true }); err == nil || errors.Is(err, errLarge) {
			t.Errorf("%s, agreed to: %v", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "debug", "*")); len(left) > 1 { // its .gitignore
			t.Errorf("%s has left %v", name, left)
		}
	}
}

// TestAFailedImportLeavesNothing, although it fails when the first files are there.
func TestAFailedImportLeavesNothing(t *testing.T) {
	clitest.OwnState(t)
	from, dir := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	write(t, "go.mod", "module m\n")
	log, err := session.CreateLog(from, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append("engine", &session.Started{ID: log.ID()}); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	name, sources := strings.TrimSuffix(filepath.Base(log.Path()), ".md"), log.ID()+"-sources"
	if _, err := session.OpenTexts(from, log.ID()).Keep([]byte("package m\n")); err != nil {
		t.Fatal(err)
	}
	core := filepath.Join(from, "core")
	write(t, core, "core")
	plan, err := bundle.MakePlan(bundle.Options{Logs: from, Session: name, Sources: filepath.Join(from, sources), Core: core, Binary: core, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(from, "crash"+bundle.Extension)
	if err := plan.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	planted := filepath.Join(dir, "debug", sources)
	if err := os.MkdirAll(filepath.Dir(planted), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(from, planted); err != nil {
		t.Fatal(err)
	}
	if _, err := importFile(io.Discard, "", path, func(string) bool { return true }); err == nil {
		t.Error("it is imported")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "debug", "*"))
	left = slices.DeleteFunc(left, func(path string) bool { return path == planted || filepath.Base(path) == ".gitignore" })
	if len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	if err := os.Remove(planted); err != nil {
		t.Fatal(err)
	}
	if _, err := importFile(io.Discard, "", path, func(string) bool { return true }); err != nil {
		t.Errorf("without the link: %v", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
