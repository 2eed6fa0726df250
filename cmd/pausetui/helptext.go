package main

import (
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// widestHelp is how wide the help is at most, as fang draws it.
const widestHelp = 120

// helpWidth is how wide the help can be.
func helpWidth(out *os.File) int {
	if w, _, err := term.GetSize(out.Fd()); err == nil && w > 0 {
		return min(w, widestHelp)
	}
	return widestHelp
}

// wantsHelp reports whether the arguments ask for help.
func wantsHelp(args []string) bool {
	ours, _, _ := cutAtDashes(args)
	return len(ours) == 0 || ours[0] == "help" || slices.Contains(ours, "--help") || slices.Contains(ours, "-h")
}

// layHelp prepares the flags of all commands for the help, which fang draws as they
// are: it names the placeholders and wraps the descriptions. Flags are looked up by
// the names that they were registered with all the same.
func layHelp(root *cobra.Command, width int) {
	root.InitDefaultHelpFlag()
	sets := []*pflag.FlagSet{root.PersistentFlags(), root.LocalNonPersistentFlags()}
	longest := 0
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(f.Name, " ") {
				placeholder, usage := pflag.UnquoteUsage(f)
				f.Usage = strings.Join(strings.Fields(usage), " ")
				if placeholder != "" {
					f.Name += " " + placeholder
				}
			}
			longest = max(longest, len("-h --")+len(f.Name))
		})
	}
	for _, set := range sets {
		set.VisitAll(func(f *pflag.Flag) { f.Usage = wrapUsage(f, width-longest-helpMargin) })
	}
	for _, c := range root.Commands() {
		layHelp(c, width)
	}
}

// helpMargin is the room that fang leaves around a flag's name.
const helpMargin = 8

// wrapUsage wraps a description so that the default that fang adds fits, too.
func wrapUsage(f *pflag.Flag, width int) string {
	added := ""
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
		added = " (" + f.DefValue + ")"
	}
	text := ansi.Wordwrap(f.Usage+added, max(width, 20), "")
	return strings.TrimSuffix(strings.TrimSuffix(text, strings.TrimSpace(added)), " ") // it may be on a line of its own
}
