package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// elsewhere are directories in which people, or those who build for them, keep modules: a
// temporary one and, where this user may make that, one in the root and one of a service.
func elsewhere(t *testing.T) []string {
	t.Helper()
	dirs := []string{testsupport.TempDir(t)}
	for _, in := range []string{"/", "/var/lib"} {
		dir, err := os.MkdirTemp(in, "pausetui-sandbox-test-")
		if err != nil {
			t.Logf("not tried: %v", err)
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		dirs = append(dirs, dir)
	}
	return dirs
}

// look prints what can be read, what can be listed, and what is there at all.
func look(paths []string) int {
	for _, path := range paths {
		_, err := os.ReadFile(path)
		fmt.Println("file", path, err == nil)
		entries, err := os.ReadDir(path)
		fmt.Println("list", path, err == nil, entries)
		_, err = os.Lstat(path)
		fmt.Println("there", path, !errors.Is(err, fs.ErrNotExist))
	}
	return 0
}

// Whatever a directory of the machine is called, nothing of it is seen that the spec does
// not name, not even what lies beside the module.
func TestNothingElseOfTheMachineIsThere(t *testing.T) {
	var beside []string
	if f, err := os.CreateTemp("/", "pausetui-sandbox-test-"); err == nil { // as root
		t.Cleanup(func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) })
		beside = append(beside, f.Name())
	}
	for _, top := range elsewhere(t) {
		module, other, data := filepath.Join(top, "module"), filepath.Join(top, "other", ".env"), filepath.Join(top, "data")
		testsupport.Write(t, filepath.Join(module, "main.go"), "package main\n")
		testsupport.Write(t, other, "TOKEN=x\n")
		testsupport.Write(t, data, "x")
		hidden := append(slices.Clone(beside), other, filepath.Dir(other), filepath.Join(top, "file"))
		testsupport.Write(t, hidden[len(hidden)-1], "x")
		tiers(t, func(t *testing.T, tier Tier) {
			s := program(t, tier, "look", append(slices.Clone(hidden), "main.go", data, ".", top, "/")...)
			s.Dir, s.Throwaway, s.Readable = module, []string{module}, []string{data}
			out := string(mustRun(t, s).Output)
			for _, path := range hidden {
				if strings.Contains(out, "file "+path+" true") || strings.Contains(out, "list "+path+" true") || tier == Full && strings.Contains(out, "there "+path+" true") {
					t.Errorf("%s is seen: %s", path, out)
				}
			}
			for _, seen := range []string{"file main.go true", "file " + data + " true", "list . true [- main.go]"} {
				if !strings.Contains(out, seen) {
					t.Errorf("no %q: %s", seen, out)
				}
			}
			if strings.Contains(out, "list / true") || strings.Contains(out, "d other/") {
				t.Errorf("listed: %s", out)
			}
		})
	}
}

// Of the root there is what programs need, and no other directory, whoever made it.
func TestTheRootHoldsWhatIsShown(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		if tier != Full {
			t.Skip("Landlock hides no names")
		}
		s := program(t, tier, "look", topPaths()...)
		needed := slices.Concat(systemDirs, commonDirs(), []string{"/dev", s.Dir, s.Path})
		out := string(mustRun(t, s).Output)
		for _, path := range topPaths() {
			info, err := os.Lstat(path)
			if err != nil || info.Mode()&os.ModeSymlink != 0 {
				continue
			}
			want := slices.ContainsFunc(resolved(needed), func(p string) bool { return within(path, p) })
			if strings.Contains(out, "there "+path+" true") != want {
				t.Errorf("%s: want %v: %s", path, want, out)
			}
		}
	})
}

// A module, what it reads and the directory of temporary files may be anywhere, and be
// reached by links.
func TestWhatIsShownMayBeReachedByLinks(t *testing.T) {
	for _, top := range elsewhere(t) {
		module, data, temp, links := filepath.Join(top, "disk", "module"), filepath.Join(top, "disk", "data"), filepath.Join(top, "disk", "temp"), filepath.Join(top, "links")
		testsupport.Write(t, filepath.Join(module, "main.go"), "package main\n")
		testsupport.Write(t, filepath.Join(data, "file"), "x")
		for _, err := range []error{os.Mkdir(temp, 0o700), os.Mkdir(links, 0o700), os.Symlink(filepath.Join(top, "disk"), filepath.Join(links, "disk")), os.Symlink("../links/disk/data", filepath.Join(links, "data"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		at := func(name string) string { return filepath.Join(links, filepath.FromSlash(name)) }
		tiers(t, func(t *testing.T, tier Tier) {
			for _, inPlace := range []bool{false, true} {
				s := program(t, tier, "look", at("disk/module/main.go"), at("data/file"), "main.go")
				s.Dir, s.Readable, s.InPlace = at("disk/module"), []string{at("data")}, inPlace
				out := string(mustRun(t, s).Output)
				for _, path := range s.Args {
					if !strings.Contains(out, "file "+path+" true") {
						t.Errorf("in place %v: %s", inPlace, out)
					}
				}
			}
			if tier != Full { // the other has its own
				return
			}
			made := at("disk/temp/made")
			s := program(t, tier, "write", made)
			s.Env = append(s.Env, "TMPDIR="+filepath.Dir(made))
			if out := string(mustRun(t, s).Output); !strings.Contains(out, made+" true true") {
				t.Errorf("no temporary file: %s", out)
			}
			if _, err := os.Stat(made); err == nil {
				t.Error("a temporary file was left")
			}
		})
	}
}

// Who may read the home directory does not get its secrets, but what is named itself.
func TestSecretsOfAReadableHome(t *testing.T) {
	home := testsupport.TempDir(t)
	t.Setenv("HOME", home)
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for _, name := range []string{".ssh/id", ".aws/config", ".netrc", "go/x"} {
		testsupport.Write(t, at(name), "x")
	}
	for _, test := range []struct{ readable, want []string }{
		{[]string{filepath.Dir(home)}, []string{at(".ssh"), at(".aws"), at(".netrc")}},
		{[]string{home, at(".netrc"), at(".aws/config")}, []string{at(".ssh")}},
		{[]string{at(".netrc"), at("go")}, nil},
	} {
		got := slices.DeleteFunc(masked(order{Readable: test.readable}), func(p string) bool { return !within(home, p) })
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: masked %q, want %q", test.readable, got, test.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	got := places(order{
		Shown: []string{"/usr", "/etc"}, Hidden: []string{"/tmp", "/tmp/home", "/usr/home"}, Throwaway: []string{"/tmp/home/module"},
		Readable: []string{"/usr-x", "/usr/lib/x", "/usr/home/go", "/usr/home/go/pkg", "/tmp/home/module/x", "/tmp/program", "/tmp/home-x", "/data/a", "/data"},
	})
	want := []string{"/data", "/etc", "/tmp", "/tmp/home-x", "/tmp/home", "/tmp/program", "/usr-x", "/usr", "/usr/home", "/usr/home/go"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWays(t *testing.T) {
	top := testsupport.TempDir(t)
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	testsupport.Write(t, at("a/b/file"), "x")
	want := map[string]string{at("a/up"): "../a/b", at("chain"): at("a/up"), at("loop"): "loop"}
	for path, to := range want {
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	got := ways([]string{at("chain/file"), at("loop/x"), at("a/b"), at("none/at/all"), "chain", ""})
	maps.DeleteFunc(got, func(path, _ string) bool { return !within(top, path) })
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
