package console

import (
	"context"
	"fmt"
	"strconv"

	"github.com/pausetui/pausetui/session"
)

// symbolCall is a call of a command about symbols.
type symbolCall struct{ *Call }

func symbolCommands() []Command {
	usage := []string{"[<regexp>]"}
	return []Command{
		{Name: "funcs", Group: GroupOther, Usage: usage, Args: []Kind{Function}, Help: "the functions of the program", More: "enter on one shows it.",
			Run: as(func(c symbolCall) error {
				return c.names(Target.Functions, func(name string) session.Line {
					return session.Line{Text: name, Run: "list " + name}
				})
			})},
		{Name: "types", Group: GroupOther, Usage: usage, Args: []Kind{TypeName}, Help: "the types of the program", More: "enter on one says what it is made of.",
			Run: as(func(c symbolCall) error {
				return c.names(Target.Types, func(name string) session.Line {
					return session.Line{Text: name, Run: "whatis " + name}
				})
			})},
		{Name: "sources", Group: GroupOther, Usage: usage, Args: []Kind{Source}, Help: "the source files of the program", More: "enter on one shows it.",
			Run: as(func(c symbolCall) error {
				return c.names(Target.Sources, func(name string) session.Line {
					return session.Line{Text: name, Place: placeOf(name, 1)}
				})
			})},
		{Name: "packages", Group: GroupOther, Usage: usage, Args: []Kind{Package}, Help: "the packages of the program", Run: as(symbolCall.packages)},
		{Name: "libraries", Group: GroupOther, Usage: []string{"", "-d <n>"}, Help: "the shared libraries that are loaded",
			Options: []Option{{Name: "-d", Value: "<n>", Help: "download the debug information of one again (debuginfod)"}}, Run: as(symbolCall.libraries)},
	}
}

// names lists what a regular expression matches.
func (c symbolCall) names(list func(Target, context.Context, string) ([]string, error), line func(string) session.Line) error {
	if _, err := pattern(c.Args); err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	names, err := list(t, c, c.Args)
	if err != nil {
		return err
	}
	for _, name := range names {
		c.Out.Line(line(name))
	}
	if len(names) == 0 {
		c.Out.Line(session.Line{Text: "none", Style: session.StyleDim})
	}
	return nil
}

func (c symbolCall) packages() error {
	if _, err := pattern(c.Args); err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	list, err := t.Packages(c, c.Args)
	if err != nil {
		return err
	}
	for _, p := range list {
		c.Out.Line(session.Line{Text: p.Path, Run: "funcs ^" + p.Path + `\.`})
	}
	if len(list) == 0 {
		c.Out.Line(session.Line{Text: "none", Style: session.StyleDim})
	}
	return nil
}

func (c symbolCall) libraries() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	if g.has("-d") {
		n, err := g.number("-d", 0)
		if err != nil {
			return err
		}
		return t.DownloadLibrary(c, n)
	}
	list, err := t.Libraries(c)
	if err != nil {
		return err
	}
	width := len(strconv.Itoa(max(len(list)-1, 0)))
	for i, l := range list {
		c.Out.Say("%*d  %#x  %s", width, i, l.Addr, l.Path)
		if l.Err != "" {
			c.Out.Line(session.Line{Text: fmt.Sprintf("   load error: %s", l.Err), Style: session.StyleWarn})
		}
	}
	switch {
	case len(list) > 0:
	case c.host.State().Started.Mode.Lives():
		c.Out.Line(session.Line{Text: "none: the program is linked statically", Style: session.StyleDim})
	default:
		c.Out.Line(session.Line{Text: "not known: " + c.host.State().Can.Of + " does not tell them", Style: session.StyleDim})
	}
	return nil
}
