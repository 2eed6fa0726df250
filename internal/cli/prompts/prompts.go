// Package prompts implements the command prompts: it lists and checks prompt profiles,
// and renders one for a recorded stop.
package prompts

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/prompts"
)

// New makes the command.
func New(sys *cli.System) *cobra.Command {
	c := &cobra.Command{
		Use:   "prompts",
		Short: "Prompt profiles: list them, show one, check your own, render one for a recorded stop",
		Long: "A prompt profile is a markdown file with front matter. Your own are in .pausetui/prompts/ of a module and in\n" +
			"$XDG_CONFIG_HOME/pausetui/prompts/. The module's profiles override yours of the same name, and yours the built-in ones.",
		Example: "pausetui prompts list\npausetui prompts show whole-function > .pausetui/prompts/mine.md\npausetui prompts check\npausetui prompts render minimal --session latest --sections",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newList(sys, nil), newShow(sys, nil), newCheck(sys, nil), newRender(sys, nil))
	return c
}

// readLibrary reads all profiles; those with mistakes are reported to w.
func readLibrary(sys *cli.System, w io.Writer) (prompts.Library, error) {
	root, err := sys.ModuleRoot()
	if err != nil {
		return nil, err
	}
	l, errs := prompts.Scan(prompts.Dirs(root)...)
	for _, m := range flatten(errs) {
		printable.Fprintln(w, m.Error())
	}
	return l, nil
}

// Complete offers the names of the profiles.
func Complete(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	l, err := readLibrary(cli.ThisSystem(), io.Discard)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return l.Names(), cobra.ShellCompDirectiveNoFileComp
}

// flatten lists mistakes one by one; a file that cannot be read is one.
func flatten(errs []error) []prompts.Mistake {
	list := []prompts.Mistake{}
	for _, err := range errs {
		var mistakes prompts.Mistakes
		if !errors.As(err, &mistakes) {
			mistakes = prompts.Mistakes{{Text: err.Error()}}
		}
		list = append(list, mistakes...)
	}
	return list
}
