package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A debugger killed between a stop of its thread and our answer is stopped at its exit: the
// answer does not continue it.
func TestAnExitThatCameMeanwhileIsSeen(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	debugger := exec.Command("sleep", "60")
	if err := debugger.Start(); err != nil {
		t.Fatal(err)
	}
	tid := debugger.Process.Pid
	if err := ptrace(unix.PTRACE_SEIZE, tid, 0, unix.PTRACE_O_TRACEEXIT); err != nil {
		t.Skip(err)
	}
	if err := syscall.Kill(tid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var status unix.WaitStatus
	if _, err := unix.Wait4(tid, &status, unix.WALL, nil); err != nil || int(status)>>16 != unix.PTRACE_EVENT_EXIT {
		t.Fatalf("it stopped with %x, %v", int(status), err)
	}
	r := &rescuer{pid: os.Getpid(), tracer: tid}
	r.stopped(unix.WaitStatus(int(unix.SIGCHLD)<<8 | 0x7f)) // what it had stopped for before
	if !r.parted {
		t.Error("its exit is not seen")
	}
	_ = debugger.Wait()
}

// Where the exit was missed, the process is put in order once the debugger has ended.
func TestAProcessIsRescuedLate(t *testing.T) {
	runtime.LockOSThread() // what a thread traces only it can let go
	defer runtime.UnlockOSThread()
	process := exec.Command("sleep", "60")
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = process.Process.Kill(); _ = process.Wait() }()
	pid := process.Process.Pid
	within(func() bool { return stateOf(pid, pid) == 'S' })
	code := codeOf(pid)
	if len(code) == 0 {
		t.Skip("its code is not where it is looked for")
	}
	mem, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer mem.Close()
	if _, err := mem.WriteAt(trap, int64(code[0].start)); err != nil {
		t.Skip(err)
	}
	traps := func() (n int) {
		eachTrap(pid, func(*os.File, uint64, []byte) { n++ })
		return n
	}
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil || traps() != 1 {
		t.Fatalf("it has %d breakpoints, %v", traps(), err)
	}
	newRescuer(0).gone()
	(&rescuer{pid: pid}).gone() // it was killed before its thread was known
	within(func() bool { return stateOf(pid, pid) == 'S' })
	if state := stateOf(pid, pid); state != 'S' || traps() != 0 {
		t.Errorf("it has %d breakpoints, and is %c", traps(), state)
	}
}
