package sessions

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

func newRemove(logDir *string) *cobra.Command {
	var sure bool
	c := &cobra.Command{
		Use:   "rm ID...",
		Short: "Delete sessions: journal, log, output and source files",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
		RunE: func(c *cobra.Command, args []string) error {
			_, dir, err := cli.LogsOf(*logDir)
			if err != nil {
				return err
			}
			for _, name := range args {
				e, err := session.Find(dir, name)
				if err != nil {
					return err
				}
				if !sure && !cli.Confirm(c, "delete "+session.Clean(e.Name)+"?") {
					return errors.New("kept: --yes deletes without asking")
				}
				if err := session.Remove(dir, e.Name); err != nil {
					return err
				}
				printable.Fprintln(c.OutOrStdout(), "deleted", e.Name)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&sure, "yes", false, "do not ask")
	return c
}
