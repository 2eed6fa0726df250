package supervise

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a line of the process table.
type Process struct {
	ID, Parent int
	Threads    int
	resident   int64 // bytes, as its first thread tells
	headless   bool  // that has ended, and others go on: it tells nothing of the memory
	// CPU is for how long it, and the children that it has waited for, have computed.
	CPU time.Duration
}

// Processes reads the process table of this namespace; none if it cannot be read.
func Processes() []Process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []Process
	buffer := make([]byte, 4096)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		fields := statFields("/proc/"+name+"/stat", buffer)
		if len(fields) < 22 {
			continue // gone meanwhile
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		threads, _ := strconv.Atoi(string(fields[17]))
		pages, _ := strconv.ParseInt(string(fields[21]), 10, 64)
		all = append(all, Process{ID: pid, Parent: parent, Threads: threads, resident: pages * int64(os.Getpagesize()),
			headless: threads > 1 && fields[0][0] == 'Z', CPU: computed(fields)})
	}
	return all
}

// Held is how much memory a process holds, in bytes. What is swapped out is counted if the
// machine swaps.
func (p Process) Held(swaps bool) int64 {
	own := "/proc/" + strconv.Itoa(p.ID)
	if !p.headless {
		if !swaps {
			return p.resident
		}
		held, _ := memoryIn(own + "/status")
		return max(held, p.resident)
	}
	dir, err := os.Open(own + "/task")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names { // all have the same memory, but for those that end
		if held, ok := memoryIn(own + "/task/" + name + "/status"); ok {
			return held
		}
	}
	return 0
}

// memoryIn is the memory that a status file in /proc tells of, in swap as well; false if
// it tells of none.
func memoryIn(path string) (bytes int64, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if name != "VmRSS" && name != "VmSwap" {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64); err == nil {
			bytes, ok = bytes+n<<10, true
		}
	}
	return bytes, ok
}

// Swaps reports whether this machine swaps memory out.
func Swaps() bool {
	var info unix.Sysinfo_t
	return unix.Sysinfo(&info) != nil || info.Totalswap > 0
}

// computed adds up the four times of a stat file.
func computed(fields [][]byte) time.Duration {
	const tick = time.Second / 100 // of the kernel's times in all its text files, see sysconf(3)
	var ticks int64
	for _, field := range fields[11:15] {
		n, _ := strconv.ParseInt(string(field), 10, 64)
		ticks += n
	}
	return time.Duration(ticks) * tick
}

// Thread is what a thread of a process has to do with the scheduler.
type Thread struct {
	Waited time.Duration // for a processor, until it last had one; 0 where the kernel does not say
	// Ready: it runs, waits for a processor, or waits for a disk.
	Ready bool
}

// mostThreads of one process are looked at.
const mostThreads = 256

// Threads returns the threads of a process by their numbers.
func Threads(pid int) map[int]Thread {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostThreads)
	threads := map[int]Thread{}
	buffer := make([]byte, 1024)
	for _, name := range names {
		id, _ := strconv.Atoi(name)
		var t Thread
		if fields := statFields(tasks+"/"+name+"/schedstat", buffer); len(fields) > 1 {
			waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
			t.Waited = time.Duration(waited)
		}
		if fields := statFields(tasks+"/"+name+"/stat", buffer); len(fields) > 0 {
			t.Ready = len(fields[0]) == 1 && (fields[0][0] == 'R' || fields[0][0] == 'D')
			threads[id] = t
		}
	}
	return threads
}

// statFields are the fields of a stat file in /proc after the command's name,
// which is in parentheses and may hold anything; none when the process is gone.
// It is read past package os, whose poller would cost more than the file: there
// are many, and they are read often.
func statFields(path string, buffer []byte) [][]byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = unix.Close(fd) }()
	n, err := unix.Read(fd, buffer)
	if err != nil {
		return nil
	}
	return bytes.Fields(buffer[bytes.LastIndexByte(buffer[:n], ')')+1 : n])
}
