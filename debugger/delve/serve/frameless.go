package serve

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
// reads the function's variables at a wrong place. Below such a function, and after a switch from
// the system stack to the goroutine's, the next frame has to prove again that it has one, as the
// top of a stack does. Tested on amd64 only; servers that were started elsewhere do not have the
// repair.

// Delve takes a frame's line and scope from the address before its return address, where the call
// is. But an interrupted frame has called nothing: it is at the very instruction, which may be the
// first of its line, or of an inlined function.

// Delve looks variables up for the address in a frame's registers. After a switch from the system
// stack to the goroutine's they still hold the address of the frame above.
// Below an interruption, the instruction that was interrupted may be the first one after the
// arguments were written to the stack. The compiler says of it that they are still in registers,
// which are lost by then. What it says of the next instruction is true of both.

// interruptions are functions that the runtime enters at any instruction, as if that had called
// them, or before a function has made its frame.
var interruptions = []string{"runtime.sigpanic", "runtime.asyncPreempt", "runtime.debugCallV2", "runtime.morestack", "runtime.morestack_noctxt"}

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
	if !hook.IsValid() || hook.Kind() != reflect.Func || hook.IsNil() || hook.Type().NumIn() != 2 ||
		hook.Type().In(0).Kind() != reflect.Pointer || hook.Type().In(1) != reflect.TypeFor[*op.DwarfRegisters]() {
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
		callers := (*op.DwarfRegisters)(args[1].UnsafePointer())
		if fn := it.frame.Current.Fn; fn != nil {
			it.repair(t, fn, callers)
			if slices.Contains(interruptions, fn.Name) && it.leaveInterruption(callers) ||
				slices.Contains(SignalHandlers, fn.Name) && it.leaveHandler() {
				return []reflect.Value{reflect.ValueOf(true)}
			}
		}
		changed := change.Call(args)
		if changed[0].Bool() {
			*it.exact, *it.proved = false, false
		}
		return changed
	}))
}

// repair has the variables of the frame, which is in a function, read where they are. callers are
// the registers of the next one.
func (it iterator) repair(t *proc.Target, fn *proc.Function, callers *op.DwarfRegisters) {
	pc := it.frame.Current.PC
	switched := it.frame.Regs.PC() != pc
	if !*it.top && !*it.exact && !switched && it.bySignal() {
		*it.exact, it.frame.Call, *it.last = true, it.frame.Current, pc
		it.unwindAgain(t.BinInfo(), callers)
	}
	switch {
	case (*it.top || *it.exact || switched) && it.readArguments(t, fn):
	case *it.exact && !fn.Optimized():
		it.lookUpAt(afterInstruction(t, pc))
	case switched:
		it.lookUpAt(pc)
	}
	if *it.exact {
		*it.count = 0
	}
}

// leaveInterruption goes on from the frame of an interruption to that which it has interrupted.
func (it iterator) leaveInterruption(callers *op.DwarfRegisters) bool {
	if it.frame.Ret == 0 {
		return false
	}
	*it.pc, *it.regs = it.frame.Ret, *callers
	*it.top, *it.exact, *it.proved = false, true, false
	return true
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
	top    *bool   // the next frame is the innermost
	exact  *bool   // the next frame was not left by a call
	last   *uint64 // an address of the instruction that the frame was left by
	proved *bool   // the frame has a pointer of its own
	count  *int    // of frames above; where there is none, inlined calls are looked up for the very address
}

// lookUpAt has the frame's variables looked up for an address.
func (it iterator) lookUpAt(pc uint64) {
	it.frame.Regs.AddReg(it.frame.Regs.PCRegNum, op.DwarfRegisterFromUint64(pc))
}

// iteratorFields are the offsets of an iterator's fields in Delve's.
type iteratorFields struct{ frame, memory, pc, regs, top, exact, proved, count, last uintptr }

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
		{"count", reflect.TypeFor[int](), &f.count},
	} {
		field, found := t.FieldByName(want.name)
		if !found || field.Type != want.t {
			return f, false
		}
		*want.offset = field.Offset
	}
	last, found := reflect.TypeFor[proc.Stackframe]().FieldByName("lastpc")
	f.last = f.frame + last.Offset
	return f, found && last.Type == reflect.TypeFor[uint64]()
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
		last:   (*uint64)(unsafe.Add(at, f.last)),
		count:  (*int)(unsafe.Add(at, f.count)),
	}
}

// SignalHandlers are the runtime's functions that the kernel calls for a signal. The frame below
// is the interrupted code.
var SignalHandlers = []string{"runtime.sigtramp", "runtime.cgoSigtramp"}
