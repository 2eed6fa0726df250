package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/supervise"
)

// attacks are what a hostile program tries; each returns nil if it got through.
// The arguments are paths and addresses that the test has prepared.
var attacks = map[string]func(args []string) error{
	"trace the init":             func([]string) error { return syscall.PtraceAttach(os.Getppid()) },
	"write to the init's memory": func([]string) error { return openAny(os.O_RDWR, "/proc/%d/mem", "/proc/%d/task/%d/mem") },
	"copy from the init's memory": func([]string) error {
		var b [1]byte
		local := []unix.Iovec{{Base: &b[0], Len: 1}}
		_, err := unix.ProcessVMReadv(os.Getppid(), local, []unix.RemoteIovec{{Base: 0x400000, Len: 1}}, 0)
		return err
	},
	"forge a report":                          forgeReport,
	"read the init's variables":               func([]string) error { return openAny(os.O_RDONLY, "/proc/%d/environ") },
	"take the init's file":                    func([]string) error { return pidfdGet(os.Getppid(), reportFile) },
	"use an inherited file":                   func([]string) error { _, err := unix.Read(leaked, make([]byte, 1)); return err },
	"type into, or read, the user's terminal": func(args []string) error { return opened(args[6], func(*os.File) error { return nil }) },
	"make the disk writable":                  func([]string) error { return syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, "") },
	"clear the flags of a mount":              func([]string) error { return clearFlags("/") },
	"uncover what is hidden":                  func([]string) error { return syscall.Unmount("/tmp", syscall.MNT_DETACH) },
	"clone a mount": func([]string) error {
		_, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE)
		return err
	},
	"make a file system":     func([]string) error { _, err := unix.Fsopen("tmpfs", 0); return err },
	"change the root":        func([]string) error { return syscall.Chroot("/") },
	"enter a user namespace": func([]string) error { return unix.Unshare(unix.CLONE_NEWUSER) },
	"be born in a namespace": func([]string) error { return bornIn(syscall.CLONE_NEWUSER) },
	"be born in a namespace, by the newer call": func([]string) error {
		args := struct{ flags, rest [1]uint64 }{flags: [1]uint64{unix.CLONE_NEWUSER}}
		_, _, errno := syscall.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), 64, 0)
		return fromErrno(errno)
	},
	"join the init's namespace": func([]string) error { return openAny(os.O_RDONLY, "/proc/%d/ns/mnt", "/proc/%d/ns/user") },
	"read what is hidden":       readHidden,
	"send by netlink":           byNetlink,
	"reach memory without a file": func([]string) error {
		_, err := unix.MemfdCreate("x", 0)
		return err
	},
	"reach System V memory": func([]string) error {
		_, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, 0o600|unix.IPC_CREAT)
		return err
	},
	"attach others' memory":   func(a []string) error { return call(unix.SYS_SHMAT, id(a[7]), 0, 0) },
	"remove others' memory":   func(a []string) error { return call(unix.SYS_SHMCTL, id(a[7]), unix.IPC_RMID, 0) },
	"take others' messages":   func(a []string) error { return message(unix.SYS_MSGRCV, a[8]) },
	"send others a message":   func(a []string) error { return message(unix.SYS_MSGSND, a[8]) },
	"remove others' messages": func(a []string) error { return call(unix.SYS_MSGCTL, id(a[8]), unix.IPC_RMID, 0) },
	"change others' semaphores": func(a []string) error {
		return call(unix.SYS_SEMOP, id(a[9]), uintptr(unsafe.Pointer(&[3]uint16{0, 1, unix.IPC_NOWAIT})), 1)
	},
	"remove others' semaphores": func(a []string) error { return call(unix.SYS_SEMCTL, id(a[9]), 0, unix.IPC_RMID) },
	"hold memory in secret":     func([]string) error { return call(unix.SYS_MEMFD_SECRET, 0, 0, 0) },
	"share memory":              func([]string) error { return mapShared(-1, unix.MAP_ANON) },
	"share zeros":               shareZeros,
	"reach the kernel's keys": func([]string) error {
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true)
		return err
	},
	"load a BPF program": func([]string) error { return call(unix.SYS_BPF, 0, 0, 0) },
	"watch the machine":  func([]string) error { return call(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0) },
	"handle faults":      func([]string) error { return call(unix.SYS_USERFAULTFD, 0, 0, 0) },
	"count a context": func([]string) error {
		var context uintptr
		return call(unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&context)), 0)
	},
	"use up watchers":  useUpWatchers,
	"use up watches":   useUpWatches,
	"use up terminals": func([]string) error { return manyFiles(terminals, "/dev/ptmx") },
	"open a lot of files": func([]string) error {
		if err := manyFiles(500, "/dev/null"); err != nil {
			fmt.Println("GOT THROUGH: not as many as programs need:", err)
		}
		return manyFiles(1000, "/dev/null")
	},
	"use up pending timers": useUpTimers,
	"use up huge pages": func([]string) error { // reserves none for the attempt
		_, err := unix.Mmap(-1, 0, 2<<20, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_HUGETLB|unix.MAP_NORESERVE)
		return err
	},
	"use up message queues": func([]string) error {
		name := []byte("pausetui-sandbox-test\x00")
		return call(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(&name[0])), unix.O_CREAT|unix.O_RDWR, 0o600)
	},
	"be told who uses a directory": func([]string) error {
		return opened("/usr", func(f *os.File) error { return fcntl(int(f.Fd()), unix.F_NOTIFY, 1) })
	},
	"hold up who opens a file": func([]string) error {
		f, err := os.Open("/etc/hostname")
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
		return err
	},
	"hold up who changes a directory": func([]string) error {
		return opened("/usr", func(f *os.File) error {
			_, err := unix.FcntlInt(f.Fd(), unix.F_SETDELEG, unix.F_RDLCK)
			return only(unix.EACCES, err)
		})
	},
	"keep memory in a pipe":                    keepInPipe,
	"ask what file systems answer":             askFileSystems,
	"have a handler of crashes started":        lowerCoreLimit,
	"make a ring":                              func([]string) error { return call(unix.SYS_IO_URING_SETUP, 1, 0, 0) },
	"load a module":                            func([]string) error { return call(unix.SYS_INIT_MODULE, 0, 0, 0) },
	"change personality":                       func([]string) error { return call(unix.SYS_PERSONALITY, 8, 0, 0) },
	"call by the 32-bit gate":                  func([]string) error { return old32() },
	"use a call that is newer than the filter": func([]string) error { return call(newestCall+1, 0, 0, 0) },
	"make up the sender of a signal": func([]string) error {
		info := [128]byte{8: 0xff, 9: 0xff, 10: 0xff, 11: 0xff}
		return call(unix.SYS_RT_SIGQUEUEINFO, uintptr(os.Getpid()), uintptr(unix.SIGURG), uintptr(unsafe.Pointer(&info)))
	},
	"use a strange kind of socket": func([]string) error {
		for _, family := range []int{unix.AF_ALG, unix.AF_VSOCK, unix.AF_PACKET, unix.AF_KEY, unix.AF_CAN} {
			if fd, err := unix.Socket(family, unix.SOCK_RAW, 0); err == nil {
				return unix.Close(fd)
			}
		}
		return errors.New("none of them")
	},
	"blind the init": func([]string) error {
		return unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, &unix.Rlimit{}, nil)
	},
	"slow the init down": func([]string) error { return unix.Setpriority(unix.PRIO_PROCESS, os.Getppid(), 19) },
	"slow the user down": func([]string) error { return unix.Setpriority(unix.PRIO_USER, os.Getuid(), 19) },
	"let the init idle": func([]string) error {
		return call(unix.SYS_SCHED_SETSCHEDULER, uintptr(os.Getppid()), unix.SCHED_IDLE, uintptr(unsafe.Pointer(new(int32))))
	},
	"crowd the init":           func([]string) error { return unix.SchedSetaffinity(os.Getppid(), &unix.CPUSet{1}) },
	"starve the init of disks": func([]string) error { return call(unix.SYS_IOPRIO_SET, 1, uintptr(os.Getppid()), 3<<13) },
	"open a disk": func([]string) error {
		if err := unix.Mknod("disk", unix.S_IFBLK|0o600, int(unix.Mkdev(254, 0))); err != nil {
			return err
		}
		f, err := os.Open("disk")
		if err == nil {
			_ = f.Close()
		}
		return err
	},
	"write what root may": func([]string) error {
		return openAny(os.O_WRONLY, "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/overcommit_memory")
	},
}

// landlockAttacks are those that mounts and namespaces would hold.
var landlockAttacks = map[string]func(args []string) error{
	"signal the init":              func([]string) error { return syscall.Kill(os.Getppid(), 0) },
	"stop a thread of it":          func([]string) error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) },
	"signal others":                signalOthers,
	"change a mode":                func(a []string) error { return os.Chmod(a[0], 0o777) },
	"change an open mode":          func(a []string) error { return opened(a[0], func(f *os.File) error { return f.Chmod(0o777) }) },
	"change the times":             func(a []string) error { return os.Chtimes(a[0], time.Unix(1, 0), time.Unix(1, 0)) },
	"change the owner":             func(a []string) error { return os.Lchown(a[0], os.Getuid(), os.Getgid()) },
	"change an attribute":          func(a []string) error { return unix.Setxattr(a[0], "user.x", []byte("x"), 0) },
	"remove an attribute":          func(a []string) error { return unix.Removexattr(a[0], "user.there") },
	"change a flag":                changeFlag,
	"dial a socket":                func(a []string) error { _, err := net.Dial("unix", a[1]); return err },
	"send to a socket":             func(a []string) error { return sendByPair(a[2]) },
	"send a datagram":              func(a []string) error { _, err := net.Dial("udp", a[3]); return err },
	"open a connection by sending": openBySending,
	"connect by DCCP": func(a []string) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DCCP, 0)
		if errors.Is(err, unix.ESOCKTNOSUPPORT) { // refused by the kernel, not by the filter
			return nil
		}
		if err != nil {
			return err
		}
		return unix.Connect(fd, address(a[4]))
	},
	"connect by another protocol": func(a []string) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
		if err != nil {
			return err
		}
		return unix.Connect(fd, address(a[4]))
	},
}

// leaked is a file of the test's that everybody would inherit.
const leaked = 77

// attack tries all that are known, and prints how each went.
func attack(tier Tier, args []string) int {
	tries := []map[string]func([]string) error{attacks, pageAttacks}
	if tier == Landlock {
		tries = append(tries, landlockAttacks)
	}
	for _, m := range tries {
		for name, try := range m {
			if err := try(args); err != nil {
				fmt.Printf("%s: held: %v\n", name, err)
			} else {
				fmt.Printf("%s: GOT THROUGH\n", name)
			}
		}
	}
	fmt.Println("own:", capabilities("/proc/self"))
	fmt.Println("init:", capabilities(fmt.Sprintf("/proc/%d", os.Getppid())))
	fmt.Println("all tried")
	return 0
}

// capabilities are those of every thread of a process, in hexadecimal, and what
// else is of threads.
func capabilities(process string) string {
	status, _ := filepath.Glob(process + "/task/*/status")
	seen := ""
	for _, path := range status {
		text, _ := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); name == "CapPrm" || name == "CapEff" || name == "Seccomp" || name == "NoNewPrivs" {
				if word := name + "=" + strings.TrimSpace(value) + " "; !strings.Contains(seen, word) {
					seen += word
				}
			}
		}
	}
	return seen
}

// openAny opens the first of the paths that opens, all about the init.
func openAny(flag int, paths ...string) (err error) {
	for _, path := range paths {
		switch strings.Count(path, "%d") {
		case 1:
			path = fmt.Sprintf(path, os.Getppid())
		case 2:
			path = fmt.Sprintf(path, os.Getppid(), os.Getppid())
		}
		var f *os.File
		if f, err = os.OpenFile(path, flag, 0); err == nil {
			return f.Close()
		}
	}
	return err
}

func opened(path string, do func(*os.File) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}

func fromErrno(errno syscall.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

func call(number, a, b, c uintptr) error {
	_, _, errno := syscall.Syscall(number, a, b, c)
	return fromErrno(errno)
}

// forgeReport writes to whatever the init has open.
func forgeReport([]string) error {
	for fd := range 64 {
		f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", os.Getppid(), fd), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, _ = f.WriteString(`{"Ended":true,"Code":42}` + "\n")
		return nil
	}
	return errors.New("none of its files opens")
}

// signalOthers tries every process that it sees.
func signalOthers([]string) error {
	for _, p := range supervise.Processes() {
		if p.ID != os.Getpid() && syscall.Kill(p.ID, 0) == nil {
			fmt.Println("process", p.ID)
			return nil
		}
	}
	return errors.New("none but this one")
}

func pidfdGet(pid, fd int) error {
	p, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return err
	}
	_, err = unix.PidfdGetfd(p, fd, 0)
	return err
}

func clearFlags(path string) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, unix.AT_RECURSIVE, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
}

func bornIn(flags uintptr) error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	return cmd.Run()
}

// readHidden looks for the first argument's neighbor "secret" in every view of
// the file system that there is.
func readHidden(args []string) error {
	secret := filepath.Join(args[5], "secret")
	views, _ := filepath.Glob("/proc/[0-9]*/root")
	deeper, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, view := range append(append(views, deeper...), "", "/proc/self/root", "/proc/thread-self/root", "/proc/1/root/proc/1/root") {
		for _, path := range []string{view + secret, view + "/../../../../../../../.." + secret} {
			if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
				return nil
			}
		}
	}
	return errors.New("nowhere to be seen")
}

func mapShared(fd, flags int) error {
	_, err := unix.Mmap(fd, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|flags)
	return err
}

func shareZeros([]string) error {
	f, err := os.OpenFile("/dev/zero", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	zero := []byte{1}
	if _, err := f.Read(zero); err != nil || zero[0] != 0 {
		fmt.Println("GOT THROUGH: no zeros", err)
	}
	return mapShared(int(f.Fd()), 0)
}

func changeFlag(args []string) error {
	return opened(args[0], func(f *os.File) error {
		flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags|unix.STATX_ATTR_NODUMP)
	})
}

// sendByPair sends to a socket that has a path by one of a pair, which needs no
// call to make one alone.
func sendByPair(path string) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: path})
}

// openBySending puts data into the first packet, and calls no connect.
func openBySending(args []string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, address(args[4]))
}

func address(text string) *unix.SockaddrInet4 {
	host, port, _ := net.SplitHostPort(text)
	number, _ := strconv.Atoi(port)
	return &unix.SockaddrInet4{Port: number, Addr: [4]byte(net.ParseIP(host).To4())}
}

// overrun does what would stop the guard, and then takes all memory.
func overrun() int {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", os.Getppid()))
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGURG, syscall.SIGSEGV, syscall.SIGKILL, syscall.SIGPIPE} {
		_ = syscall.Kill(os.Getppid(), sig)
		for _, thread := range threads {
			id, _ := strconv.Atoi(thread.Name())
			_ = unix.Tgkill(os.Getppid(), id, sig)
		}
	}
	_ = unix.Prlimit(os.Getppid(), unix.RLIMIT_NOFILE, &unix.Rlimit{}, nil)
	for range 4 { // each within its own limit
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), behavior+"=hold")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			fmt.Println(err)
		}
	}
	go func() {
		for { // keeps the init busy
			_ = syscall.Kill(os.Getppid(), syscall.SIGUSR1)
		}
	}()
	time.Sleep(8 * time.Second)
	fmt.Println("NOBODY LOOKED")
	return 0
}

// hold holds a lot of memory, though less than one process may.
func hold() int {
	block := bytes.Repeat([]byte{1}, 100<<20)
	time.Sleep(time.Minute)
	runtime.KeepAlive(block)
	return 0
}

// multiply makes threads, and no processes.
func multiply() int {
	for range 400 {
		go func() {
			runtime.LockOSThread()
			select {}
		}()
	}
	time.Sleep(time.Minute)
	return 0
}

// cling leaves children that are hard to get rid of.
func cling() int {
	for range 20 {
		child := exec.Command("/bin/sh", "-c", "trap '' HUP INT TERM QUIT; while :; do sleep 1000; done")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			fmt.Println(err)
		}
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	time.Sleep(time.Minute)
	return 0
}
