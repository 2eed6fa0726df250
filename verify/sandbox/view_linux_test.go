package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// What is mounted below a visible directory is visible as well, whether an overlay
// takes it or not, and no socket in it connects.
func TestWhatIsMountedIsShownWithoutSockets(t *testing.T) {
	for _, how := range []string{"pieces", "no overlay"} {
		t.Run(how, func(t *testing.T) {
			text, err := inMounts(t, "mounted", how)
			if err != nil || strings.Contains(text, "GOT THROUGH") || !strings.Contains(text, "all tried") || strings.Count(text, " true\n") < 4 {
				t.Errorf("%v: %s", err, text)
			}
			if own := strings.Contains(text, "own: true"); own != (how == "pieces") {
				t.Errorf("sockets of its own: %v: %s", own, text)
			}
		})
	}
}

// mounted mounts file systems in a directory, with a socket in each, and tries them
// from a sandbox.
func mounted(how, dir string) int {
	inner := filepath.Join(dir, "on the way", "in\\ner")
	file := filepath.Join(dir, "on the way", "file")
	over := func(at string) error {
		if how == "pieces" {
			return unix.Mount("tmpfs", at, "tmpfs", 0, "")
		}
		// Two of them, one upon the other, are as many as the kernel allows.
		err := errors.Join(os.Mkdir("low", 0o755), os.Mkdir("empty", 0o755), os.Mkdir("mid", 0o755), os.WriteFile("low/x", nil, 0o600))
		return errors.Join(err, unix.Mount("overlay", "mid", "overlay", 0, "lowerdir=low:empty"),
			os.Mkdir("up", 0o755), os.Mkdir("work", 0o755), unix.Mount("overlay", at, "overlay", 0, "lowerdir=mid,upperdir=up,workdir=work,userxattr"))
	}
	err := errors.Join(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), unix.Mount("tmpfs", dir, "tmpfs", 0, ""), os.Chdir(dir),
		os.MkdirAll(inner, 0o755), over(inner), os.WriteFile(file, []byte("x"), 0o600), os.Symlink("file", filepath.Join(dir, "on the way", "link")),
		os.WriteFile(filepath.Join(inner, "file"), []byte("x"), 0o600), unix.Mount(filepath.Join(inner, "file"), file, "", unix.MS_BIND, ""))
	if err != nil {
		fmt.Println(err)
		return 1
	}
	var paths []string
	for _, in := range []string{dir, filepath.Dir(inner), inner} {
		path := filepath.Join(in, "s")
		l, err := net.Listen("unix", path)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer l.Close()
		paths = append(paths, path)
	}
	goOn, _ := os.Open(os.DevNull)
	defer goOn.Close()
	work, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(work)
	for name, args := range map[string][]string{"reach-sockets": paths, "read": {file, filepath.Join(dir, "on the way", "link"), filepath.Join(inner, "file"), "/proc/self/stat"}} {
		r, err := Run(context.Background(), Spec{Path: os.Args[0], Args: args, Dir: work, Readable: []string{dir}, Max: Full,
			Env: append(os.Environ(), behavior+"="+name), ExtraFiles: []*os.File{goOn}})
		fmt.Println(string(r.Output), r.Tier, err)
	}
	return 0
}

func TestMountsAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mountinfo")
	text := `36 35 98:0 / / rw,noatime master:1 - ext4 /dev/root rw,errors=continue
37 36 0:4 / /a\040b\134c rw shared:2 master:3 - fuse.x y rw
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readMounts(file)
	if want := []mount{{"/", "ext4"}, {`/a b\c`, "fuse.x"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	l := layer{mounts: []mount{{"/", "ext4"}, {"/sys", "sysfs"}, {"/sys/x", "cgroup2"}, {"/boot", "vfat"}, {"/data", "tmpfs"}, {"/data", "vfat"}}}
	for path, want := range map[string][2]bool{"/": {true, true}, "/usr": {false, true}, "/sys": {true, false}, "/boot": {}, "/data": {}, "/sys/x/y": {}} {
		if inner, sockets := l.below(path); [2]bool{inner, sockets} != want {
			t.Errorf("%s: %v %v", path, inner, sockets)
		}
	}
}

// inMounts has a test binary do something in a mount namespace of its own, to a directory.
func inMounts(t *testing.T, does string, args ...string) (string, error) {
	t.Helper()
	if best, reasons := Detect(); best != Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append(args, t.TempDir())...)
	cmd.Env = append(os.Environ(), behavior+"="+does)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL, AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_DAC_OVERRIDE}}
	inUserNamespace(cmd.SysProcAttr, os.Geteuid() == 0)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// A module in which something is mounted is seen and written to as any other, and
// nothing of that stays.
func TestAModuleWithMountsIsThrownAway(t *testing.T) {
	out, err := inMounts(t, "mounted-module")
	if err != nil || strings.Contains(out, "false") || strings.Count(out, "true true") != 17 || strings.Count(out, " 12\n") != 5 {
		t.Errorf("%v: %s", err, out)
	}
}

// The processes of the machine are not seen, wherever else they are mounted.
func TestOtherProcessesAreHidden(t *testing.T) {
	out, err := inMounts(t, "mounted-processes")
	if err != nil || strings.Contains(out, "true") || strings.Count(out, "false") != 6 {
		t.Errorf("%v: %s", err, out)
	}
}

// mountedProcesses mounts /proc elsewhere, and has a program look there.
func mountedProcesses(dir string) int {
	dir, _ = filepath.EvalSymlinks(dir)
	inner := filepath.Join(dir, "root", "proc")
	err := errors.Join(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), os.MkdirAll(inner, 0o755), unix.Mount("/proc", inner, "", unix.MS_BIND|unix.MS_REC, ""))
	work, err2 := os.MkdirTemp("", "sandbox-test-")
	if err := errors.Join(err, err2); err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(work)
	own := filepath.Join(inner, fmt.Sprint(os.Getpid()), "stat")
	if _, err := os.Stat(own); err != nil {
		own = filepath.Join(inner, "1", "stat") // of another namespace
	}
	s := Spec{Path: os.Args[0], Args: []string{own, filepath.Join(inner, "meminfo")}, Dir: work, Max: Full, Env: append(os.Environ(), behavior+"=read")}
	readable, throwaway, plain := s, s, s
	readable.Readable, throwaway.Throwaway = []string{dir}, []string{dir}
	plain.Readable, plain.Writable = []string{dir}, []string{work}
	for _, s := range []Spec{readable, throwaway, plain} {
		r, err := Run(context.Background(), s)
		fmt.Println(string(r.Output), err)
	}
	return 0
}

// mountedModule mounts a file system and a file in a module, has a program write all
// over it, and looks at what has become of it.
func mountedModule(dir string) int {
	module, _ := filepath.EvalSymlinks(dir)
	inner, file := filepath.Join(module, "a b", "cache"), filepath.Join(module, "config")
	err := errors.Join(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), os.MkdirAll(inner, 0o755), os.Mkdir(filepath.Join(module, "pkg"), 0o755),
		unix.Mount("tmpfs", inner, "tmpfs", 0, ""), os.Symlink("main.go", filepath.Join(module, "link")))
	files := []string{filepath.Join(module, "main.go"), filepath.Join(module, "pkg", "p.go"), filepath.Join(module, "a b", "q.go"), filepath.Join(inner, "r.go"), file}
	for _, f := range files {
		err = errors.Join(err, os.WriteFile(f, []byte("package old\n"), 0o644))
	}
	if err = errors.Join(err, unix.Mount(files[0], file, "", unix.MS_BIND, "")); err != nil {
		fmt.Println(err)
		return 1
	}
	work, err := os.MkdirTemp("", "sandbox-test-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(work)
	s := Spec{Path: os.Args[0], Args: files, Dir: work, Throwaway: []string{module}, Max: Full, Env: append(os.Environ(), behavior+"=sizes")}
	for range 3 {
		r, err := Run(context.Background(), s)
		fmt.Println(string(r.Output), err == nil, err)
		s.AllowFiles = strings.HasSuffix(s.Env[len(s.Env)-1], "=write")
		s.Args, s.Env = append(slices.Clip(files), filepath.Join(inner, "new")), append(s.Env, behavior+"=write")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		fmt.Println(f, "stays:", string(text) == "package old\n", err == nil)
	}
	_, err = os.Stat(filepath.Join(inner, "new"))
	fmt.Println("not made:", os.IsNotExist(err))
	return 0
}
