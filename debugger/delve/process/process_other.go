//go:build !linux

package process

// ExecutableOf: only Linux names the program of a process.
func ExecutableOf(int) string { return "" }

// Debuggable leaves the answer to the attempt.
func Debuggable(int) error { return nil }

// TrapComes: elsewhere no signal halts.
func TrapComes(int) (tid int) { return 0 }

// OwnTrapComes: elsewhere Delve hears of a breakpoint at once.
func OwnTrapComes(int, int) bool { return false }

// Runs: only Linux says.
func Runs(int, string) bool { return false }

// AdoptOrphans: only Linux lets a process have them.
func AdoptOrphans() {}
