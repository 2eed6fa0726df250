package sessions

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/browser"
)

func newStats(logDir *string) *cobra.Command {
	var printed cli.JSONFlag
	c := &cobra.Command{
		Use:   "stats [QUERY]",
		Short: "Count sessions: outcomes, classes, who proposed what, and what became of it",
		Long: "stats summarizes the sessions that a query finds (see pausetui sessions search), or all sessions. Rates count\n" +
			"only fixes whose restart was judged, and come with their 95 % interval.",
		RunE: func(c *cobra.Command, args []string) error {
			q, err := index.ParseQuery(strings.Join(args, " "), time.Now())
			if err != nil {
				return err
			}
			return withIndex(c, *logDir, func(x *index.Index, _ string) error {
				s, err := x.Stats(c.Context(), q)
				if err != nil {
					return err
				}
				if printed.AsJSON {
					return cli.PrintJSON(c.OutOrStdout(), s)
				}
				return cli.PrintLines(c.OutOrStdout(), browser.Figures(s, 100))
			})
		},
	}
	printed.RegisterJSON(c.Flags())
	return c
}
