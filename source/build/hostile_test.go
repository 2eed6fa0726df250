package build

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// To stamp what it lists or builds, the go command asks git about the repository, whose
// configuration may name a program that tells git which files have changed.
func TestTheGoCommandRunsNothingOfTheRepository(t *testing.T) {
	t.Setenv("GOENV", "off") // where the person may have switched stamping off
	t.Setenv("GOFLAGS", "")
	dir := module(t, program)
	ran := filepath.Join(t.TempDir(), "ran")
	monitor := filepath.Join(t.TempDir(), "monitor")
	testsupport.Write(t, monitor, "#!/bin/sh\ntouch '"+ran+"'\n")
	if err := os.Chmod(monitor, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "a"},
		{"config", "core.fsmonitor", monitor}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	out, err := exec.Command("git", "-C", dir, "status", "--porcelain").CombinedOutput()
	if _, missing := os.Stat(ran); missing != nil {
		t.Skipf("this git runs no such program: %v\n%s", err, out)
	}
	flags := spec(t, dir)
	flags.Flags = []string{"-buildvcs=true"} // as the person may have it elsewhere
	for name, do := range map[string]func(Spec) error{
		"list the tests": func(s Spec) error { _, err := TestPackages(t.Context(), s, []string{"./..."}); return err },
		"build":          func(s Spec) error { _, err := Build(t.Context(), s, nil); return err },
		"vet":            func(s Spec) error { _, err := Vet(t.Context(), s, []string{"./..."}); return err },
		"load": func(s Spec) error {
			args := append([]string{"list", "-e", "-deps", "-export", "-test"}, LoadFlags(s)...)
			_, _, err := run(t.Context(), s, new(bytes.Buffer), append(args, "./...")...)
			return err
		},
		"list the commands": func(s Spec) error { commandsHint(t.Context(), s); return nil },
	} {
		for _, s := range []Spec{spec(t, dir), flags} {
			_ = os.Remove(ran)
			if err := do(s); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, missing := os.Stat(ran); missing == nil {
				t.Errorf("%s, with the flags %q: the repository's program ran", name, s.Flags)
			}
		}
	}
}
