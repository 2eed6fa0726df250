package flags

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/engine/options"
)

// Log says what is written about a session, and where.
type Log struct{ LogDir, Timings string }

// Register adds the flags.
func (f *Log) Register(s *pflag.FlagSet) {
	s.StringVar(&f.LogDir, "log-dir", "", "write session logs to `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	f.RegisterTimings(s)
}

// RegisterTimings adds only the flag of the timing marks.
func (f *Log) RegisterTimings(s *pflag.FlagSet) {
	s.StringVar(&f.Timings, "timings", "", "append a JSON line to `FILE` for each timing mark")
}

// Apply implements Group.
func (f *Log) Apply(o *options.Session) error {
	o.Log.Dir = f.LogDir
	return nil
}

// Snapshot says whether the target is kept as it is when it panics.
type Snapshot struct {
	snapshot bool
	limit    int // MB
}

// Register adds the flags.
func (f *Snapshot) Register(s *pflag.FlagSet) {
	s.BoolVar(&f.snapshot, "snapshot", false, "at the first panic, write the memory, binary and session of the program to a file next to the log;\npausetui sessions resume opens it, here or in another clone")
	s.IntVar(&f.limit, "snapshot-limit", 4096, "take no snapshot of a program with more than `MB` megabytes of memory")
}

// Apply implements Group.
func (f *Snapshot) Apply(o *options.Session) error {
	if f.limit < 1 {
		return fmt.Errorf("--snapshot-limit %d: want 1 or more", f.limit)
	}
	o.Log.Snapshot, o.Log.SnapshotLimit = f.snapshot, int64(f.limit)<<20
	return nil
}
