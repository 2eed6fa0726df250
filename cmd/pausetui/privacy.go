package main

import (
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/prompts/redact"
)

// redaction is what the configuration hides from models, and whether it hides
// nothing from those on this machine.
func redaction(c config.Config) (settings redact.Settings, localOff bool) {
	return redact.Settings{Entropy: c.Redact.Entropy, Names: c.Redact.Names, Types: c.Redact.Types, Allow: c.Redact.Allow}, !c.Redact.Local
}
