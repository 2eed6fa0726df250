package scratch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAKilledGoCommandLeavesNothing: a process starts a go command, both are killed while it
// works, and the next start removes what it has left.
func TestAKilledGoCommandLeavesNothing(t *testing.T) {
	if os.Getenv("SCRATCH_CHILD") != "" { // the process that is killed
		cmd := exec.Command("go", "build", "-toolexec="+os.Getenv("SCRATCH_CHILD"), "errors")
		cmd.Env = GoEnv(nil)
		_ = cmd.Start()
		time.Sleep(time.Minute)
		return
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	temp, slow := t.TempDir(), filepath.Join(t.TempDir(), "slow")
	must(t, os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 60\n"), 0o700)) // for a compiler that works
	child := exec.Command(os.Args[0], "-test.run=^TestAKilledGoCommandLeavesNothing$")
	child.Env = append(os.Environ(), "SCRATCH_CHILD="+slow, "TMPDIR="+temp, "GOTMPDIR=", "GOENV=off")
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	left := func() (list []string) {
		_ = filepath.WalkDir(temp, func(path string, _ os.DirEntry, _ error) error {
			if strings.HasPrefix(filepath.Base(path), "go-build") {
				list = append(list, path)
			}
			return nil
		})
		return list
	}
	for end := time.Now().Add(30 * time.Second); len(left()) == 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	_ = syscall.Kill(-child.Process.Pid, syscall.SIGKILL)
	_ = child.Wait()
	if len(left()) == 0 {
		t.Skip("the go command had ended")
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("GOTMPDIR", "")
	Sweep()
	if list := left(); len(list) > 0 {
		t.Errorf("after the next start there is %v", list)
	}
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// What the person has set stays the place.
func TestGoEnv(t *testing.T) {
	mine, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("GOENV", "off")
	defer Leave()
	last := func(env []string) string { return strings.TrimPrefix(env[len(env)-1], "GOTMPDIR=") }
	if dir := last(GoEnv([]string{"GOTMPDIR=" + mine})); filepath.Dir(dir) != mine || !name.MatchString(filepath.Base(dir)) {
		t.Errorf("it works in %q", dir)
	}
	dir := last(GoEnv(nil))
	if filepath.Dir(dir) != temp || last(GoEnv([]string{"A=b"})) != dir {
		t.Errorf("it works in %q", dir)
	}
	if env := GoEnv([]string{"TMPDIR=" + mine}); !slices.Contains(env[1:], "TMPDIR="+dir) {
		t.Errorf("C compilers work elsewhere: %v", env)
	}
	Leave()
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is left")
	}
	settings := filepath.Join(mine, "env")
	must(t, os.WriteFile(settings, []byte("GOFLAGS=-v\nGOTMPDIR=/elsewhere\n"), 0o600))
	t.Setenv("GOENV", settings)
	if env := GoEnv([]string{"A=b"}); len(env) != 1 {
		t.Errorf("the settings do not count: %v", env)
	}
	t.Setenv("GOENV", "off")
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	if env := GoEnv([]string{"A=b"}); len(env) != 1 {
		t.Errorf("without a directory it is %v", env)
	}
}
