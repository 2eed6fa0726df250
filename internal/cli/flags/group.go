// Package flags defines the groups of flags that several commands share. A command's
// options embed the groups that it has.
package flags

import (
	"github.com/pausetui/pausetui/engine/options"
)

// Group is a group of flags about a session.
type Group interface {
	// Apply sets what the flags say. An error is a mistake in the usage.
	Apply(*options.Session) error
}
