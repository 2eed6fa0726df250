package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/memory"
)

func newMemory() *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Fixes that helped: list, forget, pin, export, import",
		Long: "A fix that you approved and that was judged fixed is remembered by the fingerprint of its stop. When a program stops\n" +
			"with that fingerprint again, in any module, the fix is offered first. It is adapted to code that has moved, and proved\n" +
			"again like every fix.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMemoryList(), newMemoryForget(), newMemoryPin(), newMemoryExport(), newMemoryImport())
	return c
}

// withMemory opens the store of this user.
func withMemory(ctx context.Context, do func(memory.Store) error) error {
	store, err := memory.Open(ctx, memory.Path())
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// Remembered is a fix as `sessions memory list --json` prints it.
type Remembered struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Class       string `json:"class"`
	Function    string `json:"function"`
	Module      string `json:"module"`
	Title       string `json:"title"`
	Model       string `json:"model"` // who proposed it first
	At          string `json:"at"`    // RFC 3339, when it helped last
	Times       int    `json:"times"` // how often it helped
	Pinned      bool   `json:"pinned"`
	Session     string `json:"session"`
	Diff        string `json:"diff"` // as git apply takes it
}

func newMemoryList() *cobra.Command {
	var printed cli.JSONFlag
	c := &cobra.Command{
		Use: "list", Short: "List the remembered fixes", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withMemory(c.Context(), func(s memory.Store) error {
				fixes, err := s.List(c.Context())
				if err != nil {
					return err
				}
				return printMemory(c.OutOrStdout(), fixes, printed.AsJSON)
			})
		},
	}
	printed.RegisterJSON(c.Flags())
	return c
}

func printMemory(w io.Writer, fixes []memory.Fix, asJSON bool) error {
	list := []Remembered{}
	for _, f := range fixes {
		list = append(list, Remembered{f.ID, f.Fingerprint, f.Class, f.Function, f.Module, f.Title, f.Source.Model,
			f.At.Format("2006-01-02T15:04:05Z07:00"), f.Times, f.Pinned, f.Session, f.Diff()})
	}
	if asJSON {
		return cli.PrintJSON(w, list)
	}
	table := cli.NewTable(w, "ID", "CLASS", "FUNCTION", "FIX", "HELPED", "LAST")
	for _, r := range list {
		times := fmt.Sprint(r.Times, "×")
		if r.Pinned {
			times += ", pinned"
		}
		table.Row(r.ID, r.Class, r.Function, r.Title, times, strings.SplitN(r.At, "T", 2)[0])
	}
	return table.Flush()
}

func newMemoryForget() *cobra.Command {
	return &cobra.Command{
		Use: "forget ID...", Short: "Forget fixes", Args: cobra.MinimumNArgs(1), ValidArgsFunction: completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return withMemory(c.Context(), func(s memory.Store) error {
				for _, id := range args {
					if err := s.Delete(c.Context(), id); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func newMemoryPin() *cobra.Command {
	var off bool
	c := &cobra.Command{
		Use: "pin ID", Short: "Offer a fix before the others of its fault", Args: cobra.ExactArgs(1), ValidArgsFunction: completeMemory,
		RunE: func(c *cobra.Command, args []string) error {
			return withMemory(c.Context(), func(s memory.Store) error {
				fixes, err := s.List(c.Context())
				if err != nil {
					return err
				}
				for _, f := range fixes {
					if f.ID == args[0] {
						f.Pinned = !off
						return s.Put(c.Context(), f)
					}
				}
				return fmt.Errorf("pin %s: %w", args[0], memory.ErrNotKept)
			})
		},
	}
	c.Flags().BoolVar(&off, "off", false, "remove the pin")
	return c
}

func newMemoryExport() *cobra.Command {
	return &cobra.Command{
		Use: "export [FILE]", Short: "Write the fixes as text that a team can keep in its repository", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withMemory(c.Context(), func(s memory.Store) error {
				fixes, err := s.List(c.Context())
				if err != nil {
					return err
				}
				if len(args) == 0 {
					return memory.Export(c.OutOrStdout(), fixes)
				}
				file, err := os.OpenFile(args[0], os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
				if err != nil {
					return fmt.Errorf("export the fixes: %w", err)
				}
				return errors.Join(memory.Export(file, fixes), file.Close())
			})
		},
	}
}

func newMemoryImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import fixes from a file that export wrote; each is proved again before it is offered", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := regular.Read(args[0])
			if err != nil {
				return fmt.Errorf("import fixes: %w", err)
			}
			return withMemory(c.Context(), func(s memory.Store) error {
				done, err := memory.Import(c.Context(), s, text)
				if err != nil {
					return err
				}
				lines := []string{fmt.Sprintf("%d taken, %d were here", done.Added, done.Same)}
				for _, conflict := range done.Conflicts {
					lines = append(lines, fmt.Sprintf("two fixes of %s in %s: %q, and yours: %q; the proof decides at the next stop",
						conflict.Ours.Class, conflict.Ours.Function, session.Clean(conflict.Theirs.Title), session.Clean(conflict.Ours.Title)))
				}
				for _, why := range done.Refused {
					lines = append(lines, "not taken: "+why)
				}
				return cli.PrintLines(c.OutOrStdout(), lines)
			})
		},
	}
}

// completeMemory offers the IDs of remembered fixes.
func completeMemory(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var ids []string
	_ = withMemory(c.Context(), func(s memory.Store) error {
		fixes, err := s.List(c.Context())
		for _, f := range fixes {
			ids = append(ids, cobra.CompletionWithDesc(f.ID, printable.Line(f.Title)))
		}
		return err
	})
	return ids, cobra.ShellCompDirectiveNoFileComp
}
