package console

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/internal/editdistance"
	"github.com/pausetui/pausetui/session"
)

// helpCall is a call of help.
type helpCall struct{ *Call }

// UsageLines are the ways to write the command: "stack [<depth>] [-full]".
func (c Command) UsageLines() []string {
	if len(c.Usage) == 0 {
		return []string{c.Name}
	}
	out := make([]string, len(c.Usage))
	for i, u := range c.Usage {
		out[i] = strings.TrimSpace(c.Name + " " + u)
	}
	return out
}

// Usages are all ways to write the command, in a line.
func (c Command) Usages() string { return strings.Join(c.UsageLines(), "   ") }

func (c helpCall) help() error {
	if c.Args == "" {
		c.overview()
		return nil
	}
	word, rest := cut(c.Args)
	if word == "config" && rest != "" {
		return configCall(c).helpSetting(rest)
	}
	command, ok := c.Table().Find(word)
	if !ok {
		return c.noCommand(word)
	}
	for _, u := range command.UsageLines() {
		c.Out.Line(session.Line{Text: u, Style: session.StyleHead})
	}
	if len(command.Aliases) > 0 {
		c.Out.Line(session.Line{Text: "also: " + strings.Join(command.Aliases, ", "), Style: session.StyleDim})
	}
	c.Out.Say("%s", capital(command.Help)+".")
	for line := range strings.Lines(command.More) {
		c.Out.Say("%s", strings.TrimRight(line, "\n"))
	}
	width := 0
	for _, o := range command.Options {
		width = max(width, len(o.Name)+1+len(o.Value))
	}
	for _, o := range command.Options {
		c.Out.Say("  %-*s  %s", width, strings.TrimSpace(o.Name+" "+o.Value), o.Help)
	}
	c.prefixes(command)
	return nil
}

func (c helpCall) prefixes(command Command) {
	var after []string
	for _, p := range []struct {
		prefix Prefix
		words  string
	}{{On, "on <breakpoint>"}, {InDefer, "deferred <n>"}, {Backward, "rev"}} {
		if command.Prefixes&p.prefix != 0 {
			after = append(after, p.words)
		}
	}
	if len(after) > 0 {
		c.Out.Line(session.Line{Text: "may follow: " + strings.Join(after, ", "), Style: session.StyleDim})
	}
}

// overview lists all commands by group.
func (c helpCall) overview() {
	commands := c.Table().Commands()
	width := 0
	for _, command := range commands {
		width = max(width, len(strings.Join(command.Names(), ", ")))
	}
	width = min(width, 34)
	for _, group := range Groups {
		c.Out.Line(session.Line{Text: string(group), Style: session.StyleHead})
		for _, command := range commands {
			if command.Group == group {
				c.Out.Line(session.Line{Text: fmt.Sprintf("  %-*s  %s", width, strings.Join(command.Names(), ", "), command.Help), Run: "help " + command.Name})
			}
		}
	}
	c.Out.Line(session.Line{Text: "Anything else is a Go expression, evaluated in the selected frame; x.y = 3 assigns. help <command> says more.", Style: session.StyleDim})
}

func (c *Call) noCommand(word string) error {
	return fmt.Errorf("there is no command %q%s", word, c.near(word))
}

// near asks about the command that a word may be meant for; empty without one.
func (c *Call) near(word string) string {
	near, least := "", 3
	for _, command := range c.Table().Commands() {
		for _, name := range command.Names() {
			if d := editdistance.Distance(word, name); len(name) > 2 && d < least {
				near, least = "; did you mean "+name+"?", d
			}
		}
	}
	return near
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
