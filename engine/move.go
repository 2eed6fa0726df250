package engine

import (
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
)

// moveWords says what a motion was given, for people.
func moveWords(m debugger.Move) string {
	switch {
	case m.Expr != "":
		return m.Expr
	case m.Location != "":
		return m.Location
	case m.File != "":
		return fmt.Sprintf("%s:%d", filepath.Base(m.File), m.Line)
	}
	return ""
}
