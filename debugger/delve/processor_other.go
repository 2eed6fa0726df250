//go:build !linux

package delve

func processorWatches() bool { return true }
