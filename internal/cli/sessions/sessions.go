// Package sessions implements the command sessions: it finds, shows, exports, resumes and
// undoes past sessions.
package sessions

import (
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
)

// New makes the command.
func New(sys *cli.System) *cobra.Command {
	var logDir string
	c := &cobra.Command{
		Use:     "sessions",
		Short:   "Past sessions: browse, search, count, export, resume, undo",
		Long:    "sessions opens a browser of past sessions: type to search. They are stored in the module's debug/ directory, or in .pausetui/log/ where debug/ holds other files.\nName a session by its file, by the start of its name, or as latest.",
		Example: "pausetui sessions\npausetui sessions search nil map since:30d\npausetui sessions resume latest\npausetui sessions undo 20261120-1702",
		Args:    cobra.NoArgs,
	}
	plain := c.Flags().Bool("plain", false, "print the sessions instead of opening the screen")
	c.RunE = func(c *cobra.Command, _ []string) error { return browse(c, sys, logDir, *plain) }
	c.PersistentFlags().StringVar(&logDir, "log-dir", "", "look for session logs in `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	c.AddCommand(newList(&logDir), newSearch(&logDir), newShow(&logDir), newStats(&logDir),
		newResume(sys, &logDir, nil), newApply(sys, &logDir), newUndo(&logDir), newRemove(&logDir), newMemory(), newImport(&logDir),
		newExport(&logDir), newServe(&logDir))
	return c
}

// trustFlag lets a person have a journal obeyed that may have come with a
// repository.
func trustFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("trust-journal", false, "trust a journal that you did not write on this machine, or that is older than its seal")
}
