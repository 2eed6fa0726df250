package serve

import (
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/proc"
	dlv "github.com/go-delve/delve/service/debugger"

	"github.com/pausetui/pausetui/debugger/delve/process"
)

// A thread may have run a breakpoint's instruction without Delve having heard of it:
// others were stopped first, and the signal is still to come. Delve takes the thread back
// only when it lets the program run on, not when it detaches (1.27.2): the thread would go
// on in the middle of an instruction.

// rewindPhantoms takes such threads of a held process back to where the breakpoint is, or
// was.
func rewindPhantoms(d *dlv.Debugger, pid int) {
	if d == nil || pid == 0 {
		return
	}
	group, unlock := d.LockTargetGroup()
	defer unlock()
	for _, t := range group.Targets() {
		if !t.BinInfo().Arch.BreakInstrMovesPC() {
			continue
		}
		for _, thread := range t.ThreadList() {
			rewindPhantom(t, thread, process.OwnTrapComes(pid, thread.ThreadID()))
		}
	}
}

// rewindPhantom takes one thread back; trapped says that it has a SIGTRAP to come, which
// no halt has sent: that of a halt is for the process.
func rewindPhantom(t *proc.Target, thread proc.Thread, trapped bool) {
	regs, err := thread.Registers()
	if err != nil {
		return
	}
	arch := t.BinInfo().Arch
	before := regs.PC() - uint64(len(arch.BreakpointInstruction()))
	if trapped && t.Breakpoints().M[before] != nil || inMiddle(t, regs.PC()) {
		_ = thread.SetReg(arch.PCRegNum, op.DwarfRegisterFromUint64(before))
	}
}

// inMiddle reports whether no instruction begins at pc, but one where a breakpoint's would
// have been. Of assembly nobody knows: the decoder gets the length of some of its
// instructions wrong (VPCMPEQB in memeqbody).
func inMiddle(t *proc.Target, pc uint64) bool {
	fn := t.BinInfo().PCToFunc(pc)
	if fn == nil || pc == fn.Entry {
		return false
	}
	if file, _, _ := t.BinInfo().PCToLine(fn.Entry); strings.HasSuffix(file, ".s") {
		return false
	}
	end := min(fn.End, pc+uint64(t.BinInfo().Arch.MaxInstructionLength()))
	code, err := proc.Disassemble(t.Memory(), nil, t.Breakpoints(), t.BinInfo(), fn.Entry, end)
	if err != nil {
		return false
	}
	for _, in := range code {
		if at := in.Loc.PC; at >= pc || at+uint64(in.Size) > pc {
			return at == pc-1
		}
	}
	return false
}
