package cli

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// LogsOf is the root of the module that the person stands in, and the directory
// of its logs.
func LogsOf(logDir string) (root, dir string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return "", "", fmt.Errorf("find the working directory: %w", err)
	}
	root = config.Root(here)
	dir, err = session.FindDir(root, logDir)
	return root, dir, err
}

// FindSession finds the session that the arguments name; the newest without.
func FindSession(logDir string, args []string) (session.Entry, error) {
	_, dir, err := LogsOf(logDir)
	if err != nil {
		return session.Entry{}, err
	}
	name := session.Latest
	if len(args) > 0 {
		name = args[0]
	}
	e, err := session.Find(dir, name)
	if err != nil {
		return e, advice.Add(err, "pausetui sessions list names them")
	}
	return e, nil
}

// CompleteSessions offers the names of sessions, the newest first.
func CompleteSessions(logDir *string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []string
		if _, dir, err := LogsOf(*logDir); err == nil && len(args) == 0 {
			list, _ := session.List(dir)
			for _, e := range slices.Backward(list) {
				names = append(names, e.Name)
			}
			names = append(names, session.Latest)
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
