package supervise

import "golang.org/x/sys/unix"

// The instruction of a breakpoint (BRK #0), and where one can be.
var trap = []byte{0x00, 0x00, 0x20, 0xd4}

const trapAlign = 4

// siginfoSize is what is before the ucontext in the frame of a signal's
// handler (arch/arm64/kernel/signal.c).
const siginfoSize = 128

// safe is of no interest: the program counter is at the breakpoint.
func safe([]byte) bool { return true }

// unwindTrap returns a thread that is at the first instruction of a handler
// for SIGTRAP to where it was: through the end of the handler, before its
// beginning.
func unwindTrap(tid int, _ map[uint64]bool) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(tid, &regs) != nil {
		return
	}
	if regs.Regs[0] != uint64(unix.SIGTRAP) || regs.Regs[1] != regs.Sp || regs.Regs[2] != regs.Sp+siginfoSize {
		return
	}
	regs.Pc = regs.Regs[30]
	_ = unix.PtraceSetRegs(tid, &regs)
}
