package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The manual page names every command that the help lists, and its flags.
func TestManualIsComplete(t *testing.T) {
	root := newRoot()
	var page bytes.Buffer
	root.SetOut(&page)
	root.SetArgs([]string{"man"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(page.String(), `\-`, "-")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && !strings.Contains(text, `\fB`+c.Name()+`\fP`) {
			t.Errorf("the command %s is missing", c.Name())
		}
	}
	for _, want := range []string{"--max-rounds", "--theme", ".SH FILES", ".SH ENVIRONMENT"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// Flags that take a value say what it is: DIR, not "string".
func TestFlagsNameTheirValues(t *testing.T) {
	root := newRoot()
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); f.NoOptDefVal == "" && (name == "" || name != strings.ToUpper(name) && !strings.Contains(name, "|")) && !f.Hidden {
				t.Errorf("%s --%s takes a %q", c.CommandPath(), f.Name, name)
			}
		})
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(root)
}
