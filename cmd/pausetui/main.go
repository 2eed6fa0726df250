// Command pausetui is a terminal debugger for Go. It stops at a panic, shows the
// cause, proposes fixes and proves them, and applies what a person approves.
//
// main only exits; Main returns the exit code and can be called by tests. The package
// wires the commands together, which are below internal/cli.
package main

import (
	"os"

	"github.com/pausetui/pausetui/internal/reexec"
)

func main() {
	// This binary also is its own helper processes; each returns at once
	// unless this process was started as one.
	reexec.Main()
	os.Exit(Main(os.Args[1:]))
}
