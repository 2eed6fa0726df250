package main

import (
	"fmt"
	"io"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: cobra.NoArgs,
		Long:    "man prints the manual page, for all commands and flags, in the language of man pages.",
		Example: "pausetui man > ~/.local/share/man/man1/pausetui.1\npausetui man | man -l -",
		RunE:    func(c *cobra.Command, _ []string) error { return writeManual(c.OutOrStdout(), c.Root()) },
	}
}

// manualSections follow the commands.
var manualSections = []struct{ title, text string }{
	{"Exit status", "0: it went well; of fix: clean, or fixed. 1: pausetui failed. 2: wrong usage. Of fix also: 3: a verified candidate was found, or applied and not reached. 4: nothing was verified. 5: the target ended by itself, non-zero or by a signal. 130: interrupted."},
	{"Files", "debug/ in the module: logs and journals of the sessions. .pausetui/config.toml in the module and $XDG_CONFIG_HOME/pausetui/config.toml: the configuration; pausetui config says what holds. .pausetui/prompts/*.md and $XDG_CONFIG_HOME/pausetui/prompts/*.md: prompt profiles. $XDG_STATE_HOME/pausetui/: what is remembered between sessions; screen.json holds the layout and the theme."},
	{"Environment", "VISUAL, EDITOR: what edits a candidate. NO_COLOR: no colors. OLLAMA_HOST: where Ollama is. XDG_CONFIG_HOME, XDG_STATE_HOME: where the files above are. TMUX and the variables of terminals: how a notice of the desktop is sent."},
}

func writeManual(w io.Writer, root *cobra.Command) error {
	page, err := mango.NewManPage(1, root)
	if err != nil {
		return fmt.Errorf("make the manual page: %w", err)
	}
	for _, s := range manualSections {
		page.WithSection(s.title, s.text)
	}
	_, err = fmt.Fprint(w, page.Build(roff.NewDocument()))
	return err
}
