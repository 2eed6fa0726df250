//go:build !linux

package delve

// executableOf: only Linux names the program of a process.
func executableOf(int) string { return "" }

// debuggable leaves the answer to the attempt.
func debuggable(int) error { return nil }

// trapComes: elsewhere no signal halts.
func trapComes(int) (tid int) { return 0 }

// ownTrapComes: elsewhere Delve hears of a breakpoint at once.
func ownTrapComes(int, int) bool { return false }

// runs: only Linux says.
func runs(int, string) bool { return false }

// adoptOrphans: only Linux lets a process have them.
func adoptOrphans() {}
