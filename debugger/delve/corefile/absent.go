package corefile

import (
	"errors"
	"reflect"
	"slices"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// Absent is the memory of mapped files that is not in a core dump, in order. Delve takes
// all mapped files for the executable, and reads its bytes there (Delve 1.27.2,
// core.buildMemory).
type Absent []mapping

// mapping is memory that a file is mapped to.
type mapping struct {
	start, end uint64
	file       string
}

// At says why memory cannot be known; empty if it can.
func (a Absent) At(addr, size uint64) string {
	i, _ := slices.BinarySearchFunc(a, addr, func(m mapping, addr uint64) int {
		if m.end <= addr {
			return -1
		}
		return 1
	})
	if i < len(a) && a[i].start < addr+max(size, 1) {
		return convert.AbsentPrefix + a[i].file
	}
	return ""
}

// Mark makes those values of an answer unreadable that lie there.
func (a Absent) Mark(in, out any) error {
	if len(a) == 0 {
		return nil
	}
	switch out := out.(type) {
	case *rpc2.EvalOut:
		if out.Variable != nil {
			a.variable(out.Variable)
		}
	case *rpc2.ListFunctionArgsOut:
		a.variables(out.Args)
	case *rpc2.ListLocalVarsOut:
		a.variables(out.Variables)
	case *rpc2.ListPackageVarsOut:
		a.variables(out.Variables)
	case *rpc2.StacktraceOut:
		for _, frame := range out.Locations {
			a.variables(frame.Arguments)
			a.variables(frame.Locals)
		}
	case *rpc2.ExaminedMemoryOut:
		return a.examined(in)
	}
	return nil
}

func (a Absent) examined(in any) error {
	var asked rpc2.ExamineMemoryIn
	switch in := in.(type) {
	case rpc2.ExamineMemoryIn:
		asked = in
	case *rpc2.ExamineMemoryIn:
		asked = *in
	}
	if why := a.At(asked.Address, uint64(max(asked.Length, 0))); why != "" {
		return errors.New(why)
	}
	return nil
}

func (a Absent) variables(list []api.Variable) {
	for i := range list {
		a.variable(&list[i])
	}
}

// variable marks a value, or what it consists of or leads to.
func (a Absent) variable(v *api.Variable) {
	if v.Unreadable != "" {
		return
	}
	why := ""
	if v.Addr != 0 {
		why = a.At(v.Addr, 1)
	}
	if text := v.Kind == reflect.String && v.Len > 0; why == "" && v.Base != 0 && (text || v.Kind == reflect.Map || v.Kind == reflect.Chan) {
		why = a.At(v.Base, 1)
	}
	if why != "" {
		v.Unreadable, v.Value, v.Children = why, "", nil
		return
	}
	a.variables(v.Children)
}
