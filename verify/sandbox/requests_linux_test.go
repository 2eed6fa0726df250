package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// only is the error of an attack that has to fail so, and no other way: the kernel, or the
// file system here, may not know what was asked.
func only(want unix.Errno, err error) error {
	if errors.Is(err, want) {
		return err
	}
	fmt.Println("it failed by itself:", err)
	return nil
}

// askFileSystems makes requests of every kind through a file that may only be read: among
// them are those for the keys of encrypted directories, and for fs-verity.
func askFileSystems([]string) error {
	return opened("/proc/self/exe", func(f *os.File) error {
		for kind := range uintptr(256) {
			requests := []uintptr{0x4000007d | kind<<8}
			switch kind {
			case 0, 'T', 0x89:
				continue
			case 'f': // FS_IOC_ADD_ENCRYPTION_KEY, _REMOVE_, _SET_ENCRYPTION_POLICY, FS_IOC_ENABLE_VERITY, EXT4_IOC_SETVERSION
				requests = append(requests, 0xc0506617, 0xc0406618, 0x800c6613, 0x40806685, 0x40086604)
			case 0x94: // BTRFS_IOC_SUBVOL_CREATE, FICLONE
				requests = append(requests, 0x5000940e, 0x40049409)
			}
			for _, r := range requests {
				if err := only(unix.EPERM, call(unix.SYS_IOCTL, f.Fd(), r, 0)); err == nil {
					return nil
				}
				if err := only(unix.EPERM, call(unix.SYS_IOCTL, f.Fd(), r|1<<32, 0)); err == nil { // the kernel looks at half of it
					return nil
				}
			}
		}
		if _, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS); errors.Is(err, unix.EPERM) {
			fmt.Println("GOT THROUGH: what does no harm is refused:", err)
		}
		return unix.EPERM
	})
}

// keepInPipe has a pipe keep memory that is not this process's any more.
func keepInPipe([]string) error {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return err
	}
	defer func() { _, _ = unix.Close(ends[0]), unix.Close(ends[1]) }()
	page := []byte{1}
	v := unix.Iovec{Base: &page[0], Len: 1}
	return call(unix.SYS_VMSPLICE, uintptr(ends[1]), uintptr(unsafe.Pointer(&v)), 1)
}

// lowerCoreLimit sets the limit of core dumps to 0, in every way. That it seems to succeed
// is no success.
func lowerCoreLimit([]string) error {
	zero := &unix.Rlimit{}
	pointer := uintptr(unsafe.Pointer(zero))
	ways := []error{
		call(unix.SYS_SETRLIMIT, unix.RLIMIT_CORE, pointer, 0),
		call(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_CORE, pointer),
		call(unix.SYS_PRLIMIT64, uintptr(os.Getpid()), unix.RLIMIT_CORE, pointer),
	}
	if low, err := mapAt(1 << 32); err == nil { // the lower half of its address is 0
		ways = append(ways, call(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_CORE, low))
	}
	var is unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &is); err != nil || is.Cur != 1 || is.Max != 1 || slices.ContainsFunc(ways, func(err error) bool { return err != nil }) {
		fmt.Println("GOT THROUGH:", is, err, ways)
	}
	return unix.EPERM
}

// mapAt has a page of zeros at an address.
func mapAt(address uintptr) (uintptr, error) {
	at, _, errno := unix.Syscall6(unix.SYS_MMAP, address, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED_NOREPLACE, ^uintptr(0), 0)
	return at, fromErrno(errno)
}

// headless takes all memory in processes whose first threads have ended.
func headless() int {
	for range 4 { // each within its own limit
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), behavior+"=hold-headless")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			fmt.Println(err)
		}
	}
	time.Sleep(30 * time.Second)
	fmt.Println("NOBODY LOOKED")
	return 0
}

// The main goroutine is to be that of the first thread.
func init() {
	if os.Getenv(behavior) == "hold-headless" {
		runtime.LockOSThread()
	}
}

// holdHeadless holds memory, and ends its first thread.
func holdHeadless() int {
	go hold()
	_, _, _ = syscall.Syscall(unix.SYS_EXIT, 0, 0, 0)
	return 1
}

// The memory of a process is counted whose first thread tells nothing of it.
func TestMemoryIsCountedWithoutAFirstThread(t *testing.T) {
	users(t, func(t *testing.T, uid int) {
		tiers(t, func(t *testing.T, tier Tier) {
			s := program(t, tier, "headless")
			s.Limits.Memory, s.Limits.Wall = 300<<20, time.Minute
			r := runAs(t, uid, s)
			if r.Limit != LimitMemory || strings.Contains(string(r.Output), "NOBODY LOOKED") {
				t.Errorf("result %+v, output %q", r, r.Output)
			}
			nothingLeft(t)
		})
	})
}

// watchFiles reports what is done with files by others, until told to go on.
func watchFiles(paths []string) int {
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	fmt.Println("watching:", err)
	for _, path := range paths {
		_, err := os.ReadFile(path)
		fmt.Println("readable:", err)
		_, _ = unix.InotifyAddWatch(watch, path, unix.IN_ALL_EVENTS)
	}
	fmt.Println("ready")
	_, _ = os.NewFile(3, "go on").Read(make([]byte, 1))
	if n, err := unix.Read(watch, make([]byte, 4096)); err == nil && n > 0 {
		fmt.Println("GOT THROUGH")
	}
	fmt.Println("all tried")
	return 0
}

// Of a file that a program is given, it does not see who else uses it.
func TestFilesThatAreShownAreNotWatched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(*Spec){
		"named":          func(s *Spec) { s.Args, s.Readable = []string{file}, []string{file} },
		"standard input": func(s *Spec) { s.Args, s.Stdin = []string{"/proc/self/fd/0"}, file },
	} {
		t.Run(name, func(t *testing.T) {
			tiers(t, func(t *testing.T, tier Tier) {
				s := program(t, tier, "watch-files")
				set(&s)
				wait, goOn, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer wait.Close()
				s.ExtraFiles = []*os.File{wait}
				s.Watch = &watching{line: "ready\n", found: func() {
					_, err := os.ReadFile(file)
					if err := errors.Join(err, os.WriteFile(file, []byte("y"), 0o644), goOn.Close()); err != nil {
						t.Error(err)
					}
				}}
				out := string(mustRun(t, s).Output)
				if strings.Contains(out, "GOT THROUGH") || !strings.Contains(out, "all tried") || name == "named" && !strings.Contains(out, "readable: <nil>") {
					t.Error(out)
				}
				if name == "named" && tier == Full && !strings.Contains(out, "watching: <nil>") {
					t.Errorf("no program may watch its own files: %s", out)
				}
			})
		})
	}
}
