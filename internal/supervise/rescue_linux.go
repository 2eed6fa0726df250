package supervise

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A debugger that is killed leaves its breakpoints in a process that it was
// attached to, and the signals of those that were hit: either ends the process.
// The kernel lets go of the process when the debugger's tracing thread exits. So
// we trace that thread, for its exit alone: it is held there until the process
// is safe. Then the process is stopped, thread by thread, before it could run an
// instruction more; the code is made what the executable says; and a thread that
// was sent the signal of a breakpoint is taken back to where it stood.

// The times that a rescue takes at most at each of its steps.
const rescueStep = 2 * time.Second

// rescuer guards a process against the death of the debugger attached to it.
// All of its methods are called from one thread.
type rescuer struct {
	pid    int  // the process; 0: there is none to guard
	tracer int  // the debugger's thread that traces it; 0 until it is known
	parted bool // the end of the tracing thread was handled
	held   bool // the process was stopped before the debugger came
}

func newRescuer(pid int) *rescuer {
	return &rescuer{pid: pid, held: pid != 0 && stateOf(pid, pid) == 'T'}
}

// seize begins to watch the thread that traces the process, once there is one.
func (r *rescuer) seize(debugger int) {
	tid := tracerOf(r.pid)
	if tid == 0 || !isThreadOf(debugger, tid) {
		return
	}
	if ptrace(unix.PTRACE_SEIZE, tid, 0, unix.PTRACE_O_TRACEEXIT) == nil {
		r.tracer = tid
	}
}

// stopped deals with a stop of the debugger's thread: only its exit is of
// interest.
func (r *rescuer) stopped(status unix.WaitStatus) {
	event := int(status) >> 16
	if exits(r.tracer) { // killed since this stop: continuing it would let it exit
		event = unix.PTRACE_EVENT_EXIT
	}
	switch {
	case event == unix.PTRACE_EVENT_EXIT:
		r.parted = true
		if tracerOf(r.pid) == r.tracer { // else it has parted in order
			r.rescue()
			return
		}
		_ = ptrace(unix.PTRACE_CONT, r.tracer, 0, 0)
	case event == unix.PTRACE_EVENT_STOP && stops(status.StopSignal()):
		_ = ptrace(unix.PTRACE_LISTEN, r.tracer, 0, 0)
	case event != 0:
		_ = ptrace(unix.PTRACE_CONT, r.tracer, 0, 0)
	default:
		_ = ptrace(unix.PTRACE_CONT, r.tracer, 0, uintptr(status.StopSignal()))
	}
}

// exits reports whether a traced thread is stopped at its exit.
func exits(tid int) bool {
	var info [128]byte // a siginfo_t; si_code is its third int32
	if ptrace(unix.PTRACE_GETSIGINFO, tid, 0, uintptr(unsafe.Pointer(&info))) != nil {
		return false
	}
	return binary.NativeEndian.Uint32(info[8:]) == unix.PTRACE_EVENT_EXIT<<8|uint32(unix.SIGTRAP)
}

// gone is called when the debugger, or its tracing thread, has ended. If its exit stop was
// missed, or it was still attaching, the process is rescued now: late, as a thread may have hit
// a breakpoint already.
func (r *rescuer) gone() {
	if r.pid == 0 || r.parted {
		return
	}
	r.parted = true
	left := !r.held && slices.ContainsFunc(threads(r.pid), func(tid int) bool { return stateOf(r.pid, tid) == 'T' })
	eachTrap(r.pid, func(*os.File, uint64, []byte) { left = true })
	if left {
		r.rescue()
	}
}

func stops(sig unix.Signal) bool {
	return sig == unix.SIGSTOP || sig == unix.SIGTSTP || sig == unix.SIGTTIN || sig == unix.SIGTTOU
}

// rescue makes the process what it would be without a debugger, while the
// debugger's thread is held, and lets both go.
func (r *rescuer) rescue() {
	r.halt("tT")
	taken := restoreCode(r.pid)
	_ = ptrace(unix.PTRACE_CONT, r.tracer, 0, 0)
	within(func() bool { return tracerOf(r.pid) == 0 })
	r.halt("T")
	for _, tid := range threads(r.pid) {
		r.release(tid, taken)
	}
	_ = unix.Kill(r.pid, unix.SIGCONT)
}

// halt has every thread of the process stop, in one of the states that
// /proc names so.
func (r *rescuer) halt(states string) {
	asked := map[int]bool{}
	within(func() bool {
		all := true
		for _, tid := range threads(r.pid) {
			if !asked[tid] {
				asked[tid] = unix.Tgkill(r.pid, tid, unix.SIGSTOP) == nil
			}
			state := stateOf(r.pid, tid)
			all = all && (state == 0 || bytes.IndexByte([]byte(states), state) >= 0)
		}
		return all
	})
}

// release takes one stopped thread out of the handler of a breakpoint's signal.
func (r *rescuer) release(tid int, taken map[uint64]bool) {
	if ptrace(unix.PTRACE_SEIZE, tid, 0, 0) != nil {
		return
	}
	if status := stopOf(tid); status.Stopped() {
		unwindTrap(tid, taken)
		for range mostTraps {
			if !trapComes(r.pid, tid) || ptrace(unix.PTRACE_CONT, tid, 0, 0) != nil {
				break
			}
			stopOf(tid) // at the signal, which it does not get
		}
	}
	_ = ptrace(unix.PTRACE_DETACH, tid, 0, 0)
}

// mostTraps bounds the signals that a thread may have to take.
const mostTraps = 4

// stopOf waits for a traced thread to stop or end; zero if it does neither.
func stopOf(tid int) (status unix.WaitStatus) {
	within(func() bool {
		got, err := unix.Wait4(tid, &status, unix.WALL|unix.WNOHANG, nil)
		return got == tid || err != nil && err != unix.EINTR
	})
	return status
}

// trapComes reports whether a thread would get a SIGTRAP next: its own, or that of its
// process, which a debugger has sent to halt it.
func trapComes(pid, tid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, tid))
	if err != nil {
		return false
	}
	set := func(name string) uint64 {
		_, rest, _ := bytes.Cut(text, []byte("\n"+name+":\t"))
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		bits, _ := strconv.ParseUint(string(line), 16, 64)
		return bits
	}
	return (set("SigPnd")|set("ShdPnd"))&^set("SigBlk")&(1<<(unix.SIGTRAP-1)) != 0
}

// restoreCode writes back what the executable has where the process has a
// breakpoint instruction instead, and returns the addresses, and whether a thread
// behind a breakpoint can only have come there by it.
func restoreCode(pid int) map[uint64]bool {
	taken := map[uint64]bool{}
	eachTrap(pid, func(mem *os.File, at uint64, want []byte) {
		if _, err := mem.WriteAt(want[:len(trap)], int64(at)); err == nil {
			taken[at] = safe(want)
		}
	})
	return taken
}

// eachTrap calls visit for each breakpoint instruction of a process that its executable does
// not have, with its memory, and the code that belongs there.
func eachTrap(pid int, visit func(mem *os.File, at uint64, want []byte)) {
	exe, err := os.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return
	}
	defer exe.Close()
	mem, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer mem.Close()
	want, have := make([]byte, 1<<20), make([]byte, 1<<20)
	for _, m := range codeOf(pid) {
		for at := m.start; at < m.end; at += uint64(len(want)) {
			n := int(min(uint64(len(want)), m.end-at))
			n, _ = exe.ReadAt(want[:n], int64(at-m.start+m.offset)) // the last page may be longer than the file
			if n, _ = mem.ReadAt(have[:n], int64(at)); n == 0 || bytes.Equal(want[:n], have[:n]) {
				continue
			}
			for i := 0; i+len(trap) <= n; i += trapAlign {
				if bytes.Equal(have[i:i+len(trap)], trap) && !bytes.Equal(want[i:i+len(trap)], trap) {
					visit(mem, at+uint64(i), want[i:n])
				}
			}
		}
	}
}

// code is a part of the executable that the process has mapped to run.
type code struct{ start, end, offset uint64 }

func codeOf(pid int) []code {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return nil
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	var list []code
	for line := range bytes.Lines(maps) {
		var m code
		var mode, device string
		var inode uint64
		if n, _ := fmt.Sscanf(string(line), "%x-%x %s %x %s %d", &m.start, &m.end, &mode, &m.offset, &device, &inode); n < 6 {
			continue
		}
		if len(mode) > 2 && mode[2] == 'x' && bytes.HasSuffix(bytes.TrimRight(line, "\n"), []byte(" "+path)) {
			list = append(list, m)
		}
	}
	return list
}

func threads(pid int) []int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	var list []int
	for _, e := range entries {
		if tid, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, tid)
		}
	}
	return list
}

// stateOf is the letter of a thread's state; 0 when it is gone.
func stateOf(pid, tid int) byte {
	fields := statFields(fmt.Sprintf("/proc/%d/task/%d/stat", pid, tid), make([]byte, 4096))
	if len(fields) == 0 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0
	}
	return fields[0][0]
}

// tracerOf is the thread that traces a process; 0 for none.
func tracerOf(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("\nTracerPid:\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	tid, err := strconv.Atoi(string(line))
	if err != nil {
		return 0
	}
	return tid
}

func isThreadOf(pid, tid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, tid))
	return err == nil
}

// within waits until something is so, for the time of a step at most.
func within(so func() bool) {
	for deadline := time.Now().Add(rescueStep); !so() && time.Now().Before(deadline); {
		time.Sleep(200 * time.Microsecond)
	}
}

func ptrace(request, tid int, addr, data uintptr) error {
	if _, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(tid), addr, data, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// peek reads a word of a traced thread's memory.
func peek(tid int, addr uint64) (uint64, bool) {
	var word [8]byte
	n, err := unix.PtracePeekData(tid, uintptr(addr), word[:])
	if n != len(word) || err != nil {
		return 0, false
	}
	var v uint64
	for i := len(word) - 1; i >= 0; i-- { // both of our processors begin with the lowest
		v = v<<8 | uint64(word[i])
	}
	return v, true
}
