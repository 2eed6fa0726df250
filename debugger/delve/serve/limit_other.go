//go:build !unix

package serve

// limitMemory does nothing: there is no such limit here.
func limitMemory(uint64) error { return nil }
