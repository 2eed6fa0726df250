package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/config/userstate"
)

// system is what commands use of the process and of the person's files.
type system struct {
	stdin, stdout, stderr *os.File
	getwd                 func() (string, error)
	config                func(dir string) (config.Config, error) // read and checked
	state                 userstate.Store
}

// thisSystem is the system that the process runs on.
func thisSystem() *system {
	return &system{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getwd: os.Getwd, config: loadConfig, state: userstate.Default()}
}

// noScreen is why nothing can be shown on a full screen here; nil where it can.
func (sys *system) noScreen() error {
	switch t := os.Getenv("TERM"); {
	case !term.IsTerminal(sys.stdin.Fd()) || !term.IsTerminal(sys.stdout.Fd()):
		return errNoTerminal
	case t == "dumb":
		return errors.New("this terminal cannot show a full screen: TERM is dumb")
	case t == "" && runtime.GOOS != "windows":
		return errors.New("the kind of terminal is unknown: TERM is not set")
	}
	return nil
}

// dir is the working directory.
func (sys *system) dir() (string, error) {
	dir, err := sys.getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}

// moduleRoot is the root of the module around the working directory.
func (sys *system) moduleRoot() (string, error) {
	dir, err := sys.dir()
	if err != nil {
		return "", err
	}
	return config.Root(dir), nil
}

var errNoTerminal = errors.New("standard input or output is not a terminal")
