package delve

// Reading memory past Delve. A request costs Delve a round trip and four copies
// of the answer, one of them as base64; the kernel gives the same bytes at once
// to a process that may trace it. Where it does not, or where Delve would not
// read from that process, Delve is asked.

// readDirectly fills out with the pieces that can be read, and reports whether
// that is all there is to know: false means that Delve has to be asked. It is
// for who holds the queue.
func (mem *memory) readDirectly(want []span, out [][]byte) bool {
	here := mem.mode == launched || mem.mode == attached
	if !here || !mem.can.Write || mem.indirect || mem.pid <= 0 { // recordings are not written to
		return false
	}
	if err := readProcess(mem.pid, want, out); err != nil {
		mem.indirect = true
		clear(out)
		return false
	}
	return true
}
