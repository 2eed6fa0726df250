package main

import (
	"fmt"
	"os"

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

// dir is the working directory.
func (sys *system) dir() (string, error) {
	dir, err := sys.getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return dir, nil
}
