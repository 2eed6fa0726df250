package bench

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
)

func newCases() *cobra.Command {
	c := &cobra.Command{
		Use:   "cases",
		Short: "The programs that crash: list, verify, add them",
		Long: "A case is one archive: a module or a test that stops, its input, and a check for right behavior that no model sees.\n" +
			"The built-in cases come with pausetui. Half of them are closed to the authors of the built-in fixer: only totals for\n" +
			"these are shown.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCasesList(), newCasesVerify(), newCasesAdd())
	return c
}

// ListedCase is a case as `bench cases list --json` prints it.
type ListedCase struct {
	Name    string `json:"name"`
	Class   string `json:"class"`
	Kind    string `json:"kind"`
	Fault   string `json:"fault"`
	Fixable bool   `json:"fixable"`
	About   string `json:"about"`
}

func newCasesList() *cobra.Command {
	o := &caseFlags{}
	var printed cli.JSONFlag
	c := &cobra.Command{
		Use: "list", Short: "List the cases", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			used, shown, err := o.cases(c.ErrOrStderr())
			if err != nil {
				return err
			}
			list, closed := []ListedCase{}, 0
			for _, one := range shown {
				if one.Closed {
					closed++
					continue
				}
				of := used[one.Name]
				list = append(list, ListedCase{of.Name, of.Class, string(of.Kind), string(of.Fault), of.CanBeFixed(), of.About})
			}
			if printed.AsJSON {
				return cli.PrintJSON(c.OutOrStdout(), list)
			}
			table := cli.NewTable(c.OutOrStdout(), "NAME", "CLASS", "KIND", "FAULT")
			for _, l := range list {
				table.Row(l.Name, l.Class, l.Kind, l.Fault)
			}
			if err := table.Flush(); err != nil {
				return err
			}
			if closed > 0 {
				printable.Fprintf(c.OutOrStdout(), "and %d closed cases\n", closed)
			}
			return nil
		},
	}
	o.register(c.Flags())
	printed.RegisterJSON(c.Flags())
	return c
}

func newCasesVerify() *cobra.Command {
	o := &caseFlags{}
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check that cases stop as they say, and that their reference fixes are right",
		Long: "verify runs each case. Unchanged, it must stop with the recorded class in the recorded function, and fail the hidden\n" +
			"check, even with a recover around the site. With the reference fix, it must run without a stop and pass the check.",
		Example: "pausetui bench cases verify --cases ./cases",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			used, shown, err := o.cases(c.ErrOrStderr())
			if err != nil {
				return err
			}
			return verifyCases(c, used, shown)
		},
	}
	o.register(c.Flags())
	return c
}

func verifyCases(c *cobra.Command, used map[string]*bench.Case, shown []matrix.Case) error {
	failed, closed := 0, 0
	for _, one := range shown {
		dir, err := os.MkdirTemp("", "pausetui-case-")
		if err != nil {
			return err
		}
		err = used[one.Name].Prove(c.Context(), dir)
		_ = os.RemoveAll(dir) // a temporary directory
		if c.Context().Err() != nil {
			return c.Context().Err()
		}
		switch {
		case err != nil && one.Closed:
			failed, closed = failed+1, closed+1
		case err != nil:
			failed++
			printable.Fprintf(c.OutOrStdout(), "✗ %s\n", err.Error())
		case !one.Closed:
			printable.Fprintf(c.OutOrStdout(), "✓ %s\n", one.Name)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cases failed verification, %d of them closed", failed, len(shown), closed)
	}
	printable.Fprintf(c.OutOrStdout(), "%d cases verified\n", len(shown))
	return nil
}
