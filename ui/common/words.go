package common

import (
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// InPast reports whether this is a session in the past.
func InPast(s session.State) bool { return s.Started.Mode.Kind == session.ModePast }

// TargetName names what is debugged: the package "." by its directory.
func TargetName(s session.Started) string {
	if name := s.Target(); name != "." || s.Workspace.Dir == "" {
		return name
	}
	return filepath.Base(s.Workspace.Dir)
}

// NotRunning says why nothing runs.
func NotRunning(s session.State) string {
	if s.Build != nil && s.Build.Built {
		return "could not be started"
	}
	return "build failed"
}

// Joined is a sentence with a hint behind it, if there is one.
func Joined(s, hint string) string {
	if hint == "" {
		return s
	}
	return fmt.Sprintf("%s — %s", s, hint)
}

// StoppedBriefly is why the target stopped, in a word or two.
func StoppedBriefly(s debugger.Stop) string {
	switch {
	case s.Exit != nil && s.Exit.Signal != "":
		return "killed by " + text.Line(s.Exit.Signal)
	case s.Exit != nil:
		return "exit " + text.Count(int64(s.Exit.Code))
	case s.Panic != nil:
		return text.Line(s.Panic.Class.Words())
	case s.Reason == debugger.ReasonStep:
		return "stepped"
	case s.Reason == debugger.ReasonHalt:
		return "halted"
	}
	return string(s.Reason)
}
