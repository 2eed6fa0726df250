//go:build !unix

package delve

// limitMemory does nothing: there is no such limit here.
func limitMemory(uint64) error { return nil }
