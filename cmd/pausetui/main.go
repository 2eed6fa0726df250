// Command pausetui is a terminal debugger for Go. It stops at a panic, shows the
// cause, proposes fixes and proves them, and applies what a person approves.
//
// The rules are:
//
//   - main only exits; Main returns the exit code and can be called by tests.
//   - Each command has an options struct: first what it uses of the system, then
//     its flags and arguments. Groups of flags that commands share are embedded.
//   - A mistake in the command line is a usageError. The exit codes are those of
//     docs/reference/exit-codes.md.
//   - Text of a server, a target or a log is stripped before it is printed.
//
// The package wires the others together. It must not know how a target is
// debugged, how a fix is found, or how one is proved.
package main

import (
	"os"
	"runtime/debug"

	"github.com/pausetui/pausetui/internal/reexec"
)

func main() {
	// This binary also is its own helper processes; each returns at once
	// unless this process was started as one.
	reexec.Main()
	// A guest on a developer's machine: collect early rather than grow.
	debug.SetGCPercent(50)
	os.Exit(Main(os.Args[1:]))
}
