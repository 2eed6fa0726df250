package prompts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/prompts"
)

// checkOptions are the options of prompts check.
type checkOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	files []string // none: the person's and the module's own
}

func newCheck(sys *cli.System, runF func(context.Context, *checkOptions) error) *cobra.Command {
	o := &checkOptions{System: sys}
	c := &cobra.Command{
		Use: "check [FILE…]", Short: "Report every mistake in your own prompt profiles, or in the files",
		Long: "check prints a line for each mistake: file, line, key, what is wrong, and the nearest valid value.\n" +
			"It exits with 1 if there are any.",
	}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runCheck
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.files = cli.StreamsOf(c), args
		return runF(c.Context(), o)
	}
	return c
}

func runCheck(_ context.Context, o *checkOptions) error {
	count, errs, err := o.check()
	if err != nil {
		return err
	}
	mistakes := flatten(errs)
	if o.AsJSON {
		err = cli.PrintJSON(o.Out, mistakes)
	} else {
		for _, m := range mistakes {
			printable.Fprintln(o.Out, m.Error())
		}
	}
	if len(mistakes) > 0 {
		return errors.Join(err, cli.Exit(cli.ExitFailure, nil))
	}
	printable.Fprintf(o.Errs, "no mistake in %s\n", files(count))
	return err
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// check reads the files, or else the person's and the module's own. count is how
// many there are.
func (o *checkOptions) check() (count int, errs []error, err error) {
	for _, file := range o.files {
		if _, err := prompts.ReadFile(file); err != nil {
			errs = append(errs, unreadable(file, err))
		}
	}
	if len(o.files) > 0 {
		return len(o.files), errs, nil
	}
	root, err := o.ModuleRoot()
	if err != nil {
		return 0, nil, err
	}
	l, errs := prompts.Scan(prompts.Dirs(root)...)
	for _, p := range l {
		if p.From != prompts.FromEmbedded {
			count++
		}
	}
	return count, errs, nil
}

// unreadable names the file that has no line to name.
func unreadable(file string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return prompts.Mistakes{{File: file, Text: "cannot be read: " + cause.Err.Error()}}
	}
	return err
}
