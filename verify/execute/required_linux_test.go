package execute

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// cached is a file of a module that this package is built from, in the module cache.
func cached(t *testing.T, dirs goDirs, module string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dirs.Modules, module+"@*", "go.mod"))
	if len(files) == 0 {
		t.Skipf("%s is not in the module cache", module)
	}
	return files[len(files)-1]
}

// TestRunsSeeTheModulesOfTheProgram, and may fill a build cache of their own.
func TestRunsSeeTheModulesOfTheProgram(t *testing.T) {
	skipWithoutSandbox(t)
	dir := t.TempDir()
	v := New(subject.Subject{Workspace: workspace.Workspace{Root: dir, Modules: []workspace.Module{{Path: "m", Dir: dir}}}}, Options{})
	dirs, err := v.goDirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	required, other := cached(t, dirs, "golang.org/x/mod"), cached(t, dirs, "golang.org/x/text")
	_, version, _ := strings.Cut(filepath.Base(filepath.Dir(required)), "@")
	testsupport.Write(t, filepath.Join(dir, "go.mod"), "module m\n\ngo 1.25\n\nrequire golang.org/x/mod "+version+"\n")
	sum := filepath.Join(dirs.Modules, "cache", "download", "golang.org", "x", "mod", "@v", version+".ziphash")
	script := fmt.Sprintf("cat %q >/dev/null && cat %q >/dev/null && ! cat %q && ! ls %q/00 && mkdir -p \"$GOCACHE\" && echo x >\"$GOCACHE/x\"", required, sum, other, dirs.Cache)
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := New(v.Subject, Options{MaxTier: tier})
		s, err := v.confine(t.Context(), sandbox.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin", "GOCACHE=" + dirs.Cache}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := sandbox.Run(t.Context(), s)
		if err != nil || r.ExitCode != 0 {
			t.Errorf("%s: %v, exit %d: %s", tier, err, r.ExitCode, r.Output)
		}
	}
}

func TestRequired(t *testing.T) {
	dir := t.TempDir()
	own, others := filepath.Join(dir, "own"), filepath.Join(dir, "others")
	testsupport.Write(t, filepath.Join(own, "go.mod"), "module m\n\nrequire (\n\texample.com/A v1.0.0\n\texample.com/b v1.0.0\n)\n\nreplace example.com/b => example.com/c v1.2.0\n\nreplace example.com/d => ../d\n")
	testsupport.Write(t, filepath.Join(others, "go.mod"), "module o\n\nrequire example.com/e v1.0.0\n")
	s := subject.Subject{Workspace: workspace.Workspace{Modules: []workspace.Module{{Path: "m", Dir: own}, {Path: "o", Dir: others, ReadOnly: true}}}}
	want := []string{"/c/cache/download/example.com/!a/@v", "/c/cache/download/example.com/b/@v", "/c/cache/download/example.com/c/@v", "/c/cache/download/golang.org/toolchain/@v",
		"/c/example.com/!a@v1.0.0", "/c/example.com/b@v1.0.0", "/c/example.com/c@v1.2.0", "/c/golang.org/toolchain@v0.0.1-go1.26.8"}
	if got := required(s, goDirs{Modules: "/c", Root: "/c/golang.org/toolchain@v0.0.1-go1.26.8"}); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for dir, want := range map[string]string{"/c/x/y@v1/z/@w": "x/y@v1", "/c/cache/download/x/@v": "", "/d/x@v1": "", "/c": "", "": ""} {
		if got := cachedModule("/c", dir); got != want {
			t.Errorf("%q is of %q, want %q", dir, got, want)
		}
	}
}
