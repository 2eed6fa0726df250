package help

import (
	"fmt"
	"io"
	"strings"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NewManual makes the command man.
func NewManual() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Args: cobra.NoArgs,
		Long:    "man prints the manual page for all commands and flags, in the format of the man program.",
		Example: "pausetui man > ~/.local/share/man/man1/pausetui.1\npausetui man | man -l -",
		RunE:    func(c *cobra.Command, _ []string) error { return writeManual(c.OutOrStdout(), c.Root()) },
	}
}

// manualSections follow the commands.
var manualSections = []struct{ title, text string }{
	{"Exit status", "0: success; for fix: clean or fixed. 1: pausetui failed. 2: wrong usage. For fix also: 3: a verified fix was found, or applied and not reached. 4: nothing was verified. 5: the program ended by itself, non-zero or by a signal. 130: interrupted."},
	{"Files", "debug/ in the module, or .pausetui/log/ where debug/ holds other files: logs and journals of the sessions. .pausetui/config.toml in the module and $XDG_CONFIG_HOME/pausetui/config.toml: the configuration; pausetui config prints the effective settings. .pausetui/prompts/*.md and $XDG_CONFIG_HOME/pausetui/prompts/*.md: prompt profiles. $XDG_STATE_HOME/pausetui/: what is remembered between sessions; screen.json holds the layout and the theme."},
	{"Environment", "EDITOR, VISUAL: the editor for fixes; without them git's core.editor, or vi. NO_COLOR: no colors. OLLAMA_HOST: where Ollama is. XDG_CONFIG_HOME, XDG_STATE_HOME: where the files above are. TMUX and the variables of terminals: how desktop notifications are sent."},
}

// writeManual writes the manual page of a command tree, whose flags it renames.
func writeManual(w io.Writer, root *cobra.Command) error {
	nameValues(root, map[*pflag.Flag]bool{})
	page, err := mango.NewManPage(1, root)
	if err != nil {
		return fmt.Errorf("make the manual page: %w", err)
	}
	page.WithLongDescription(strings.ReplaceAll(root.Long, "\n", " "))
	for _, s := range manualSections {
		page.WithSection(s.title, s.text)
	}
	text := strings.Replace(page.Build(roff.NewDocument()), fmt.Sprintf(" %q\n", root.Short), " \"User Commands\"\n", 1)
	_, err = io.WriteString(w, text)
	return err
}

// nameValues puts the placeholder of each flag's value behind the flag's name, where a
// manual has it: mango leaves it in the text, in backquotes.
func nameValues(c *cobra.Command, done map[*pflag.Flag]bool) {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if done[f] {
				return
			}
			done[f] = true
			value, usage := pflag.UnquoteUsage(f)
			f.Usage = usage
			if value != "" {
				f.Name += " " + value
			}
		})
	}
	for _, sub := range c.Commands() {
		nameValues(sub, done)
	}
}
