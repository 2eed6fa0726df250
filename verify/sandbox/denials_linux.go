package sandbox

import (
	"os"
	"slices"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// newestCall is the newest system call that this package knows of, on every
// architecture: what came since may do what is denied under another name.
const newestCall = unix.SYS_RSEQ_SLICE_YIELD

// fixedAddresses is ADDR_NO_RANDOMIZE.
const fixedAddresses = 0x0040000

// never are the calls that no program under proof needs: to look into other
// processes and to stop them, to change mounts and namespaces, to reach parts
// of the kernel that few programs use, and to hold memory that the limit of a
// process does not count.
var never = append([]uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,

	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN,
	unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,

	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	unix.SYS_REBOOT, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME,

	// A byte in a pipe may keep a huge page, which no process has any more.
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_VMSPLICE,
	// Others' memory, queues and semaphores are reached by their ids.
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SHMDT, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
}, neverHere...)

// attributeCalls change modes, owners, times and attributes of files that a
// program may only read: Landlock knows no rule for them.
var attributeCalls = append([]uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
}, attributeCallsHere...)

// is holds where an argument, under the mask, has one of the values.
func is(index, mask uint32, values ...uint32) argument {
	return argument{index: index, mask: mask, values: values}
}

// isNot holds where an argument has none of the values.
func isNot(index uint32, values ...uint32) argument {
	return argument{index: index, but: true, values: values}
}

// denials are what a program is denied in that sandbox.
func denials(o order) []denial {
	var list []denial
	for _, n := range never {
		list = append(list, denial{number: n, errno: unix.EPERM})
	}
	const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET
	list = append(list,
		// Its flags lie in memory; C libraries take clone instead.
		denial{number: unix.SYS_CLONE3, errno: unix.ENOSYS},
		// Programs that can use it do without.
		denial{number: unix.SYS_IO_URING_SETUP, errno: unix.ENOSYS},
		denial{number: unix.SYS_IO_URING_ENTER, errno: unix.ENOSYS},
		denial{number: unix.SYS_IO_URING_REGISTER, errno: unix.ENOSYS},
		// Contexts are counted for the whole machine.
		denial{number: unix.SYS_IO_SETUP, errno: unix.ENOSYS},
		// Who holds a lease on a file delays everyone who opens it, and who holds one on a
		// directory everyone who changes it.
		denial{unix.SYS_FCNTL, unix.EACCES, []argument{is(1, 0, unix.F_SETLEASE, unix.F_SETDELEG)}},
		// Signals tell who uses a directory.
		denial{unix.SYS_FCNTL, unix.EPERM, []argument{is(1, 0, unix.F_NOTIFY)}},
		// Huge pages are the machine's.
		denial{unix.SYS_MMAP, unix.ENOMEM, []argument{is(3, unix.MAP_HUGETLB, unix.MAP_HUGETLB)}},
		// Shared memory without a file stays when nothing of it is mapped.
		denial{unix.SYS_MMAP, unix.EPERM, []argument{is(3, unix.MAP_TYPE|unix.MAP_ANONYMOUS, unix.MAP_SHARED|unix.MAP_ANONYMOUS)}},
		// To ask, the usual one, and fixed addresses for the race detector.
		denial{unix.SYS_PERSONALITY, unix.EPERM, []argument{isNot(0, 0, ^uint32(0), fixedAddresses)}},
		// A signal with a sender made up; the library passes none.
		denial{unix.SYS_PIDFD_SEND_SIGNAL, unix.EPERM, []argument{isNot(2, 0)}},
	)
	if !o.Inotify {
		for _, n := range inotifyCalls {
			list = append(list, denial{number: n, errno: unix.EPERM})
		}
	}
	for bit := uint32(1); bit != 0; bit <<= 1 {
		if namespaces&bit != 0 {
			list = append(list, denial{unix.SYS_CLONE, unix.EPERM, []argument{is(0, bit, bit)}})
		}
	}
	list = slices.Concat(list, othersDenials(uint32(os.Getpid())), coreDenials(), futexDenials(), residenceDenials(), socketDenials(o), requestDenials(o))
	if o.Tier == Landlock && !o.Files && !o.Attributes {
		list = append(list, attributeDenials()...)
	}
	if o.Tier == Landlock && !scopes() {
		list = append(list, signalDenials(uint32(os.Getpid()))...)
	}
	return list
}

// othersDenials keep that process, and its descendants, from the limits and the
// share of the processors of other processes of this user: a guard that may
// open no file sees nothing.
func othersDenials(pid uint32) []denial {
	var list []denial
	for _, n := range []uint32{unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY} {
		list = append(list, denial{n, unix.EPERM, []argument{isNot(0, 0, pid)}})
	}
	const user = 3 // IOPRIO_WHO_USER
	return append(list,
		denial{unix.SYS_SETPRIORITY, unix.EPERM, []argument{is(0, 0, unix.PRIO_USER)}},
		denial{unix.SYS_SETPRIORITY, unix.EPERM, []argument{isNot(1, 0, pid)}},
		denial{unix.SYS_IOPRIO_SET, unix.EPERM, []argument{is(0, 0, user)}},
		denial{unix.SYS_IOPRIO_SET, unix.EPERM, []argument{isNot(1, 0, pid)}},
	)
}

// coreDenials keep the limit of core dumps at 1, at which the machine's handler of them is
// not started: at 0 it would be. To set it seems to succeed, as many programs set it to 0.
func coreDenials() []denial {
	core, pointer := is(1, 0, unix.RLIMIT_CORE), isNot(2, 0)
	upper := pointer
	upper.high = true
	return []denial{
		{unix.SYS_SETRLIMIT, 0, []argument{is(0, 0, unix.RLIMIT_CORE)}},
		{unix.SYS_PRLIMIT64, 0, []argument{core, pointer}},
		{unix.SYS_PRLIMIT64, 0, []argument{core, upper}},
	}
}

// The parts of a futex operation that concern the filter.
const (
	futexWait       = 0
	futexWake       = 1
	futexWaitBitset = 9
	futexWakeBitset = 10
	futexPrivate    = 0x80
	futexRealtime   = 0x100
)

// futexDenials keep a program from the waiters of others. The kernel finds those on a semaphore
// or lock in a file through any mapping of the file, also a read-only one or that of an overlay.
// Operations within a process are left. A shared wait would take a wake-up that another waiter
// needs: it returns at once, as if the value had changed, and C libraries, which join threads
// so, try again. A shared wake is left: threads cause one when they end.
func futexDenials() []denial {
	shared := is(1, futexPrivate, 0)
	others := isNot(1, futexWake, futexWakeBitset)
	others.mask = ^uint32(futexRealtime)
	return []denial{
		{unix.SYS_FUTEX, unix.EAGAIN, []argument{shared, is(1, others.mask, futexWait, futexWaitBitset)}},
		{unix.SYS_FUTEX, unix.EPERM, []argument{shared, others}},
		// Their flags lie in memory, or they are newer than what C libraries use.
		{number: unix.SYS_FUTEX_WAITV, errno: unix.ENOSYS},
		{number: unix.SYS_FUTEX_WAKE, errno: unix.ENOSYS},
		{number: unix.SYS_FUTEX_WAIT, errno: unix.ENOSYS},
		{number: unix.SYS_FUTEX_REQUEUE, errno: unix.ENOSYS},
	}
}

// residenceDenials keep a program from finding out who reads a file: it would have the file
// removed from memory and ask whether it is there again. To remove it seems to succeed.
func residenceDenials() []denial {
	return []denial{
		{number: unix.SYS_MINCORE, errno: unix.ENOSYS},
		{number: unix.SYS_CACHESTAT, errno: unix.ENOSYS},
		{unix.SYS_PREADV2, unix.EOPNOTSUPP, []argument{is(5, unix.RWF_NOWAIT, unix.RWF_NOWAIT)}},
		{unix.SYS_FADVISE64, 0, []argument{is(3, 0, unix.FADV_DONTNEED)}},
		{unix.SYS_MADVISE, 0, []argument{is(2, 0, unix.MADV_COLD, unix.MADV_PAGEOUT)}},
	}
}

// requestDenials leave a program the requests (ioctl) of terminals and sockets, and a few
// about files. A file system answers many others through any file that is open for reading:
// it adds and removes the keys of encrypted directories, and makes a file read-only for ever.
func requestDenials(o order) []denial {
	const kind = 0xff00
	requests := []uint32{getFlags, getExtended, getVersion, mapExtents}
	if o.Tier == Full || o.Files || o.Attributes {
		requests = append(requests, setFlags, setExtended, setVersion)
	}
	kinds := isNot(1, ofTerminals, ofSockets, ofFiles)
	kinds.mask = kind
	return []denial{{unix.SYS_IOCTL, unix.EPERM, []argument{kinds, isNot(1, requests...)}}}
}

// scopes reports whether Landlock keeps signals and abstract sockets in: since
// Linux 6.12.
func scopes() bool {
	version, err := ll.LandlockGetABIVersion()
	return err == nil && version >= 6
}

// signalDenials let that process send signals to itself and to its group alone,
// and its descendants none: a filter does not know them. Every other process of
// this user would be in reach.
func signalDenials(pid uint32) []denial {
	return []denial{
		{unix.SYS_KILL, unix.EPERM, []argument{isNot(0, pid, 0, -pid)}},
		{unix.SYS_TGKILL, unix.EPERM, []argument{isNot(0, pid)}},
		{number: unix.SYS_TKILL, errno: unix.EPERM},
		{number: unix.SYS_PIDFD_SEND_SIGNAL, errno: unix.EPERM},
		{unix.SYS_FCNTL, unix.EPERM, []argument{is(1, 0, unix.F_SETOWN, unix.F_SETOWN_EX, setSignal)}},
		{unix.SYS_IOCTL, unix.EPERM, []argument{is(1, 0, setOwner, setGroup)}},
	}
}

// socketDenials keep a program to the network it has. In the landlock tier only
// Landlock guards that, and knows no more than files and ordinary TCP: a socket
// that has a path is not one for it, nor are datagrams.
func socketDenials(o order) []denial {
	families := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	if o.Unix {
		families = append(families, unix.AF_UNIX)
	}
	list := []denial{{unix.SYS_SOCKET, unix.EPERM, []argument{isNot(0, families...)}}}
	// By other protocols than that of addresses and routes, programs send each other
	// datagrams, and hear what the kernel tells of devices and processes.
	list = append(list, denial{unix.SYS_SOCKET, unix.EPERM, []argument{is(0, 0, unix.AF_NETLINK), isNot(2, unix.NETLINK_ROUTE)}})
	const kind = 0xf // the rest of the type are flags
	if !o.Unix {
		// One of a pair of these could still be sent anywhere.
		list = append(list, denial{unix.SYS_SOCKETPAIR, unix.EPERM, []argument{is(1, kind, unix.SOCK_DGRAM, unix.SOCK_RAW)}})
	}
	if o.Tier == Full || o.Network {
		return list
	}
	internet := is(0, 0, unix.AF_INET, unix.AF_INET6)
	// A connection that opens by sending is none to Landlock on most kernels.
	opens := func(call uint32, flags uint32) denial {
		return denial{call, unix.EOPNOTSUPP, []argument{is(flags, unix.MSG_FASTOPEN, unix.MSG_FASTOPEN)}}
	}
	return append(list,
		denial{unix.SYS_SOCKET, unix.EPERM, []argument{internet, is(1, kind, unix.SOCK_DGRAM, unix.SOCK_RAW, unix.SOCK_RDM, unix.SOCK_SEQPACKET, unix.SOCK_DCCP, unix.SOCK_PACKET)}},
		denial{unix.SYS_SOCKET, unix.EPROTONOSUPPORT, []argument{internet, isNot(2, 0, unix.IPPROTO_TCP)}},
		opens(unix.SYS_SENDTO, 3), opens(unix.SYS_SENDMSG, 2), opens(unix.SYS_SENDMMSG, 3),
	)
}

func attributeDenials() []denial {
	var list []denial
	for _, n := range attributeCalls {
		list = append(list, denial{number: n, errno: unix.EPERM})
	}
	return list
}

// The kinds of requests that a program may make: FIGETBSZ is one of files.
const (
	ofTerminals = 'T' << 8
	ofSockets   = 0x8900
	ofFiles     = 0
)

// Requests about the attributes of a file, however it was opened.
const (
	getFlags    = unix.FS_IOC_GETFLAGS
	getExtended = 0x801c581f // FS_IOC_FSGETXATTR
	getVersion  = 0x80087601 // FS_IOC_GETVERSION
	mapExtents  = 0xc020660b // FS_IOC_FIEMAP
	setFlags    = unix.FS_IOC_SETFLAGS
	setExtended = 0x401c5820 // FS_IOC_FSSETXATTR
	setVersion  = 0x40087602 // FS_IOC_SETVERSION
)

// Requests that say who gets the signals of a file, and which.
const (
	setSignal = 10     // F_SETSIG
	setOwner  = 0x8901 // FIOSETOWN
	setGroup  = 0x8902 // SIOCSPGRP
)
