package bench

import (
	"fmt"

	"github.com/spf13/cobra"

	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
)

func newCompare() *cobra.Command {
	var columnA, columnB, key string
	c := &cobra.Command{
		Use:   "compare A [B]",
		Short: "Compare two runs: what got better, what got worse, and what is unsure",
		Long: "compare pairs the cells of two runs by case and trial. It tests whether they differ (McNemar, exact) and prints an interval\n" +
			"of the difference (bootstrap, by case). Columns of the same name are compared; --a and --b select others, also of one run.\n" +
			"A run is named by its directory, by the id of its plan, or as latest.",
		Example: "pausetui bench compare before latest\npausetui bench compare latest --a 'ollama/x:7b minimal' --b 'ollama/x:7b whole-function'",
		Args:    cobra.MaximumNArgs(2), ValidArgsFunction: completeRuns,
		RunE: func(c *cobra.Command, args []string) error {
			of, ok := scores.FindScore(key)
			if !ok {
				return cli.UsageError(fmt.Errorf("--score %q: want one of %v", key, scoreKeys()))
			}
			a, b, err := twoRuns(args, columnA != "" && columnB != "")
			if err != nil {
				return err
			}
			list, err := scores.Compare(a, columnA, b, columnB, of)
			if err != nil {
				return err
			}
			return scores.CompareText(printable.NewWriter(c.OutOrStdout()), list, of)
		},
	}
	c.Flags().StringVar(&columnA, "a", "", "use `COLUMN` of run A")
	c.Flags().StringVar(&columnB, "b", "", "use `COLUMN` of run B")
	c.Flags().StringVar(&key, "score", "right", "compare by `SCORE`")
	return c
}
