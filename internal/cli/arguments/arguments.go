// Package arguments interprets the arguments of commands: the package or files to debug,
// the arguments of the target, and flags as the go command takes them.
package arguments

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

// Split separates the package (or .go files) from the target's own arguments.
func Split(c *cobra.Command, args []string) (pkg string, rest []string, err error) {
	before, rest := CutAtDash(c, args)
	switch {
	case len(before) == 0:
		return ".", rest, nil
	case len(before) == 1:
		return before[0], rest, nil
	}
	for _, a := range before {
		if !strings.HasSuffix(a, ".go") {
			return "", nil, errors.New("want one package; arguments of the program come after --")
		}
	}
	return strings.Join(before, " "), rest, nil
}

// CutAtDash separates the command's own arguments from those after "--".
func CutAtDash(c *cobra.Command, args []string) (own, rest []string) {
	if n := c.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}
