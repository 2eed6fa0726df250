package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine"
)

// logFlags say what is written about a session, and where.
type logFlags struct{ logDir, timings string }

func (f *logFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.logDir, "log-dir", "", "write session logs to `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	f.registerTimings(s)
}

func (f *logFlags) registerTimings(s *pflag.FlagSet) {
	s.StringVar(&f.timings, "timings", "", "append a JSON line to `FILE` for each timing mark")
}

func (f *logFlags) apply(o *engine.Options) error {
	o.Log.Dir = f.logDir
	return nil
}

// snapshotFlags say whether the target is kept as it is when it panics.
type snapshotFlags struct {
	snapshot bool
	limit    int // MB
}

func (f *snapshotFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&f.snapshot, "snapshot", false, "at the first panic, write the memory, binary and session of the program to a file next to the log;\npausetui sessions resume opens it, here or in another clone")
	s.IntVar(&f.limit, "snapshot-limit", 4096, "take no snapshot of a program with more than `MB` megabytes of memory")
}

func (f *snapshotFlags) apply(o *engine.Options) error {
	if f.limit < 1 {
		return fmt.Errorf("--snapshot-limit %d: want 1 or more", f.limit)
	}
	o.Log.Snapshot, o.Log.SnapshotLimit = f.snapshot, int64(f.limit)<<20
	return nil
}
