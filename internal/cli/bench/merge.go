package bench

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
)

func newMerge() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:     "merge RUN...",
		Short:   "Merge the runs of shards into what one run would have given",
		Example: "pausetui bench merge shard1 shard2 shard3 --dir whole",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return cli.UsageError(fmt.Errorf("--dir is required"))
			}
			differing, err := matrix.Merge(dir, args)
			if differing > 0 {
				printable.Fprintf(c.ErrOrStderr(), "%d cells were run twice with different results; one result of each counts\n", differing)
			}
			if err != nil {
				return err
			}
			s, err := scores.Summarize(dir)
			if err == nil {
				printable.Fprintf(c.OutOrStdout(), "%d of %d cells have a result\n", s.Done, s.Plan.Len())
			}
			return err
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the merged run to `DIR`")
	return c
}
