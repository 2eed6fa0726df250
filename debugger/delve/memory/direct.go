package memory

import "github.com/pausetui/pausetui/debugger/delve/control"

// Reading memory past Delve. A request costs Delve a round trip and four copies
// of the answer, one of them as base64; the kernel gives the same bytes at once
// to a process that may trace it. Where it does not, or where Delve would not
// read from that process, Delve is asked.

// ReadDirectly fills out with the pieces that can be read, and reports whether
// that is all there is to know: false means that Delve has to be asked. It is
// for who holds the queue.
func (mem *Reader) ReadDirectly(want []Span, out [][]byte) bool {
	here := mem.srv.Mode == control.Launched || mem.srv.Mode == control.Attached
	if !here || !mem.srv.Can.Write || mem.Indirect || mem.srv.PID <= 0 { // recordings are not written to
		return false
	}
	if err := readProcess(mem.srv.PID, want, out); err != nil {
		mem.Indirect = true
		clear(out)
		return false
	}
	return true
}
