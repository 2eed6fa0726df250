package main

import (
	"context"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session/memory"
)

// setup is a session that is about to begin.
type setup struct {
	options  engine.Options
	settings config.Config // the configuration of the module and the user
	roster   *roster       // nil with --offline
}

// prepare makes a session of the flags of a command and of the configuration.
// What is debugged is left to the command.
func (sys *system) prepare(m *marks, fixes *fixFlags, groups ...group) (setup, error) {
	dir, err := sys.dir()
	if err != nil {
		return setup{}, err
	}
	s := setup{options: engine.Options{Version: versionText(), Fixes: engine.FixOptions{Estimator: prompts.NewEstimator(prompts.TokensFile())},
		Mark: m.mark, Target: engine.TargetOptions{Dir: dir, Panics: debugger.PanicsAuto}}}
	for _, g := range append(groups, fixes) {
		if err := g.apply(&s.options); err != nil {
			return s, usageError(err)
		}
	}
	if s.settings, err = sys.config(dir); err != nil {
		return s, err
	}
	o := &s.options
	o.Console, o.Notices = consoleSettings(s.settings.Console), ignoredNotice(s.settings)
	o.Privacy.Redact, o.Privacy.RedactLocalOff = redaction(s.settings)
	o.Privacy.Consents = sys.state.Consents()
	sys.addHooks(o, s.settings, dir)
	o.Stores.Memory = &memory.Deferred{Path: memory.Path()} // closed with the process: each write is whole by then
	fixes.bound(o, s.settings)
	s.roster, err = fixes.chooseModels(o, s.settings)
	return s, err
}

// start begins the session, and shows it until it ends.
func (s setup) start(ctx context.Context, f *frontend, m *marks) error {
	s.options.Target.Emulate = !f.plain
	e, err := engine.New(ctx, s.options)
	switch {
	case err != nil && ctx.Err() != nil:
		return &codeError{code: exitInterrupted}
	case err != nil:
		return err
	}
	return f.show(ctx, e, s, m)
}
