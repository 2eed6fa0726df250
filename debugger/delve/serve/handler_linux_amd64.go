package serve

import (
	"encoding/binary"
	"reflect"

	"github.com/go-delve/delve/pkg/dwarf/frame"
	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/dwarf/regnum"
	"github.com/go-delve/delve/pkg/proc"
)

// interruptedRegisters are the registers of a ucontext in their order, as DWARF counts them
// (arch/x86/include/uapi/asm/sigcontext.h).
var interruptedRegisters = [...]uint64{
	regnum.AMD64_R8, regnum.AMD64_R8 + 1, regnum.AMD64_R8 + 2, regnum.AMD64_R8 + 3,
	regnum.AMD64_R8 + 4, regnum.AMD64_R8 + 5, regnum.AMD64_R8 + 6, regnum.AMD64_R15,
	regnum.AMD64_Rdi, regnum.AMD64_Rsi, regnum.AMD64_Rbp, regnum.AMD64_Rbx, regnum.AMD64_Rdx,
	regnum.AMD64_Rax, regnum.AMD64_Rcx, regnum.AMD64_Rsp, regnum.AMD64_Rip,
}

// registersAt is where a ucontext has them.
const registersAt = 40

// leaveHandler goes on from the frame of a signal's handler to that which it has interrupted,
// where Delve would read the address of the instructions that end a handler.
func (it iterator) leaveHandler() bool {
	context := it.frame.Regs.CFA // the kernel has put it above the return address
	var saved [8 * len(interruptedRegisters)]byte
	if n, err := it.memory.ReadMemory(saved[:], uint64(context)+registersAt); err != nil || n != len(saved) {
		return false
	}
	list := make([]*op.DwarfRegister, regnum.AMD64MaxRegNum()+1)
	for i, number := range interruptedRegisters {
		list[number] = op.DwarfRegisterFromUint64(binary.LittleEndian.Uint64(saved[8*i:]))
	}
	now := it.frame.Regs
	*it.regs = *op.NewDwarfRegisters(now.StaticBase, list, binary.LittleEndian, now.PCRegNum, now.SPRegNum, now.BPRegNum, now.LRRegNum)
	*it.pc, *it.top, *it.exact, *it.proved = it.regs.PC(), false, true, false
	return true
}

// bySignal reports whether a signal has interrupted the frame, below one where Delve itself has
// found the registers: below calls there are none that calls do not preserve.
func (it iterator) bySignal() bool { return it.frame.Regs.Reg(regnum.AMD64_R8) != nil }

// unwindAgain does without frame pointers what Delve has done with them: the next frame and its
// registers, in callers, are found from the stack pointer.
func (it iterator) unwindAgain(info *proc.BinaryInfo, callers *op.DwarfRegisters) {
	field := reflect.ValueOf(info).Elem().FieldByName("frameEntries")
	if !field.IsValid() || field.Type() != reflect.TypeFor[frame.FrameDescriptionEntries]() {
		return
	}
	pc, now := it.frame.Current.PC, &it.frame.Regs
	entry, err := (*frame.FrameDescriptionEntries)(field.Addr().UnsafePointer()).FDEForPC(pc)
	if err != nil {
		return
	}
	rules, err := entry.EstablishFrame(pc)
	if err != nil || rules.CFA.Rule != frame.RuleCFA || rules.CFA.Reg != now.SPRegNum {
		return
	}
	end := now.SP() + uint64(rules.CFA.Offset)
	var saved [8]byte
	if _, err := it.memory.ReadMemory(saved[:], end-8); err != nil {
		return
	}
	it.frame.Ret = binary.LittleEndian.Uint64(saved[:])
	pointer := now.BP()
	if pointer < end { // it is the frame's own
		if _, err := it.memory.ReadMemory(saved[:], pointer); err == nil {
			pointer = binary.LittleEndian.Uint64(saved[:])
		}
	}
	now.CFA, now.FrameBase = int64(end), int64(end)
	callers.AddReg(now.SPRegNum, op.DwarfRegisterFromUint64(end))
	callers.AddReg(now.BPRegNum, op.DwarfRegisterFromUint64(pointer))
	callers.AddReg(now.PCRegNum, op.DwarfRegisterFromUint64(it.frame.Ret))
	*it.proved = false
}
