package debugger

import (
	"context"
	"io"
)

// ScriptHost is what a script acts on.
type ScriptHost struct {
	Out   io.Writer
	Scope func() FrameRef
	// TakeBreakpoints puts into the user's list what the script has done with breakpoints
	// by now. It returns the debugger's numbers of the list's breakpoints. nil: there is no
	// list.
	TakeBreakpoints func() (map[int]int, error)
	// Call carries out a line of the command line and waits for what it does.
	Call func(line string) error
	// Register makes a command of a function of the script. It is run with the
	// host of the line that calls it.
	Register func(name, help string, run func(ctx context.Context, host ScriptHost, args string) error)
}
