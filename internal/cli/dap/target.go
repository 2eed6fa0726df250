package dap

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/session"
)

// targetOf sets what a configuration says of the target.
func targetOf(t *options.Target, c dap.Config) error {
	path := func(p string) string {
		if p == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(t.Dir, p)
	}
	t.Args, t.WorkDir, t.Stdin, t.BuildFlags = c.Args, path(c.Cwd), path(c.StdinFrom), c.BuildFlags
	t.Repro.Command, t.Record = c.Repro, c.Backend == "rr"
	for name, value := range c.Env {
		if value != nil {
			t.Env = append(t.Env, name+"="+*value)
		}
	}
	if c.Panics != "" {
		t.Panics = debugger.PanicMode(c.Panics)
	}
	if c.NoDebug {
		t.Panics, t.NoFailures = debugger.PanicsOff, true
	}
	if c.StopOnEntry && c.Request == dap.Launch {
		t.Break = []string{"main.main"}
	}
	if c.Request == dap.Attach {
		if c.ProcessID <= 0 {
			return advice.Add(errors.New("attach to which process? processId is missing"), "to attach to a session in a terminal, connect to the address of its --listen")
		}
		t.Mode = session.LaunchMode{Kind: session.ModeAttach, PID: c.ProcessID}
		return nil
	}
	if c.Program == "" {
		return errors.New("the launch configuration names no program")
	}
	program := path(c.Program)
	switch c.Mode {
	case "", "debug", "auto", "test":
		t.Test = c.Mode == "test" || c.Mode == "auto" && strings.HasSuffix(program, "_test.go")
		if filepath.Ext(program) == ".go" {
			program = filepath.Dir(program)
		}
		info, err := os.Stat(program)
		if err != nil || !info.IsDir() {
			return fmt.Errorf("program %q is not a directory with a package", c.Program)
		}
		if t.WorkDir == "" {
			t.WorkDir = program
		}
		t.Dir, t.Package = program, "."
		if t.Test {
			t.Args, err = arguments.OfTests(c.Args)
		}
		return err
	case "exec":
		t.Mode = session.LaunchMode{Kind: session.ModeExec, Binary: program}
	case "core":
		t.Mode = session.LaunchMode{Kind: session.ModeCore, Binary: program, Core: path(c.CoreFilePath)}
	default:
		return fmt.Errorf("mode %q: want debug, test, exec or core", c.Mode)
	}
	return nil
}
