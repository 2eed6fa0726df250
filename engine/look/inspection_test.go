package look

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestOnlyOwnTextIsKept beside the log, which may be passed on: no file that a
// frame names by a link or a way out of the module, that is no source, or of which
// nothing is built.
func TestOnlyOwnTextIsKept(t *testing.T) {
	top := testsupport.TempDir(t)
	own, private, link := filepath.Join(top, "m", "m.go"), filepath.Join(top, "private"), filepath.Join(top, "m", "link.go")
	testsupport.Write(t, own, "package m\n")
	lib, notBuilt := filepath.Join(top, "lib", "lib.go"), filepath.Join(top, "lib", "private", "p.go")
	env, config := filepath.Join(top, "m", ".env"), filepath.Join(top, "m", "sub", ".git", "config")
	for _, file := range []string{private, env, config, lib, notBuilt, filepath.Join(top, "lib", ".env")} {
		testsupport.Write(t, file, "secret\n")
	}
	if err := os.Symlink(private, link); err != nil {
		t.Fatal(err)
	}
	in := &Inspection{Loop: &loop.Loop{Workspace: workspace.Workspace{Modules: []workspace.Module{{Path: "m", Dir: filepath.Dir(own)}, {Path: "lib", Dir: filepath.Dir(lib), ReadOnly: true}}}}}
	in.Dirs = func(context.Context) map[string]string { return map[string]string{"lib": filepath.Dir(lib)} }
	if _, err := in.ownText(lib); err != nil {
		t.Errorf("a package of a module elsewhere: %v", err)
	}
	if text, err := in.ownText(own); err != nil || string(text) != "package m\n" {
		t.Errorf("own text: %q, %v", text, err)
	}
	for _, file := range []string{private, link, filepath.Dir(own) + "/../private", env, config, notBuilt, filepath.Join(top, "lib", ".env")} {
		if text, err := in.ownText(file); !errors.Is(err, errNotSource) || text != nil {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	if _, err := in.ownText(own + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
