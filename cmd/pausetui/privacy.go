package main

import (
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/prompts/redact"
)

// protect says what may leave the process, and where to.
func (f *targetFlags) protect(o *engine.Options, c config.Config) {
	o.Redact = redact.Settings{Entropy: c.Redact.Entropy, Names: c.Redact.Names, Types: c.Redact.Types, Allow: c.Redact.Allow}
	o.RedactLocalOff = !c.Redact.Local
	o.AllowRemote, o.SendOutput, o.Consents = f.allowRemote, f.sendOutput, userstate.Default().Consents()
}
