// Command pausetui is a terminal debugger for Go that stops at the panic, shows
// why, proposes fixes and proves them, and applies what a person approves.
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
