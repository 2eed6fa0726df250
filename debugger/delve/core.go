package delve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// CoreConfig says which core dump to open.
type CoreConfig struct {
	Binary   string       // the program that it is a dump of
	Core     string       // made by the kernel, gcore or Delve
	UserDirs []string     // as in Config
	Local    *paths.Local // as in Config
	// CheckGoVersion as in Config.
	CheckGoVersion bool
}

// Core opens a core dump. Found is where it is; it cannot run. Its errors
// carry hints.
func Core(ctx context.Context, config CoreConfig) (*Target, error) {
	if err := corefile.Check(ctx, config.Binary, config.Core); err != nil {
		return nil, err
	}
	binary, err := filepath.Abs(config.Binary)
	if err != nil {
		return nil, err
	}
	core, err := filepath.Abs(config.Core)
	if err != nil {
		return nil, err
	}
	return withServer(ctx, control.Opened, Config{Binary: binary, UserDirs: config.UserDirs, Local: config.Local, Panics: debugger.PanicsUnrecovered, CheckGoVersion: config.CheckGoVersion},
		rpc.Order{Core: core, Argv: []string{binary}, CheckGoVersion: config.CheckGoVersion})
}

// coreError tells the known refusals apart.
func coreError(core, binary string, err error) error {
	switch {
	case errors.Is(err, rpc.ErrCoreFormat):
		return advice.Add(fmt.Errorf("open %q: not a core dump of a known format", core), corefile.Hint)
	case errors.Is(err, rpc.ErrNoDebug):
		return advice.Add(fmt.Errorf("open %q: its program %q has no debug information", core, binary),
			"name a binary of the same build that was not stripped")
	case errors.Is(err, rpc.ErrGoTooOld):
		return goVersionError(binary)
	}
	return fmt.Errorf("open %q: %w", core, err)
}
