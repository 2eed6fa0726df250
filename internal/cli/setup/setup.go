// Package setup makes the options of a session from flags and configuration. What is
// debugged, and how it is shown, is left to the commands.
package setup

import (
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/memory"
)

// Session is a session that is about to begin.
type Session struct {
	Options  options.Session
	Settings config.Config  // the configuration of the module and the user
	Roster   *roster.Roster // nil with --offline
}

// Prepare makes a session of the flags of a command and of the configuration.
// What is debugged is left to the command.
func Prepare(sys *cli.System, m *Marks, fixes *flags.Fixes, groups ...flags.Group) (Session, error) {
	dir, err := sys.Dir()
	if err != nil {
		return Session{}, err
	}
	s := Session{Options: options.Session{Version: cli.Version(), Fixes: options.Fixes{Estimator: prompts.NewEstimator(prompts.TokensFile())},
		Mark: m.Mark, Target: options.Target{Dir: dir, Panics: debugger.PanicsAuto}}}
	for _, g := range append(groups, fixes) {
		if err := g.Apply(&s.Options); err != nil {
			return s, cli.UsageError(err)
		}
	}
	if s.Settings, err = sys.Config(dir); err != nil {
		return s, err
	}
	o := &s.Options
	o.Console, o.Notices = cli.ConsoleSettings(s.Settings.Console), cli.IgnoredNotice(s.Settings)
	o.Privacy.Redact, o.Privacy.RedactLocalOff = cli.Redaction(s.Settings)
	o.Privacy.Consents = sys.State.Consents()
	addHooks(sys, o, s.Settings, dir)
	o.Stores.Memory = &memory.Deferred{Path: memory.Path()} // closed with the process: each write is whole by then
	fixes.Bound(o, s.Settings)
	s.Roster, err = roster.Choose(&fixes.Models, o, s.Settings)
	return s, err
}

// addHooks gives a session the person's hooks, and those of the module where the person has
// agreed to them.
func addHooks(sys *cli.System, o *options.Session, c config.Config, dir string) {
	root := config.Root(dir)
	commands := c.Hooks.Commands()
	if digest := c.ModuleHooks.Digest(); digest != "" {
		given, err := sys.State.HookConsents().Given(root, digest)
		switch {
		case err != nil:
			o.Notices = append(o.Notices, session.Notice{Level: "warn", Text: "the module's hooks do not run: " + session.Clean(err.Error())})
		case !given:
			o.Notices = append(o.Notices, session.Notice{Level: "warn", Text: "the module's hooks do not run: you have not agreed to them", Hint: "pausetui config hooks shows them; --allow allows them"})
		default:
			commands = append(commands, c.ModuleHooks.Commands()...)
		}
	}
	for _, h := range commands {
		o.Hooks = append(o.Hooks, hooks.Hook{Point: hooks.Point(h.Point), Name: h.Command, Timeout: h.Timeout, Handler: hooks.Command{Line: h.Command, Dir: root}})
	}
}

// Profiles are the names of the profiles that the session can ask.
func (s Session) Profiles() []string {
	var names []string
	for _, p := range s.Options.Fixes.Profiles {
		names = append(names, p.Name)
	}
	return names
}
