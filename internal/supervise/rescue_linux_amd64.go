package supervise

import (
	"encoding/binary"

	"golang.org/x/arch/x86/x86asm"
	"golang.org/x/sys/unix"
)

// The instruction of a breakpoint, and where one can be.
var trap = []byte{0xCC}

const trapAlign = 1

// Where things are in struct user and in the frame of a signal's handler
// (arch/x86/include/asm/sigframe.h): the return address, then the ucontext.
const (
	debugControl = 848 + 7*8 // of the debug registers, the one that turns them on
	savedPC      = 8 + 40 + 16*8
	fromKernel   = 0x80 // si_code of a breakpoint instruction
)

// safe reports whether no thread is at the second byte of an instruction unless it was a
// breakpoint's: the instruction has several bytes, or nothing follows it but padding.
func safe(code []byte) bool {
	in, err := x86asm.Decode(code, 64)
	return err == nil && (in.Len > 1 || in.Op == x86asm.RET && len(code) > 1 && code[1] == trap[0])
}

// unwindTrap returns a thread that is at the first instruction of a handler
// for SIGTRAP to where it was: through the end of the handler, before its
// beginning. Watchpoints are taken out.
func unwindTrap(tid int, taken map[uint64]bool) {
	_ = ptrace(unix.PTRACE_POKEUSR, tid, debugControl, 0)
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(tid, &regs) != nil {
		return
	}
	if regs.Rdi != uint64(unix.SIGTRAP) || regs.Rdx != regs.Rsp+8 {
		if safe, ok := taken[regs.Rip-1]; ok && safe { // the debugger had heard of it, and done nothing yet
			regs.Rip--
			_ = unix.PtraceSetRegs(tid, &regs)
		}
		return
	}
	back, ok := peek(tid, regs.Rsp)
	pc, ok2 := peek(tid, regs.Rsp+savedPC)
	how, ok3 := peek(tid, regs.Rsi+8)
	if !ok || !ok2 || !ok3 {
		return
	}
	if _, ok := taken[pc-1]; ok && uint32(how) == fromKernel { // it had run the instruction that was not its own
		_, _ = unix.PtracePokeData(tid, uintptr(regs.Rsp+savedPC), binary.LittleEndian.AppendUint64(nil, pc-1))
	}
	regs.Rip, regs.Rsp, regs.Orig_rax = back, regs.Rsp+8, ^uint64(0)
	_ = unix.PtraceSetRegs(tid, &regs)
}
