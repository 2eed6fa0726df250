package config

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

func newHooks(sys *cli.System) *cobra.Command {
	var allow, revoke bool
	c := &cobra.Command{
		Use: "hooks", Short: "List the hooks of the module, and whether they run", Args: cobra.NoArgs,
		Long: "hooks lists the commands that the module's configuration asks to run during a session. They may have\n" +
			"come with someone else's repository, so they run only after --allow, and no longer once they change.",
		Example: "pausetui config hooks\npausetui config hooks --allow",
	}
	c.Flags().BoolVar(&allow, "allow", false, "allow these commands in sessions of this module")
	c.Flags().BoolVar(&revoke, "revoke", false, "stop allowing them")
	c.MarkFlagsMutuallyExclusive("allow", "revoke")
	c.RunE = func(c *cobra.Command, _ []string) error {
		dir, err := sys.Dir()
		if err != nil {
			return err
		}
		settings, err := sys.Config(dir)
		if err != nil {
			return err
		}
		root, digest, consents := config.Root(dir), settings.ModuleHooks.Digest(), sys.State.HookConsents()
		if allow || revoke {
			given := digest
			if revoke {
				given = ""
			}
			if err := consents.Give(root, given, time.Now()); err != nil {
				return err
			}
		}
		for _, i := range settings.Ignored {
			if strings.HasPrefix(i.Key, "hooks.") {
				printable.Fprintln(c.OutOrStdout(), i.String())
				return nil
			}
		}
		if digest == "" {
			printable.Fprintln(c.OutOrStdout(), "the module has no hooks")
			return nil
		}
		given, err := consents.Given(root, digest)
		if err != nil {
			return err
		}
		for _, h := range settings.ModuleHooks.Commands() {
			printable.Fprintf(c.OutOrStdout(), "%s: %s\n", h.Point, session.CleanSource(h.Command))
		}
		words := "they do not run; --allow allows them"
		if given {
			words = "they run; --revoke stops allowing them"
		}
		printable.Fprintln(c.OutOrStdout(), words)
		return nil
	}
	return c
}
