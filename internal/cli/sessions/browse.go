package sessions

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	terminals "github.com/pausetui/pausetui/internal/terminal"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/browser"
)

// browse shows the sessions on the terminal, and then does what was chosen there.
// Without a terminal it lists them.
func browse(c *cobra.Command, sys *cli.System, logDir string, plain bool) error {
	if plain || sys.NoScreen() != nil {
		return search(c, logDir, "", 0, false)
	}
	choice, err := Browse(c.Context(), sys, logDir, "")
	switch {
	case errors.Is(err, context.Canceled) || err == nil && choice.Session == "":
		return nil
	case err != nil:
		return err
	}
	resume := newResume(sys, &logDir, func(ctx context.Context, o *resumeOptions) error {
		o.propose = choice.Apply
		return runResume(ctx, o)
	})
	resume.SetContext(c.Context())
	resume.SetOut(c.OutOrStdout())
	resume.SetErr(c.ErrOrStderr())
	return resume.RunE(resume, []string{choice.Session})
}

// Browse shows the sessions on the terminal until the person leaves, and returns what was
// chosen; note stands above the list.
func Browse(ctx context.Context, sys *cli.System, logDir, note string) (browser.Choice, error) {
	root, dir, err := cli.LogsOf(logDir)
	if err != nil {
		return browser.Choice{}, err
	}
	x, err := index.Open(ctx, index.Path(), dir)
	if err != nil {
		return browser.Choice{}, err
	}
	defer x.Close()
	settings, err := sys.Config(root)
	if err != nil {
		return browser.Choice{}, err
	}
	o := browser.Options{Index: x, Logs: dir, Note: note, Keys: settings.Keys, Output: terminals.Output(sys.Stdout), Editor: func() []string { return strings.Fields(cli.Editor()) }}
	o.Theme, o.Dark = cli.ScreenTheme(settings)
	defer terminals.Guard(sys.Stdout)()
	return browser.Run(ctx, o)
}
