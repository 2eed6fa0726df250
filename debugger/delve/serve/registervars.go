package serve

import (
	"bytes"
	"reflect"

	dlv "github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpccommon"
)

// Delve keeps a variable that is in a register, such as a parameter at the first line
// of its function, until the program goes on, and with it the part of the stack that
// it had read for the variable's frame (proc.Target.newCompositeMemory, 1.27.2). What
// is assigned through a pointer in a register is therefore read as it was before. So
// the server's caches are cleared after each assignment.

// setRequest is how a request to assign names its method.
var setRequest = []byte(`"RPCServer.Set"`)

// forgetting clears what Delve remembers of the program after an assignment.
type forgetting struct {
	debugger *dlv.Debugger // nil where it is not known
	due      bool          // there was an assignment
}

// request is called with what a client sends. It sends one request after the answer
// to the other.
func (f *forgetting) request(text []byte) {
	if f.due && f.debugger != nil {
		group, unlock := f.debugger.LockTargetGroup()
		for _, t := range group.Targets() {
			t.ClearCaches()
		}
		unlock()
	}
	f.due = bytes.Contains(text, setRequest)
}

// servedBy is what a server serves, which it does not tell.
func servedBy(s *rpccommon.ServerImpl) *dlv.Debugger {
	field := reflect.ValueOf(s).Elem().FieldByName("debugger")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*dlv.Debugger]() {
		return nil
	}
	return (*dlv.Debugger)(field.UnsafePointer())
}
