package scratch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOnlyWhatTheDeadHaveLeftIsSwept(t *testing.T) {
	temp, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip(err)
	}
	sleeper := exec.Command("sleep", "100")
	if err := sleeper.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() }()
	of := func(pid int, space, kind string) string {
		return fmt.Sprintf("pausetui-%d.%s-%s-%s-123", pid, began(pid), space, kind)
	}
	dead, later := gone.Process.Pid, time.Now().Add(time.Hour)
	long := time.Now().Add(-time.Hour)
	keep := map[string]time.Time{
		of(sleeper.Process.Pid, space(), "overlay"):                           later,
		of(sleeper.Process.Pid, space(), "old"):                               long, // the clock was set since
		fmt.Sprintf("pausetui-%d-%s-earlier-1", sleeper.Process.Pid, space()): long, // of an earlier version
		of(os.Getpid(), space(), "git"):                                       long,
		of(dead, space()+"9", "git"):                                          long, // another container's
		"pausetui-verify-of-somebody":                                         long,
	}
	swept := map[string]time.Time{
		of(dead, space(), "engine"): later,
		fmt.Sprintf("pausetui-%d.%s-%s-sandbox-1", sleeper.Process.Pid, "7", space()): later, // its number is another's by now
		fmt.Sprintf("pausetui-%d-%s-engine-1", dead, space()):                         long,
	}
	for _, dirs := range []map[string]time.Time{keep, swept} {
		for name, at := range dirs {
			dir := filepath.Join(temp, name)
			must(t, os.Mkdir(dir, 0o700))
			must(t, os.Symlink(elsewhere, filepath.Join(dir, "link")))
			must(t, os.Chtimes(dir, at, at))
		}
	}
	must(t, os.WriteFile(filepath.Join(elsewhere, "precious"), nil, 0o600))
	link := of(dead, space(), "edit")
	must(t, os.Symlink(elsewhere, filepath.Join(temp, link)))
	keep[link] = long
	foreign := of(dead, space(), "foreign")
	if os.Geteuid() == 0 {
		must(t, os.Mkdir(filepath.Join(temp, foreign), 0o700))
		must(t, os.Chown(filepath.Join(temp, foreign), 65534, 65534))
		keep[foreign] = long
	}
	Sweep()
	for name := range keep {
		if _, err := os.Lstat(filepath.Join(temp, name)); err != nil {
			t.Errorf("%s was swept", name)
		}
	}
	for name := range swept {
		if _, err := os.Lstat(filepath.Join(temp, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "precious")); err != nil {
		t.Error("a link was followed")
	}
}

func TestPatternIsSwept(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := os.MkdirTemp("", Pattern("overlay"))
	must(t, err)
	if !name.MatchString(filepath.Base(dir)) {
		t.Errorf("%q is not known as ours", dir)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What lives here began at another time where the clock counts from another moment.
func TestAnotherClockSweepsNothing(t *testing.T) {
	if dir := os.Getenv("PAUSETUI_SWEEPS"); dir != "" {
		SweepIn(dir)
		return
	}
	temp := t.TempDir()
	mine := filepath.Join(temp, strings.TrimSuffix(Pattern("engine"), "-")+"-1")
	must(t, os.Mkdir(mine, 0o700))
	try := exec.Command("unshare", "--time", "--boottime", "5000", "--fork", os.Args[0], "-test.run=^TestAnotherClockSweepsNothing$")
	try.Env = append(os.Environ(), "PAUSETUI_SWEEPS="+temp)
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("no time namespaces: %v: %s", err, out)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("what a living process uses was swept: %v", err)
	}
}

// What is nested deeper than files can be open, and locked, is removed too.
func TestRemoveDeepDirectories(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep")
	must(t, os.Mkdir(dir, 0o700))
	const levels = 1200
	at, err := os.OpenRoot(dir)
	must(t, err)
	for range levels {
		must(t, at.Mkdir("d", 0o700))
		below, err := at.OpenRoot("d")
		must(t, err)
		_ = at.Close()
		at = below
	}
	must(t, at.Mkdir("locked", 0o700))
	must(t, at.WriteFile("locked/file", nil, 0o600))
	must(t, at.Chmod("locked", 0o300))
	_ = at.Close()
	var was syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was))
	few := was
	few.Cur = 300
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	err = Remove(dir)
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was))
	if _, left := os.Lstat(dir); err != nil || !os.IsNotExist(left) {
		t.Errorf("%v, %v", err, left)
	}
}
