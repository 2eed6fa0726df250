package sandbox

import (
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denial says which system calls fail, and how.
type denial struct {
	number uint32
	errno  unix.Errno
	when   []argument // all have to hold; none: always
}

// argument holds where the low half of an argument, masked, is one of the
// values, or with but none of them. The kernel looks at no more than that half
// of most arguments in question, and a program may put anything in the other.
type argument struct {
	index  uint32
	mask   uint32 // 0: all bits
	but    bool
	values []uint32
	high   bool // the other half: of a pointer
}

// Where the kernel shows a filter the parts of a system call, on machines whose
// low half comes first.
const (
	callNumber = 0
	callArch   = 4
	callArgs   = 16
)

// filter has the kernel refuse this thread, and all that come of it, the system
// calls that no program under proof needs. It needs no_new_privs.
func filter(list []denial) error {
	if architecture == 0 {
		return fmt.Errorf("no system call filter for this processor")
	}
	raw, err := bpf.Assemble(assemble(list))
	if err != nil {
		return fmt.Errorf("assemble the system call filter: %w", err)
	}
	code := make([]unix.SockFilter, len(raw))
	for i, in := range raw {
		code[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

// assemble turns denials into a filter. Calls of another architecture's table,
// which has other numbers, and calls that are newer than we are do not exist.
func assemble(list []denial) []bpf.Instruction {
	code := []bpf.Instruction{
		bpf.LoadAbsolute{Off: callArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: architecture, SkipTrue: 1},
		refuse(unix.ENOSYS),
		bpf.LoadAbsolute{Off: callNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessOrEqual, Val: newestCall, SkipTrue: 1},
		refuse(unix.ENOSYS),
	}
	for _, d := range list {
		body := d.assemble()
		code = append(append(code, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: d.number, SkipTrue: uint8(len(body))}), body...)
	}
	return append(code, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW})
}

func refuse(errno unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// assemble is what follows when the number is that of the call. Where an
// argument does not hold, it ends with the number loaded again, for the next.
func (d denial) assemble() []bpf.Instruction {
	if len(d.when) == 0 {
		return []bpf.Instruction{refuse(d.errno)}
	}
	body := []bpf.Instruction{refuse(d.errno), bpf.LoadAbsolute{Off: callNumber, Size: 4}}
	for _, a := range slices.Backward(d.when) {
		body = append(a.assemble(len(body)-1), body...)
	}
	return body
}

// assemble goes on if the argument holds, and else to what lies that many
// instructions after it.
func (a argument) assemble(after int) []bpf.Instruction {
	half := uint32(0)
	if a.high {
		half = 4
	}
	code := []bpf.Instruction{bpf.LoadAbsolute{Off: callArgs + 8*a.index + half, Size: 4}}
	if a.mask != 0 {
		code = append(code, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: a.mask})
	}
	for i, v := range a.values {
		left := len(a.values) - 1 - i
		jump := bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: uint8(left + after)}
		if !a.but {
			jump.SkipTrue = uint8(left + 1)
		}
		code = append(code, jump)
	}
	if !a.but {
		code = append(code, bpf.Jump{Skip: uint32(after)})
	}
	return code
}
