package console

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// on adds to what is done at each hit of a breakpoint.
func (c breakCall) on() error {
	id, line := cut(c.Args)
	if line == "" {
		return ErrUsage
	}
	if line == "-edit" {
		return advice.Add(errors.New("on -edit is dlv's; here breakpoints are edited in a dialog"), "B opens it")
	}
	command, args, ok := c.Table().Split(line)
	if !ok {
		return fmt.Errorf("%w: %q is not a command", ErrUsage, line)
	}
	change, err := atHit(command, args, line)
	if err != nil {
		return err
	}
	return c.amend(id, change)
}

// atHit says what a command after "on" changes of a breakpoint.
func atHit(command Command, args, line string) (func(*debugger.Breakpoint), error) {
	switch command.Name {
	case "print":
		if args == "" {
			return nil, fmt.Errorf("%w: print what?", ErrUsage)
		}
		return func(b *debugger.Breakpoint) { b.Print = append(slices.Clone(b.Print), args) }, nil
	case "stack":
		depth := stackDepth
		if args != "" {
			n, err := strconv.Atoi(args)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%w: on <breakpoint> stack takes the depth", ErrUsage)
			}
			depth = n
		}
		return func(b *debugger.Breakpoint) { b.Stack = depth }, nil
	case "goroutine":
		return func(b *debugger.Breakpoint) { b.Goroutine = true }, nil
	case "args":
		return func(b *debugger.Breakpoint) { b.Args = true }, nil
	case "locals":
		return func(b *debugger.Breakpoint) { b.Locals = true }, nil
	case "trace":
		return func(b *debugger.Breakpoint) { b.Trace = true }, nil
	case "condition":
		option, rest := cut(args)
		switch option {
		case "-hitcount", "-per-g-hitcount":
			return func(b *debugger.Breakpoint) { b.HitCond, b.HitCondPerG = rest, option == "-per-g-hitcount" }, nil
		}
		return func(b *debugger.Breakpoint) { b.Cond = args }, nil
	}
	if command.Moves {
		return nil, fmt.Errorf("%w: %s runs the program, which a breakpoint cannot do", ErrUsage, command.Name)
	}
	return func(b *debugger.Breakpoint) { b.Commands = append(slices.Clone(b.Commands), line) }, nil
}

// attributes lists what a breakpoint does at each hit, as commands.
func (c breakCall) attributes(b debugger.Breakpoint) {
	for _, a := range attributesOf(b) {
		c.Out.Line(session.Line{Text: "       " + a, Style: session.StyleDim})
	}
}

func attributesOf(b debugger.Breakpoint) []string {
	var out []string
	if b.Stack > 0 {
		out = append(out, fmt.Sprintf("stack %d", b.Stack))
	}
	for name, on := range map[string]bool{"goroutine": b.Goroutine, "args": b.Args, "locals": b.Locals} {
		if on {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	for _, p := range b.Print {
		out = append(out, "print "+p)
	}
	return append(out, b.Commands...)
}

func (c breakCall) breakpoints() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	hits := c.host.Hits(c) // first: it may find others
	list := c.host.State().Breakpoints
	if g.has("-save") {
		return c.save(list, g.value("-save"))
	}
	for _, b := range list {
		if n, known := hits[b.ID]; known {
			b.Hits = n
		}
		c.Out.Line(c.breakpointLine(b))
		if b.Place != "" && b.Why != "" {
			c.Out.folded("     "+b.Place+": ", b.Why)
		}
		c.attributes(b)
	}
	if len(list) == 0 {
		c.Out.Line(session.Line{Text: "no breakpoints", Style: session.StyleDim})
	}
	if !g.has("-a") {
		return nil
	}
	t, err := c.target()
	if err != nil {
		return nil //nolint:nilerr // nothing is set where nothing runs
	}
	others, err := t.OtherBreakpoints(c)
	if err != nil {
		return err
	}
	for _, b := range others { // without a number that these commands would take
		text := strings.Join(slices.DeleteFunc([]string{"-  ", b.Name, b.Function, c.place(b.File, b.Line), b.Why}, func(word string) bool { return word == "" }), "  ")
		c.Out.Line(session.Line{Text: text, Style: session.StyleDim, Place: placeOf(b.File, b.Line)})
	}
	return nil
}

// save writes breakpoints as commands that make them again.
func (c breakCall) save(list []debugger.Breakpoint, path string) error {
	var b strings.Builder
	count := 0
	for _, p := range list {
		if p.Watch != "" { // what it watches has another address then
			continue
		}
		count++
		name := p.Name
		if name == "" {
			name = fmt.Sprintf("bp%d", p.ID)
		}
		verb := "break"
		if p.Trace {
			verb = "trace"
		}
		place := p.Location
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", p.File, p.Line)
		}
		fmt.Fprintf(&b, "%s %s %s\n", verb, name, place)
		if p.Cond != "" {
			fmt.Fprintf(&b, "condition %s %s\n", name, p.Cond)
		}
		if p.HitCond != "" && p.HitCondPerG {
			fmt.Fprintf(&b, "condition -per-g-hitcount %s %s\n", name, p.HitCond)
		} else if p.HitCond != "" {
			fmt.Fprintf(&b, "condition -hitcount %s %s\n", name, p.HitCond)
		}
		for _, a := range attributesOf(p) {
			fmt.Fprintf(&b, "on %s %s\n", name, a)
		}
		if p.Disabled {
			fmt.Fprintf(&b, "toggle %s\n", name)
		}
	}
	if err := os.WriteFile(c.path(path), []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("save breakpoints: %w", err)
	}
	c.Out.Say("%d breakpoints saved in %s; source %s makes them again", count, path, path)
	return nil
}
