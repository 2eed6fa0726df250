// Package cli has what all commands share: the system that they run on, their output and
// exit codes, and the questions they ask. The packages below it are the commands, a
// family each; it must not know them, nor how a target is debugged, or a fix found or
// proved.
//
// The rules are:
//
//   - Each command has an options struct: first what it uses of the system, then
//     its flags and arguments. Groups of flags that commands share are embedded.
//   - A mistake in the command line is a UsageError. The exit codes are those of
//     docs/reference/exit-codes.md.
//   - Text of a server, a target or a log is stripped before it is printed.
package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/config/userstate"
)

// System is what commands use of the process and of the person's files.
type System struct {
	Stdin, Stdout, Stderr *os.File
	Getwd                 func() (string, error)
	Config                func(dir string) (config.Config, error) // read and checked
	State                 userstate.Store
}

// ThisSystem is the system that the process runs on.
func ThisSystem() *System {
	return &System{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getwd: os.Getwd, Config: LoadConfig, State: userstate.Default()}
}

// NoScreen is why nothing can be shown on a full screen here; nil where it can.
func (sys *System) NoScreen() error {
	switch t := os.Getenv("TERM"); {
	case !term.IsTerminal(sys.Stdin.Fd()) || !term.IsTerminal(sys.Stdout.Fd()):
		return ErrNoTerminal
	case t == "dumb":
		return errors.New("this terminal cannot show a full screen: TERM is dumb")
	case t == "" && runtime.GOOS != "windows":
		return errors.New("the kind of terminal is unknown: TERM is not set")
	}
	return nil
}

// Dir is the working directory.
func (sys *System) Dir() (string, error) {
	dir, err := sys.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}

// ModuleRoot is the root of the module around the working directory.
func (sys *System) ModuleRoot() (string, error) {
	dir, err := sys.Dir()
	if err != nil {
		return "", err
	}
	return config.Root(dir), nil
}

// ErrNoTerminal is returned by NoScreen where standard input or output is not a terminal.
var ErrNoTerminal = errors.New("standard input or output is not a terminal")
