package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/advice"
)

// goProgram reports whether the process runs a program made by Go.
func goProgram(pid int) error {
	path := ExecutableOf(pid)
	_, err := exeinfo.Build(path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exeinfo.ErrBuildInfo):
		return err
	case errors.Is(err, fs.ErrPermission):
		hint := "it belongs to another user: run pausetui as that user"
		if os.Geteuid() == 0 {
			hint = "this system or container refuses it also to root: pausetui doctor says what tracing needs"
		}
		return advice.Add(fmt.Errorf("its program cannot be read: %w", debugger.ErrPtrace), hint)
	case errors.Is(err, fs.ErrNotExist):
		return advice.Add(fmt.Errorf("%w: there is no such process", debugger.ErrGone), "pgrep -a NAME finds the process id of a program")
	}
	name := path
	if target, err := os.Readlink(path); err == nil {
		name = target
	}
	return advice.Add(fmt.Errorf("it runs %q, which is not a Go program", name), "pausetui debugs Go programs only")
}
