package execute

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// TestBuildsLeaveTheCacheAlone however much they compile.
func TestBuildsLeaveTheCacheAlone(t *testing.T) {
	v := ofModule(t, Options{})
	dirs := emptyCache(t, v)
	cache := dirs.Cache
	out := t.TempDir()
	s := v.Spec(filepath.Join(out, "tool"), map[string]string{})
	s.Dir, s.Package, s.DebugPatterns = dirs.Root+"/src", "internal/goarch", nil
	var printed bytes.Buffer
	ended, err := v.compile(t.Context(), build.Command{Path: "go", Args: []string{"build", s.Package}, Env: os.Environ(), Dir: s.Dir, Output: &printed})
	if err != nil || !ended.OK {
		t.Fatalf("%+v, %v: %s", ended, err, printed.String())
	}
	_ = filepath.WalkDir(cache, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("%s was written", path)
		}
		return err
	})
}

// emptyCache gives a runner a build cache that holds nothing.
func emptyCache(t *testing.T, v *Runner) goDirs {
	t.Helper()
	dirs, err := v.goDirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dirs.Cache = t.TempDir()
	for i := range 256 { // as the go command makes it
		if err := os.Mkdir(filepath.Join(dirs.Cache, fmt.Sprintf("%02x", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := v.visible.Get(t.Context(), func(context.Context) (goDirs, error) { return dirs, nil }); err != nil {
		t.Fatal(err)
	}
	return dirs
}

// A candidate may import packages of the standard library that no go command has
// looked at since the build cache was made.
func TestPackagesThatNobodyHasImportedAreFound(t *testing.T) {
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := ofModule(t, Options{MaxTier: tier})
		emptyCache(t, v)
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module x\n", "main.go": "package main\n\nimport _ \"net\"\n\nfunc main() {}\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var printed bytes.Buffer
		ended, err := v.compile(t.Context(), build.Command{Path: "go", Args: []string{"list", "-deps", "."}, Env: os.Environ(), Dir: dir, Output: &printed})
		if err != nil || !ended.OK {
			t.Errorf("%s: %+v, %v: %s", tier, ended, err, printed.String())
		}
	}
}

// TestResultsAreFiles: nothing else is taken for a binary.
func TestResultsAreFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "program")); err != nil {
		t.Fatal(err)
	}
	if err := onlyFiles(dir); err == nil {
		t.Error("a link is taken for a file")
	}
	if _, err := os.Lstat(filepath.Join(dir, "program")); err == nil {
		t.Error("the link is still there")
	}
}

// ofModule runs what is built of a small module.
func ofModule(t *testing.T, opts Options) *Runner {
	t.Helper()
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module m\n")
	testsupport.Write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	w := workspace.Workspace{Root: dir, Modules: []workspace.Module{{Path: "m", Dir: dir}}}
	return New(subject.Subject{Workspace: w, Build: build.Spec{Dir: dir, Package: "."}}, opts)
}
