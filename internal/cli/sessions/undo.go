package sessions

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/earlier"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

func newUndo(logDir *string) *cobra.Command {
	c := &cobra.Command{
		Use:   "undo [ID|latest]",
		Short: "Undo the last change that a session applied; nothing is started",
		Long: "undo restores the files of the last change of a session that is still in the source, and prints their names.\n" +
			"Other changes of these files since then are kept; it refuses if one of them touches the same lines, or if a file is\n" +
			"outside your modules in this repository. A committed change is reverted by a second commit.",
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
	}
	trusted := trustFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		e, err := cli.FindSession(*logDir, args)
		if err != nil {
			return err
		}
		root, _, err := cli.LogsOf(*logDir)
		if err != nil {
			return err
		}
		taken, err := earlier.Undo(c.Context(), e.Journal, root, *trusted)
		for _, n := range taken.Words {
			printable.Fprintf(c.ErrOrStderr(), "pausetui: %s\n", n.Text)
			if n.Hint != "" {
				printable.Fprintf(c.ErrOrStderr(), "  hint: %s\n", n.Hint)
			}
		}
		if err != nil {
			return err
		}
		for _, edit := range taken.Edits {
			printable.Fprintln(c.OutOrStdout(), edit.File)
		}
		words := fmt.Sprintf("undone: %s (%s)", session.Called(taken.Candidate.ID), session.Clean(taken.Candidate.Title))
		if taken.Reverted != "" {
			words += ", commit " + taken.Reverted
		}
		printable.Fprintln(c.ErrOrStderr(), words)
		return nil
	}
	return c
}
