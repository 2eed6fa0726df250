//go:build !linux

package process

// ProcessorWatches: elsewhere it is taken to.
func ProcessorWatches() bool { return true }
