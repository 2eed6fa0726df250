package delve

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/go-delve/delve/pkg/proc"
	dlv "github.com/go-delve/delve/service/debugger"
)

// Delve unwinds a stack by its frame pointers once a frame has proved to have one (1.27.2).
// A function that calls nothing may have none, and where the runtime has interrupted it, by
// a panic for example, the pointer is that of its caller: Delve then leaves the caller out, and
// reads the function's variables at a wrong place. Below such a function the next frame has to
// prove again that it has one, as the top of a stack does. Tested on amd64 only; servers that were
// started elsewhere do not have the repair.

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
		hookUnwinding(t.BinInfo().Arch)
	}
}

// hookUnwinding wraps switchStack, which Delve calls after each frame.
func hookUnwinding(arch *proc.Arch) {
	hook := reflect.ValueOf(arch).Elem().FieldByName("switchStack")
	if !hook.IsValid() || hook.Kind() != reflect.Func || hook.IsNil() || hook.Type().NumIn() == 0 || hook.Type().In(0).Kind() != reflect.Pointer {
		return
	}
	iterator := hook.Type().In(0).Elem()
	if iterator.Kind() != reflect.Struct {
		return
	}
	proved, found := iterator.FieldByName("canUseFP")
	frame, holds := iterator.FieldByName("frame")
	if !found || !holds || proved.Type.Kind() != reflect.Bool || frame.Type != reflect.TypeFor[proc.Stackframe]() {
		return
	}
	hook = reflect.NewAt(hook.Type(), unsafe.Pointer(hook.UnsafeAddr())).Elem()
	change := reflect.ValueOf(hook.Interface())
	hook.Set(reflect.MakeFunc(hook.Type(), func(args []reflect.Value) []reflect.Value {
		at := args[0].UnsafePointer()
		if fn := (*proc.Stackframe)(unsafe.Add(at, frame.Offset)).Current.Fn; fn != nil && slices.Contains(interruptions, fn.Name) {
			*(*bool)(unsafe.Add(at, proved.Offset)) = false
		}
		return change.Call(args)
	}))
}
