package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"

	"github.com/pausetui/pausetui/internal/supervise"
)

// rootKeeps are the rights over its own files that root would miss; all others,
// above all those to mount, are given up.
var rootKeeps = []int{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
	unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_NET_BIND_SERVICE}

// rights are the capabilities that the program keeps.
func rights(o order) (mask uint64) {
	for _, c := range rootKeeps {
		if o.Privileged && (c != unix.CAP_KILL || o.Tier == Full) { // it shares the machine's processes elsewhere
			mask |= 1 << c
		}
	}
	return mask
}

// dropRights gives up this thread's capabilities, and those that a program of
// root would get back by being executed.
func dropRights(o order) error {
	mask := rights(o)
	for c := range unix.CAP_LAST_CAP + 1 {
		if mask&(1<<c) != 0 {
			continue
		}
		// EINVAL: unknown to an older kernel. EPERM: not ours to drop, nor to get
		// back, as no new privileges are to be had.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil && err != unix.EINVAL && err != unix.EPERM {
			return fmt.Errorf("give up capability %d: %w", c, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	header, data, err := onlyRights(mask)
	if err == nil {
		err = unix.Capset(header, &data[0])
	}
	if err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

// onlyRights is what leaves this process no more capabilities than the mask has.
func onlyRights(mask uint64) (*unix.CapUserHeader, *[2]unix.CapUserData, error) {
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData // a container's root may have less
	if err := unix.Capget(header, &has[0]); err != nil {
		return nil, nil, err
	}
	data := new([2]unix.CapUserData)
	for i, keep := range []uint32{uint32(mask), uint32(mask >> 32)} {
		data[i].Effective, data[i].Permitted = keep&has[i].Permitted, keep&has[i].Permitted
	}
	return header, data, nil
}

// disarm leaves the init nothing that would be worth taking it over for: no
// other process of this user may look into it, and no thread of it has a right
// that the program does not have. In the full tier it owns the namespace of the
// program, and needs none to look after that.
func disarm(o order) error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("keep others out of the init: %w", err)
	}
	if o.Tier == None {
		return nil
	}
	var mask uint64
	if o.Tier == Landlock {
		mask = rights(o)
	}
	header, data, err := onlyRights(mask)
	if err != nil {
		return fmt.Errorf("give up the init's capabilities: %w", err)
	}
	// Not unix.Capset, which is of one thread.
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(header)), uintptr(unsafe.Pointer(&data[0])), 0)
	runtime.KeepAlive(header)
	runtime.KeepAlive(data)
	if errno != 0 {
		return fmt.Errorf("give up the init's capabilities: %w", errno)
	}
	return nil
}

// restrict applies Landlock: in the full tier as a second fence around what the
// mounts already hold, in the landlock tier as the only one.
func restrict(o order) error {
	own := landlock.RWDirs(o.Writable...).WithRefer().IgnoreIfMissing()
	rules := []landlock.Rule{landlock.RWFiles("/dev/null", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty").WithIoctlDev().IgnoreIfMissing()}
	if o.Tier == Full { // in the other tier, /dev/pts has the terminals in which the user types
		rules = append(rules, own.WithResolveUnix(), landlock.RWFiles("/dev/ptmx").WithIoctlDev().IgnoreIfMissing(), landlock.RWDirs("/dev/pts").WithIoctlDev().IgnoreIfMissing())
		if o.Files {
			rules = append(rules, landlock.RODirs("/"))
		} else {
			rules = append(rules, shown(o, append(slices.Clip(o.Shown), "/dev"), o.Hidden)...)
		}
		config := landlock.V9
		config.HandledAccessNet = 0
		config.Scoped = 0
		if o.Network && !o.Files { // its own network has no others' abstract sockets
			config.Scoped = ll.ScopeAbstractUnixSocket
		}
		return config.BestEffort().Restrict(rules...)
	}
	rules = append(rules, own)
	if o.Files {
		return restrictAll(o, append(rules, around(o.Throwaway)...))
	}
	rules = append(append(rules, shown(o, o.Shown, slices.Concat(o.Hidden, o.Masked))...), readOnly(o.Throwaway)...)
	return restrictAll(o, rules)
}

// shown allows reading in the directories of the machine, but for the hidden ones, and what
// the order names.
func shown(o order, dirs, hidden []string) []landlock.Rule {
	rules := readOnly(o.Readable)
	for _, dir := range dirs {
		rules = append(rules, but(dir, hidden)...)
	}
	return rules
}

// readOnly allows reading below the paths that exist.
func readOnly(paths []string) []landlock.Rule {
	var rules []landlock.Rule
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case info.IsDir():
			rules = append(rules, landlock.RODirs(path).IgnoreIfMissing())
		default:
			rules = append(rules, landlock.ROFiles(path).IgnoreIfMissing())
		}
	}
	return rules
}

// but allows reading below dir, though nothing below the hidden directories,
// even if something got to see what they hide. What Landlock allows holds for all
// that lies below, so that a directory on the way to a hidden one cannot be
// listed, and what is next to the path is named one by one: not links, which may
// lead anywhere.
func but(dir string, hidden []string) []landlock.Rule {
	var rules []landlock.Rule
	each := func(path string, e fs.DirEntry) {
		if e == nil || e.Type()&fs.ModeSymlink == 0 {
			rules = append(rules, readOnly([]string{path})...)
		}
	}
	siblings(dir, hidden, each, func(string) {})
	return rules
}

// siblings calls each for the paths below dir that lie next to the path to the
// others, or for dir itself, and before that enter for the directories on it.
func siblings(dir string, others []string, each func(string, fs.DirEntry), enter func(string)) {
	if slices.Contains(others, dir) {
		return
	}
	if !slices.ContainsFunc(others, func(o string) bool { return within(dir, o) }) {
		each(dir, nil)
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // not for this user either
	}
	enter(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if slices.ContainsFunc(others, func(o string) bool { return within(path, o) }) {
			siblings(path, others, each, enter)
		} else {
			each(path, e)
		}
	}
}

// around allows everything but to change the directories, and to make something
// in a directory on the way to one.
func around(dirs []string) []landlock.Rule {
	var rules []landlock.Rule
	each := func(path string, e fs.DirEntry) {
		switch {
		case e == nil || e.IsDir():
			rules = append(rules, landlock.RWDirs(path).WithRefer().IgnoreIfMissing())
		case e.Type().IsRegular():
			rules = append(rules, landlock.RWFiles(path).IgnoreIfMissing())
		}
	}
	siblings("/", dirs, each, func(dir string) { rules = append(rules, landlock.PathAccess(ll.AccessFSReadDir, dir)) })
	return append(rules, readOnly(dirs)...)
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
		var has syscall.Rlimit
		err := syscall.Getrlimit(resource, &has)
		if err == nil {
			value = min(value, has.Max) // none but root may raise it
			err = syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
		}
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
		set("open files", unix.RLIMIT_NOFILE, uint64(l.OpenFiles)),
		set("pending signals", unix.RLIMIT_SIGPENDING, pendingSignals),
		set("memory", unix.RLIMIT_DATA, uint64(max(l.Memory, l.Data))),
		set("file size", unix.RLIMIT_FSIZE, uint64(l.FileSize)),
		set("cpu time", unix.RLIMIT_CPU, cpu),
		set("core dumps", unix.RLIMIT_CORE, 1),                      // 0 would still have a handler started
		set("processes", unix.RLIMIT_NPROC, threadsOfOne*processes), // threads count here, processes in guard
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// threadsOfOne is how many threads there may be for each process that there may be.
const threadsOfOne = 2

// What is counted for each user, so that a program could use it up for others:
// signals and timers under way, watches of files, terminals.
const (
	pendingSignals = 1024
	watchers       = 16 // of the 128 that a user has
	watches        = 1024
	terminals      = 64
)

// limitInotify bounds the watches of all processes in this user namespace.
func limitInotify() error {
	set := func(name string, n int) error {
		return os.WriteFile("/proc/sys/user/max_inotify_"+name, []byte(strconv.Itoa(n)), 0)
	}
	return errors.Join(set("instances", watchers), set("watches", watches))
}

// freePorts lets the program listen on the ports that only root may have: it has
// no rights over its network. An older kernel refuses, and then the program is.
func freePorts() {
	_ = os.WriteFile("/proc/sys/net/ipv4/ip_unprivileged_port_start", []byte("0"), 0)
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

// census returns the processes of the sandbox but for its init; not seen if it
// cannot.
func census(tier Tier) (found []supervise.Process, seen bool) {
	list := supervise.Processes()
	seen = len(list) > 0 // there is always this one
	if tier != Full {
		list = family(list)
	}
	own := os.Getpid()
	return slices.DeleteFunc(list, func(p supervise.Process) bool { return p.ID == own }), seen
}

// errHidden is returned where a program could hide from who watches it.
var errHidden = errors.New("/proc is mounted with hidepid: what runs could not be watched")

// hidesProcesses reports whether those are not seen in /proc that keep others of their user
// out, by the list of mounts.
func hidesProcesses(mounts string) bool {
	hidden := false
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if len(place) < 5 || place[4] != attic || len(kind) < 3 || kind[0] != "proc" {
			continue
		}
		see := 0 // the group that sees all
		hidden = false
		for option := range strings.SplitSeq(kind[2], ",") {
			switch name, value, _ := strings.Cut(option, "="); name {
			case "hidepid":
				hidden = value != "0" && value != "off"
			case "gid":
				see, _ = strconv.Atoi(value)
			}
		}
		groups, _ := os.Getgroups()
		hidden = hidden && !slices.Contains(append(groups, os.Getegid()), see)
	}
	return hidden
}

// family returns the descendants of this process.
func family(all []supervise.Process) []supervise.Process {
	below := map[int]bool{os.Getpid(): true}
	var found []supervise.Process
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.Parent] && !below[p.ID] {
				below[p.ID], grown = true, true
				found = append(found, p)
			}
		}
	}
	return found
}

// countOwn counts this user's threads, as RLIMIT_NPROC does, roughly.
func countOwn() int { return 16 * len(supervise.Processes()) }
