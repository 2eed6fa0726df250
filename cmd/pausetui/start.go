package main

import (
	"os"
	"os/exec"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// offer is what pausetui alone does: in a module, at a terminal, it offers what
// there is to debug; elsewhere it shows the help.
func offer(c *cobra.Command, sys *system) error {
	dir, err := sys.dir()
	if err != nil || !term.IsTerminal(sys.stdin.Fd()) || !term.IsTerminal(sys.stdout.Fd()) {
		return c.Help()
	}
	out, err := exec.CommandContext(c.Context(), "go", "env", "GOMOD").Output()
	if mod := strings.TrimSpace(string(out)); err != nil || mod == "" || mod == os.DevNull {
		return c.Help()
	}
	var words []string
	var run [][]string
	add := func(args ...string) {
		words, run = append(words, strings.Join(append([]string{"pausetui"}, args...), " ")), append(run, args)
	}
	commands := commandsBelow(dir, dir)
	for _, command := range commands[:min(len(commands), mostOffered)] {
		add("debug", command)
	}
	add("test", ".")
	add("sessions")
	add("help")
	i, err := chooseLine(sys.stdin, sys.stderr, "What should be debugged?", words)
	if err != nil {
		return err
	}
	if run[i][0] == "help" {
		return c.Help()
	}
	sub, rest, err := c.Root().Find(run[i])
	if err != nil {
		return err
	}
	sub.SetContext(c.Context())
	if err := sub.ParseFlags(rest); err != nil {
		return err
	}
	return sub.RunE(sub, rest)
}
