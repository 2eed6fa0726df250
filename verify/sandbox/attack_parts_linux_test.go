package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Each fence has to hold where another has fallen.

// TestMountsAreLocked has a process with every right in its namespace, and no
// filter, try to change what was mounted in the one above.
func TestMountsAreLocked(t *testing.T) {
	if best, reasons := Detect(); best != Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
	users(t, func(t *testing.T, uid int) {
		home := t.TempDir()
		secret := filepath.Join(home, "secret")
		if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		open(t, home)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(self) // which may lie where the user does not get to
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		cmd := exec.CommandContext(t.Context(), "/proc/self/fd/3", home)
		cmd.ExtraFiles = []*os.File{file}
		cmd.Dir, cmd.Env = "/", append(os.Environ(), behavior+"=above")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL,
			AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE},
		}
		inUserNamespace(cmd.SysProcAttr, uid == 0)
		if uid != os.Geteuid() {
			id := []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
			cmd.SysProcAttr.UidMappings, cmd.SysProcAttr.GidMappings = id, id
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid), NoSetGroups: true}
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "all tried") || strings.Contains(string(out), "GOT THROUGH") {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// above stands for the init: it mounts, and starts what is to be locked in.
func above(home string) int {
	err := ownProcesses()
	if err == nil {
		err = unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
	}
	if err == nil {
		err = unix.Mount("tmpfs", home, "tmpfs", 0, "")
	}
	if err == nil {
		err = mountProc() // to be written to for the child's ids
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	cmd := exec.Command("/proc/self/exe", home)
	cmd.Env = append(os.Environ(), behavior+"=locked-in")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}}
	inUserNamespace(cmd.SysProcAttr, os.Geteuid() == 0)
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// lockedIn tries with the rights to mount that it has in its own namespace.
func lockedIn(home string) int {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		fmt.Println(err)
		return 1
	}
	if err := unix.Mount("tmpfs", "/mnt", "tmpfs", 0, ""); err != nil {
		fmt.Println("no rights to try with:", err)
		return 1
	}
	for name, err := range map[string]error{
		"remount":     unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, ""),
		"clear flags": clearFlags("/"),
		"uncover":     unix.Unmount(home, unix.MNT_DETACH),
		"look below":  lookBelow(home),
		"trace":       openAny(os.O_RDWR, "/proc/%d/mem"),
	} {
		if err == nil {
			fmt.Println(name, "GOT THROUGH")
		}
	}
	fmt.Println("all tried")
	return 0
}

// lookBelow clones the tree around a mount without what is mounted on it.
func lookBelow(home string) error {
	fd, err := unix.OpenTree(unix.AT_FDCWD, filepath.Dir(home), unix.OPEN_TREE_CLONE)
	if err != nil {
		return err
	}
	below, err := unix.Openat(fd, filepath.Base(home)+"/secret", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return unix.Close(below)
}

// TestLandlockHidesAgain has nothing mounted over the hidden directory.
func TestLandlockHidesAgain(t *testing.T) {
	for _, tier := range []Tier{Full, Landlock} {
		t.Run(string(tier), func(t *testing.T) {
			if best, reasons := Detect(); best == None {
				t.Skipf("this system has no sandbox: %v", reasons)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			hidden := filepath.Join(t.TempDir(), "a", "b")
			if err := os.MkdirAll(hidden, 0o755); err != nil {
				t.Fatal(err)
			}
			secret, beside := filepath.Join(hidden, "secret"), filepath.Join(filepath.Dir(hidden), "beside")
			link := filepath.Join(filepath.Dir(hidden), "link") // to be passed over
			if err := os.Symlink(hidden, link); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{secret, beside} {
				if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), self, string(tier), hidden, secret, beside)
			cmd.Env = append(os.Environ(), behavior+"=restricted")
			out, err := cmd.CombinedOutput()
			want := fmt.Sprintf("%s permission denied\n%s <nil>\n/etc/passwd <nil>\n", secret, beside)
			if err != nil || string(out) != want {
				t.Errorf("%v: %s, want %s", err, out, want)
			}
		})
	}
}

// restricted reads what Landlock alone lets it.
func restricted(tier Tier, hidden string, paths []string) int {
	if err := restrict(order{Tier: tier, Hidden: []string{hidden}, Shown: []string{filepath.Dir(hidden), "/etc"}}); err != nil {
		fmt.Println(err)
		return 1
	}
	for _, path := range append(paths, "/etc/passwd") {
		_, err := os.ReadFile(path)
		var errno syscall.Errno
		if errors.As(err, &errno) {
			err = errno
		}
		fmt.Println(path, err)
	}
	return 0
}

// Where user namespaces are switched off, the landlock tier is there, and it says why.
func TestWithoutUserNamespacesThereIsLandlock(t *testing.T) {
	if best, reasons := Detect(); best == None {
		t.Skipf("this system has no sandbox: %v", reasons)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, t.TempDir())
	cmd.Env = append(os.Environ(), behavior+"=without-namespaces")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, AmbientCaps: []uintptr{unix.CAP_SYS_RESOURCE}}
	inUserNamespace(cmd.SysProcAttr, os.Geteuid() == 0)
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil || !strings.HasPrefix(text, "landlock [full: ") || !strings.Contains(text, "switched off") || !strings.HasSuffix(text, "]\nargs []\n 7 landlock <nil>\n") {
		t.Errorf("%v: %s", err, text)
	}
}

// withoutNamespaces switches them off for itself, which only its own can be, and runs a program.
func withoutNamespaces(dir string) int {
	if err := os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(Detect())
	r, err := Run(context.Background(), Spec{Path: os.Args[0], Dir: dir, Env: append(os.Environ(), behavior+"=exit")})
	fmt.Println(string(r.Output), r.ExitCode, r.Tier, err)
	return 0
}

// TestSignalsStayWithinWithoutLandlock is for kernels whose Landlock does not
// know of signals.
func TestSignalsStayWithinWithoutLandlock(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), behavior+"=unscoped")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "all tried\n" {
		t.Errorf("%v: %s", err, out)
	}
}

func unscoped() int {
	runtime.LockOSThread()
	own, other := os.Getpid(), os.Getppid()
	pidfd, err := unix.PidfdOpen(other, 0)
	if err == nil {
		err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err == nil {
		err = filter(signalDenials(uint32(own)))
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	for name, err := range map[string]error{
		"kill": unix.Kill(other, 0), "kill all": unix.Kill(-1, 0), "a group": unix.Kill(-other, 0), "tgkill": unix.Tgkill(other, other, 0),
		"tkill": call(unix.SYS_TKILL, uintptr(other), 0, 0), "by descriptor": unix.PidfdSendSignal(pidfd, 0, nil, 0),
		"by a file's owner":              fcntl(0, unix.F_SETOWN, other),
		"by a file's owner, ioctl":       unix.IoctlSetPointerInt(0, setOwner, other),
		"with garbage in the upper half": call(unix.SYS_KILL, uintptr(other)|1<<32, 0, 0),
	} {
		if !errors.Is(err, unix.EPERM) {
			fmt.Println(name, err)
		}
	}
	for name, err := range map[string]error{"kill": unix.Kill(own, 0), "group": unix.Kill(0, 0), "tgkill": unix.Tgkill(own, unix.Gettid(), 0)} {
		if err != nil {
			fmt.Println("oneself,", name, err)
		}
	}
	fmt.Println("all tried")
	return 0
}

func fcntl(fd, command, value int) error {
	_, err := unix.FcntlInt(uintptr(fd), command, value)
	return err
}

// Where processes can hide from others of their user there is no sandbox, but for those
// whom nobody hides from: nobody would count them.
func TestNothingRunsWhereProcessesHide(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	open(t, dir)
	self = filepath.Join(dir, "self.test")
	if err := os.WriteFile(self, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[int]string{0: "landlock", nobody: "none [landlock: "} {
		cmd := exec.CommandContext(t.Context(), self, fmt.Sprint(uid))
		cmd.Env = append(os.Environ(), behavior+"=among-hidden")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) || uid != 0 && !strings.Contains(string(out), "hidepid") {
			t.Errorf("user %d: %v: %s", uid, err, out)
		}
	}
	for mounts, want := range map[string]bool{
		"25 1 0:23 / /proc rw - proc proc rw,hidepid=2,gid=4711\n": true, "25 1 0:23 / /proc rw - proc proc rw\n": false,
		fmt.Sprintf("25 1 0:23 / /proc rw - proc proc rw,gid=%d,hidepid=ptraceable\n", os.Getegid()):                        false,
		"25 1 0:23 / /proc rw - proc proc rw,hidepid=invisible,gid=4711\n26 1 0:23 / /proc rw - proc proc rw,hidepid=off\n": false,
		"25 1 0:23 / /other/proc rw - proc proc rw,hidepid=2,gid=4711\n":                                                    false,
	} {
		if got := hidesProcesses(mounts); got != want {
			t.Errorf("%q: %v", mounts, got)
		}
	}
}

// amongHidden says which sandbox a user has where processes are hidden and there are no
// user namespaces.
func amongHidden(uid string) int {
	err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if err == nil {
		err = unix.Mount("proc", "/proc", "proc", 0, "hidepid=2")
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	n, _ := strconv.Atoi(uid)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), behavior+"=detect", tierVariable+"=landlock"), os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(n), Gid: uint32(n)}}
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// byNetlink gets a socket with which it could send to others of the machine, or listen to the
// kernel.
func byNetlink([]string) error {
	var failed error
	for _, protocol := range []int{unix.NETLINK_USERSOCK, unix.NETLINK_CONNECTOR, unix.NETLINK_KOBJECT_UEVENT, unix.NETLINK_GENERIC} {
		s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, protocol)
		if err == nil {
			_ = unix.Close(s)
			return nil
		}
		failed = err
	}
	return failed
}
