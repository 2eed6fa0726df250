package launch

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/session"
)

// openCore opens the core dump that the session goes on from.
func (ln *Launcher) openCore(config delve.Config) (*delve.Target, error) {
	return delve.Core(ln.Ctx, delve.CoreConfig{Binary: ln.Opts.Log.From.Binary, Core: ln.Opts.Log.From.Core, UserDirs: config.UserDirs, Local: config.Local, CheckGoVersion: true})
}

// thawed reports whether the next round shows the snapshot that the session goes
// on from: the first does.
func (ln *Launcher) thawed() bool { return ln.Opts.Log.From != nil && !ln.opened }

// unbuilt goes on with the snapshot although the source here does not compile:
// there is a stop to look at, but no fix can be proved.
func (ln *Launcher) unbuilt(failed *session.BuildFailed) {
	ln.Notice("warn", failed.Message+" here: the snapshot can be looked at, and no fix can be proved", "r builds again")
	ln.LaunchFirst()
}

// ofSnapshot are the abilities of a core dump whose program can be built here.
func ofSnapshot(can debugger.Abilities) debugger.Abilities {
	can.Restart, can.Rebuild = true, true
	can.Of = "a snapshot"
	return can
}
