package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// rootKeeps are the rights over its own files that root would miss; all others,
// above all those to mount, are given up.
var rootKeeps = []int{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
	unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_NET_BIND_SERVICE}

// dropRights gives up this thread's capabilities, and those that a program of
// root would get back by being executed.
func dropRights(root bool) error {
	var mask uint64
	for c := range unix.CAP_LAST_CAP + 1 {
		if root && slices.Contains(rootKeeps, c) {
			mask |= 1 << c
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil && err != unix.EINVAL { // EINVAL: unknown to an older kernel
			return fmt.Errorf("give up capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	low, high := uint32(mask), uint32(mask>>32)
	data := [2]unix.CapUserData{{Effective: low, Permitted: low}, {Effective: high, Permitted: high}}
	if err := unix.Capset(&header, &data[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

// restrict applies Landlock: in the full tier as a second fence around what the
// mounts already hold, in the landlock tier as the only one.
func restrict(o order, writable []string) error {
	rules := []landlock.Rule{
		landlock.RWDirs(writable...).WithRefer().IgnoreIfMissing(),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx").WithIoctlDev().IgnoreIfMissing(),
		landlock.RWDirs("/dev/pts").WithIoctlDev().IgnoreIfMissing(),
	}
	if o.Tier == Full {
		rules = append(rules, landlock.RODirs("/"), landlock.RWDirs("/dev/shm").IgnoreIfMissing())
		config := landlock.V8
		return config.BestEffort().RestrictPaths(rules...)
	}
	if o.Files {
		return restrictAll(o, append(rules, around(o.Throwaway)...))
	}
	shared := []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/proc", "/sys", "/nix"}
	if o.Tier == Full { // there, mounts hide what is secret
		shared = append(shared, "/etc", "/var/lib")
	} else {
		secrets := hiddenSystem(nil)
		shared = append(shared, append(beside("/etc", secrets), beside("/var/lib", secrets)...)...)
	}
	for _, path := range append(append(shared, o.Readable...), o.Throwaway...) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir():
			rules = append(rules, landlock.RODirs(path))
		default:
			rules = append(rules, landlock.ROFiles(path))
		}
	}
	return restrictAll(o, rules)
}

// around allows everything but the directories: Landlock can take nothing back
// that it has allowed, so what lies beside the way to each is named one by one.
// Nothing can be made in a directory on the way.
func around(dirs []string) []landlock.Rule {
	var rules []landlock.Rule
	onTheWay := func(path string) bool {
		return slices.ContainsFunc(dirs, func(d string) bool { return within(path, d) })
	}
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return // not for this user either
		}
		rules = append(rules, landlock.PathAccess(ll.AccessFSReadDir, dir))
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case slices.Contains(dirs, path):
				rules = append(rules, landlock.RODirs(path))
			case onTheWay(path):
				walk(path)
			case e.IsDir():
				rules = append(rules, landlock.RWDirs(path).WithRefer().IgnoreIfMissing())
			case e.Type().IsRegular():
				rules = append(rules, landlock.RWFiles(path).IgnoreIfMissing())
			}
		}
	}
	walk("/")
	return rules
}

// restrictAll forbids files but for the rules, outgoing TCP, and, where the
// kernel can, signals and abstract sockets that lead out.
func restrictAll(o order, rules []landlock.Rule) error {
	config := landlock.V8
	config.HandledAccessNet = ll.AccessNetConnectTCP // a server may listen
	if o.Network {
		config.HandledAccessNet = 0
	}
	for _, port := range o.Ports {
		rules = append(rules, landlock.ConnectTCP(uint16(port)))
	}
	return config.BestEffort().Restrict(rules...)
}

// setLimits sets the limits of the program, which inherits them. Never
// RLIMIT_AS: a Go program reserves far more address space than it uses.
func setLimits(o order) error {
	l := o.Limits
	set := func(name string, resource int, value uint64) error {
		err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
		if err != nil {
			return fmt.Errorf("limit %s: %w", name, err)
		}
		return nil
	}
	cpu := uint64(max(1, l.CPU.Seconds()))
	processes := uint64(l.Processes)
	if o.Tier != Full { // counted together with all of this user's
		processes += uint64(countOwn())
	}
	for _, err := range []error{
		set("memory", unix.RLIMIT_DATA, uint64(l.Memory)),
		set("file size", unix.RLIMIT_FSIZE, uint64(l.FileSize)),
		set("cpu time", unix.RLIMIT_CPU, cpu),
		set("core dumps", unix.RLIMIT_CORE, 0),
		set("processes", unix.RLIMIT_NPROC, 2*processes), // threads count here, processes in guard
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// loopbackUp switches on the only interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// process is a line of the process table.
type process struct {
	pid, parent int
	resident    int64 // bytes
}

// census counts the processes of the sandbox and the memory they hold.
func census(tier Tier) (count int, resident int64) {
	list := family()
	if tier == Full {
		list = table()
	}
	for _, p := range list {
		if p.pid != os.Getpid() {
			count++
			resident += p.resident
		}
	}
	return count, resident
}

// family returns the descendants of this process.
func family() []process {
	all := table()
	below := map[int]bool{os.Getpid(): true}
	var found []process
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grown = true, true
				found = append(found, p)
			}
		}
	}
	return found
}

// table reads the processes of this namespace.
func table() []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // gone meanwhile
		}
		// The name in parentheses may hold anything; the rest is numbers.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 22 {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		pages, _ := strconv.ParseInt(fields[21], 10, 64)
		all = append(all, process{pid: pid, parent: parent, resident: pages * int64(os.Getpagesize())})
	}
	return all
}

// countOwn counts this user's threads, as RLIMIT_NPROC does, roughly.
func countOwn() int { return 16 * len(table()) }
