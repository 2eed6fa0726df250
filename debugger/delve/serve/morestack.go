package serve

import (
	"encoding/binary"
	"strings"

	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/dwarf/regnum"
	"github.com/go-delve/delve/pkg/proc"
	"golang.org/x/arch/x86/x86asm"
)

// A function that lacks stack calls runtime.morestack before it has done anything else, from code
// at its end that keeps the arguments on the stack during the call, and loads them and starts over
// after it. Of that code the compiler's information on an optimized function says what happens to
// be true of the instructions before. So variables are looked up at the function's entry, with the
// registers as they will be there.

// Morestack begins the names of the functions that get a function more stack.
const Morestack = "runtime.morestack"

// CallSize is the size of a call with a relative address, in bytes.
const CallSize = 5

// readArguments prepares the variables of a frame that is in its function's call of
// runtime.morestack; false if it is elsewhere.
func (it iterator) readArguments(t *proc.Target, fn *proc.Function) bool {
	if !it.growsStack(t) {
		return false
	}
	if !fn.Optimized() { // every argument is where it is kept
		it.lookUpAt(it.frame.Current.PC)
		return true
	}
	now := it.frame.Regs
	list := make([]*op.DwarfRegister, regnum.AMD64MaxRegNum()+1)
	for _, number := range []uint64{now.SPRegNum, now.BPRegNum} {
		list[number] = now.Reg(number)
	}
	it.reload(t, fn, list)
	list[now.PCRegNum] = op.DwarfRegisterFromUint64(fn.Entry)
	regs := op.NewDwarfRegisters(now.StaticBase, list, now.ByteOrder, now.PCRegNum, now.SPRegNum, now.BPRegNum, now.LRRegNum)
	regs.CFA, regs.FrameBase = now.CFA, now.FrameBase
	it.frame.Regs = *regs
	return true
}

// growsStack reports whether the instruction before is a call of runtime.morestack.
func (it iterator) growsStack(t *proc.Target) bool {
	pc := it.frame.Current.PC
	var code [CallSize]byte
	if n, err := it.memory.ReadMemory(code[:], pc-CallSize); t.BinInfo().Arch.Name != "amd64" || err != nil || n != CallSize || code[0] != 0xe8 {
		return false
	}
	called := t.BinInfo().PCToFunc(pc + uint64(int64(int32(binary.LittleEndian.Uint32(code[1:])))))
	return called != nil && strings.HasPrefix(called.Name, Morestack)
}

// reload sets the registers that the instructions after the call load from the stack.
func (it iterator) reload(t *proc.Target, fn *proc.Function, into []*op.DwarfRegister) {
	code, err := proc.Disassemble(it.memory, nil, t.Breakpoints(), t.BinInfo(), it.frame.Current.PC, fn.End)
	if err != nil {
		return
	}
	for _, in := range code {
		if in.IsJmp() {
			return
		}
		decoded, err := x86asm.Decode(in.Bytes, 64)
		if err != nil {
			return
		}
		to, isReg := decoded.Args[0].(x86asm.Reg)
		from, isMem := decoded.Args[1].(x86asm.Mem)
		number, known := registerNumber(to)
		if !isReg || !isMem || !known || from.Base != x86asm.RSP {
			continue
		}
		value := make([]byte, 16)
		if n, err := it.memory.ReadMemory(value[:decoded.MemBytes], it.frame.Regs.SP()+uint64(from.Disp)); err == nil && n == decoded.MemBytes {
			into[number] = op.DwarfRegisterFromBytes(value)
		}
	}
}

// registerNumber is the number that DWARF gives a register, or that which it is a part of.
func registerNumber(r x86asm.Reg) (number int, known bool) {
	switch {
	case x86asm.X0 <= r && r <= x86asm.X15:
		return regnum.AMD64_XMM0 + int(r-x86asm.X0), true
	case x86asm.AL <= r && r <= x86asm.BL:
		r += x86asm.RAX - x86asm.AL
	case x86asm.SPB <= r && r <= x86asm.R15B:
		r += x86asm.RSP - x86asm.SPB
	case x86asm.AX <= r && r <= x86asm.R15W:
		r += x86asm.RAX - x86asm.AX
	case x86asm.EAX <= r && r <= x86asm.R15L:
		r += x86asm.RAX - x86asm.EAX
	}
	number, known = regnum.AMD64NameToDwarf[strings.ToLower(r.String())]
	return number, known
}
