package delve

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/proc"
	dlv "github.com/go-delve/delve/service/debugger"
)

// Delve unwinds a stack by its frame pointers once a frame has proved to have one (1.27.2).
// A function that calls nothing may have none, and where the runtime has interrupted it, by
// a panic for example, the pointer is that of its caller: Delve then leaves the caller out, and
// reads the function's variables at a wrong place. Below such a function the next frame has to
// prove again that it has one, as the top of a stack does. Tested on amd64 only; servers that were
// started elsewhere do not have the repair.

// Delve looks variables up for the address in a frame's registers. After a switch from the system
// stack to the goroutine's (where a stack overflows) they still hold the address of the frame above.
// Below an interruption, the instruction that was interrupted may be the first one after the
// arguments were written to the stack. The compiler says of it that they are still in registers,
// which are lost by then. What it says of the next instruction is true of both.

// interruptions are functions that the runtime enters at any instruction, as if that had called
// them.
var interruptions = []string{"runtime.sigpanic", "runtime.asyncPreempt", "runtime.debugCallV2"}

// proveFrames installs the repair in a debugger's current programs. It does nothing where Delve
// unwinds in another way.
func proveFrames(d *dlv.Debugger) {
	if d == nil {
		return
	}
	group, unlock := d.LockTargetGroup()
	defer unlock()
	for _, t := range group.Targets() {
		hookUnwinding(t)
	}
}

// hookUnwinding wraps switchStack, which Delve calls after each frame.
func hookUnwinding(t *proc.Target) {
	hook := reflect.ValueOf(t.BinInfo().Arch).Elem().FieldByName("switchStack")
	if !hook.IsValid() || hook.Kind() != reflect.Func || hook.IsNil() || hook.Type().NumIn() == 0 || hook.Type().In(0).Kind() != reflect.Pointer {
		return
	}
	fields, ok := fieldsOf(hook.Type().In(0).Elem())
	if !ok {
		return
	}
	hook = reflect.NewAt(hook.Type(), unsafe.Pointer(hook.UnsafeAddr())).Elem()
	change := reflect.ValueOf(hook.Interface())
	hook.Set(reflect.MakeFunc(hook.Type(), func(args []reflect.Value) []reflect.Value {
		it := fields.of(args[0].UnsafePointer())
		switch fn := it.frame.Current.Fn; {
		case fn == nil:
		case slices.Contains(interruptions, fn.Name):
			*it.proved = false
		case *it.exact && !fn.Optimized():
			it.lookUpAt(afterInstruction(t, it.frame.Current.PC))
		case slices.Contains(signalHandlers, fn.Name) && it.leaveHandler():
			return []reflect.Value{reflect.ValueOf(true)}
		case it.frame.Regs.PC() != it.frame.Current.PC:
			it.lookUpAt(it.frame.Current.PC)
		}
		return change.Call(args)
	}))
}

// afterInstruction is the address of the next instruction, if it is of the same line.
func afterInstruction(t *proc.Target, pc uint64) uint64 {
	code, err := proc.Disassemble(t.Memory(), nil, t.Breakpoints(), t.BinInfo(), pc, pc+uint64(t.BinInfo().Arch.MaxInstructionLength()))
	if err != nil || len(code) == 0 {
		return pc
	}
	next := pc + uint64(code[0].Size)
	if _, line, fn := t.BinInfo().PCToLine(next); fn != code[0].Loc.Fn || line != code[0].Loc.Line {
		return pc
	}
	return next
}

// iterator is what the repairs need of Delve's stackIterator, as it is at a frame.
type iterator struct {
	frame  *proc.Stackframe
	memory proc.MemoryReadWriter
	pc     *uint64
	regs   *op.DwarfRegisters
	top    *bool // the next frame is the innermost
	exact  *bool // the next frame was not left by a call
	proved *bool // the frame has a pointer of its own
}

// lookUpAt has the frame's variables looked up for an address.
func (it iterator) lookUpAt(pc uint64) {
	it.frame.Regs.AddReg(it.frame.Regs.PCRegNum, op.DwarfRegisterFromUint64(pc))
}

// iteratorFields are the offsets of an iterator's fields in Delve's.
type iteratorFields struct{ frame, memory, pc, regs, top, exact, proved uintptr }

// fieldsOf finds the fields; false where Delve's type is another than we know.
func fieldsOf(t reflect.Type) (f iteratorFields, ok bool) {
	if t.Kind() != reflect.Struct {
		return f, false
	}
	for _, want := range []struct {
		name   string
		t      reflect.Type
		offset *uintptr
	}{
		{"frame", reflect.TypeFor[proc.Stackframe](), &f.frame},
		{"mem", reflect.TypeFor[proc.MemoryReadWriter](), &f.memory},
		{"pc", reflect.TypeFor[uint64](), &f.pc},
		{"regs", reflect.TypeFor[op.DwarfRegisters](), &f.regs},
		{"top", reflect.TypeFor[bool](), &f.top},
		{"sigret", reflect.TypeFor[bool](), &f.exact},
		{"canUseFP", reflect.TypeFor[bool](), &f.proved},
	} {
		field, found := t.FieldByName(want.name)
		if !found || field.Type != want.t {
			return f, false
		}
		*want.offset = field.Offset
	}
	return f, true
}

func (f iteratorFields) of(at unsafe.Pointer) iterator {
	return iterator{
		frame:  (*proc.Stackframe)(unsafe.Add(at, f.frame)),
		memory: *(*proc.MemoryReadWriter)(unsafe.Add(at, f.memory)),
		pc:     (*uint64)(unsafe.Add(at, f.pc)),
		regs:   (*op.DwarfRegisters)(unsafe.Add(at, f.regs)),
		top:    (*bool)(unsafe.Add(at, f.top)),
		exact:  (*bool)(unsafe.Add(at, f.exact)),
		proved: (*bool)(unsafe.Add(at, f.proved)),
	}
}
