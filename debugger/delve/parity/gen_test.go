package parity

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-delve/delve/cmd/dlv/cmds"
	"github.com/go-delve/delve/pkg/terminal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestGen(t *testing.T) {
	var b bytes.Buffer
	terminal.DebugCommands(nil).WriteMarkdown(&b)
	root := cmds.New(true)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		fmt.Println("CMD", c.CommandPath(), "|", c.Short, c.Hidden)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { fmt.Println("  --"+f.Name, f.Hidden, f.Usage) })
		for _, s := range c.Commands() {
			walk(s)
		}
	}
	walk(root)
}
