package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/session"
)

// breakCall is a call of a command about breakpoints.
type breakCall struct{ *Call }

func breakCommands() []Command {
	return []Command{
		{Name: "break", Aliases: []string{"b"}, Group: GroupBreak, Usage: []string{"[<name>] [<location>] [if <condition>]"}, Args: []Kind{Location},
			Help: "stop at a location, or at the frame's line", More: locations, Run: as(func(c breakCall) error { return c.breakAt(false) })},
		{Name: "trace", Aliases: []string{"t"}, Group: GroupBreak, Usage: []string{"[<name>] [<location>] [if <condition>]"}, Args: []Kind{Location}, Prefixes: On,
			Help: "report when a location is passed, without stopping", More: "Of a function also what it returns.\n" + locations,
			Run: as(func(c breakCall) error { return c.breakAt(true) })},
		{Name: "watch", Group: GroupBreak, Usage: []string{"[-r|-w|-rw] <expression>"}, Args: []Kind{Expression}, Needs: true,
			Help: "stop when a value is read or written", Run: as(breakCall.watch),
			Options: []Option{{Name: "-r", Help: "when it is read"}, {Name: "-w", Help: "when it is written (the default)"}, {Name: "-rw", Help: "both"}}},
		{Name: "clear", Group: GroupBreak, Usage: []string{"<breakpoint>"}, Args: []Kind{Breakpoint}, Needs: true, Help: "remove a breakpoint", Run: as(breakCall.clear)},
		{Name: "clearall", Group: GroupBreak, Usage: []string{"[<location>]"}, Args: []Kind{Location}, Help: "remove all breakpoints, or those at a location", Run: as(breakCall.clearAll)},
		{Name: "toggle", Group: GroupBreak, Usage: []string{"<breakpoint>"}, Args: []Kind{Breakpoint}, Needs: true, Help: "switch a breakpoint off, or on again", Run: as(breakCall.toggle)},
		{Name: "breakpoints", Aliases: []string{"bp"}, Group: GroupBreak, Usage: []string{"[-a] [-save <file>]"}, Help: "list breakpoints, or save them",
			Options: []Option{{Name: "-a", Help: "also those of the debugger itself, and of a server's other clients"}, {Name: "-save", Value: "<file>", Takes: Path, Help: "as commands, for source"}}, Run: as(breakCall.breakpoints)},
		{Name: "condition", Aliases: []string{"cond"}, Group: GroupBreak, Args: []Kind{Breakpoint, Expression}, Needs: true, Prefixes: On,
			Usage: []string{"<breakpoint> <expression>", "-hitcount <breakpoint> <operator> <n>", "-per-g-hitcount <breakpoint> <operator> <n>", "-clear <breakpoint>"},
			Help:  "stop only where a condition holds", More: "Operators of hit counts: > >= < <= == != and % n, every n-th time.",
			Options: []Option{{Name: "-hitcount", Value: "<breakpoint>", Takes: Breakpoint, Help: "by the number of hits"},
				{Name: "-per-g-hitcount", Value: "<breakpoint>", Takes: Breakpoint, Help: "by the hits of each goroutine"},
				{Name: "-clear", Value: "<breakpoint>", Takes: Breakpoint, Help: "remove the condition"}}, Run: as(breakCall.condition)},
		{Name: "on", Group: GroupBreak, Usage: []string{"<breakpoint> <command>"}, Args: []Kind{Breakpoint, Line}, Needs: true,
			Help: "run a command at each hit of a breakpoint",
			More: "print, stack, goroutine, args and locals are printed with the hit; cond sets its condition, trace makes it a\ntracepoint; other commands are run.", Run: as(breakCall.on)},
	}
}

// breakpointName is what dlv takes for one: letters and digits, no number.
var breakpointName = lazyregexp.New(`^\pL[\pL\d]*$`)

// ParseBreak reads "[name] [location] [if condition]".
func ParseBreak(text string) debugger.Breakpoint {
	var b debugger.Breakpoint
	text = " " + text
	if before, cond, ok := strings.Cut(text, " if "); ok {
		text, b.Cond = before, strings.TrimSpace(cond)
	}
	text = strings.TrimSpace(text)
	if word, rest := cut(text); rest != "" && breakpointName.MatchString(word) && !strings.HasPrefix(text, "/") {
		b.Name, text = word, rest
	}
	b.Location = text
	return b
}

func (c breakCall) breakAt(trace bool) error {
	b := ParseBreak(c.Args)
	b.Trace, b.At = trace, c.At
	if err := c.relativeLine(&b); err != nil {
		return err
	}
	if trace {
		return c.tracepoints(b)
	}
	set, err := c.host.SetBreakpoint(c, b)
	if err != nil {
		return c.choices(b, err)
	}
	c.report(set, "set")
	return nil
}

// choices lists the places that an ambiguous location may mean, each as a line
// that sets the breakpoint there; other errors it returns as they are.
func (c breakCall) choices(b debugger.Breakpoint, err error) error {
	var many *debugger.Ambiguous
	if !errors.As(err, &many) {
		return err
	}
	c.Out.Line(session.Line{Text: "one of these was meant:", Style: session.StyleDim})
	for _, candidate := range many.Candidates {
		c.Out.Line(session.Line{Text: c.Command.Name + " " + candidate, Run: c.breakLine(b, candidate)})
	}
	return advice.Add(errors.New(many.Short()), "choose one above, or write more of its name")
}

// breakLine is the line that sets a breakpoint at another location.
func (c breakCall) breakLine(b debugger.Breakpoint, location string) string {
	words := []string{c.Command.Name}
	if b.Name != "" {
		words = append(words, b.Name)
	}
	words = append(words, location)
	if b.Cond != "" {
		words = append(words, "if", b.Cond)
	}
	return strings.Join(words, " ")
}

// relativeLine makes a bare line number, or none, a line of the frame's file.
func (c breakCall) relativeLine(b *debugger.Breakpoint) error {
	text := b.Location
	if text == "" {
		text = "+0"
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil //nolint:nilerr // no number: a location of another kind
	}
	t, err := c.target()
	if err != nil {
		return advice.Add(fmt.Errorf("line %s of which file? nothing is paused", text), "break FILE:"+strings.TrimLeft(text, "+-"))
	}
	frames, _, err := t.Frames(c, c.At.Goroutine, debugger.Page{Start: c.At.Frame, Count: 1})
	if err != nil || len(frames) == 0 || frames[0].File == "" {
		return errors.Join(fmt.Errorf("line %s of which file? No frame is selected", text), err)
	}
	b.File, b.Line, b.Location = frames[0].File, n, ""
	if text[0] == '+' || text[0] == '-' {
		b.Line = frames[0].Line + n
	}
	return nil
}

// tracepoints sets a tracepoint, and one at the returns of what is a function.
func (c breakCall) tracepoints(b debugger.Breakpoint) error {
	b.Args = b.File == ""
	set, err := c.host.SetBreakpoint(c, b)
	if err != nil {
		return c.choices(b, err)
	}
	c.report(set, "set")
	if !isFunction(b.Location) {
		return nil
	}
	b.OnReturn, b.Args = true, false
	if b.Name != "" {
		b.Name += "Returns"
	}
	set, err = c.host.SetBreakpoint(c, b)
	if err != nil {
		return err
	}
	c.report(set, "set at its returns")
	return nil
}

// isFunction reports whether a location names functions, and no line.
func isFunction(location string) bool {
	if strings.HasPrefix(location, "/") {
		return true
	}
	last := location[strings.LastIndex(location, ":")+1:]
	_, err := strconv.Atoi(last)
	return location != "" && err != nil && !strings.HasPrefix(location, "*")
}

// report says what became of a breakpoint.
func (c breakCall) report(b debugger.Breakpoint, verb string) {
	l := c.breakpointLine(b)
	l.Text = b.Kind() + " " + nameOf(b) + " " + verb + ": " + c.where(b) + conditions(b)
	if b.Why != "" && verb != cleared {
		l.Text += " · " + b.Why
	}
	c.Out.Line(l)
}

const cleared = "cleared"

func nameOf(b debugger.Breakpoint) string {
	if b.Name != "" {
		return fmt.Sprintf("%d (%s)", b.ID, b.Name)
	}
	return strconv.Itoa(b.ID)
}

// where says where a breakpoint is, in words.
func (c breakCall) where(b debugger.Breakpoint) string {
	switch {
	case b.Watch != "":
		return "on " + b.Watch
	case b.Line > 0 && b.Function != "":
		return b.Function + "  " + c.place(b.File, b.Line)
	case b.Line > 0:
		return c.place(b.File, b.Line)
	}
	return b.Location
}

func conditions(b debugger.Breakpoint) string {
	text := ""
	if b.Cond != "" {
		text += "  if " + b.Cond
	}
	if b.HitCond != "" && b.HitCondPerG {
		text += "  if hits of a goroutine " + b.HitCond
	} else if b.HitCond != "" {
		text += "  if hits " + b.HitCond
	}
	return text
}

func (c breakCall) breakpointLine(b debugger.Breakpoint) session.Line {
	state := ""
	switch {
	case b.Disabled:
		state = "  (off)"
	case b.Place != "":
		state = "  (" + b.Place + ")"
	}
	switch {
	case b.OnError:
		state = "  at errors" + state
	case b.OnReturn:
		state = "  at returns" + state
	}
	l := session.Line{Text: fmt.Sprintf("%-4s %s%s%s  %s", nameOf(b), c.where(b), state, conditions(b), hitsOf(b)), Place: placeOf(b.File, b.Line)}
	if b.Trace || b.Watch != "" {
		l.Text = b.Kind() + " " + l.Text
	}
	if b.Disabled {
		l.Style = session.StyleDim
	}
	return l
}

func hitsOf(b debugger.Breakpoint) string {
	if b.Hits == 1 {
		return "1 hit"
	}
	return fmt.Sprintf("%d hits", b.Hits)
}

// find finds a breakpoint by its number or name.
func (c breakCall) find(text string) (debugger.Breakpoint, error) {
	list := c.host.State().Breakpoints
	id, err := strconv.Atoi(text)
	for _, b := range list {
		if err == nil && b.ID == id || b.Name != "" && b.Name == text {
			return b, nil
		}
	}
	if len(list) == 0 {
		return debugger.Breakpoint{}, errors.New("there are no breakpoints")
	}
	return debugger.Breakpoint{}, advice.Add(fmt.Errorf("there is no breakpoint %q", text), "breakpoints lists them")
}

func (c breakCall) watch() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	b := debugger.Breakpoint{Watch: g.text(), WatchKind: debugger.WatchWrite, At: c.At}
	switch {
	case b.Watch == "":
		return ErrUsage
	case g.has("-rw"), g.has("-r") && g.has("-w"):
		b.WatchKind = debugger.WatchReadWrite
	case g.has("-r"):
		b.WatchKind = debugger.WatchRead
	}
	set, err := c.host.SetBreakpoint(c, b)
	if err != nil {
		return err
	}
	c.report(set, "set")
	return nil
}

func (c breakCall) clear() error {
	b, err := c.find(c.Args)
	if err != nil {
		return err
	}
	if err := c.host.ClearBreakpoint(c, b.ID); err != nil {
		return err
	}
	c.report(b, cleared)
	return nil
}

func (c breakCall) clearAll() error {
	list := slices.Clone(c.host.State().Breakpoints)
	if c.Args != "" {
		t, err := c.target()
		if err != nil {
			return err
		}
		places, err := t.Locate(c, c.At, c.host.Location(c.Args), true)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(b debugger.Breakpoint) bool {
			return !slices.ContainsFunc(places, func(l debugger.Location) bool { return l.File == b.File && l.Line == b.Line })
		})
	}
	for _, b := range list {
		if err := c.host.ClearBreakpoint(c, b.ID); err != nil {
			return err
		}
		c.report(b, cleared)
	}
	if len(list) == 0 {
		words := "no breakpoints"
		if c.Args != "" {
			words += " there"
		}
		c.Out.Line(session.Line{Text: words, Style: session.StyleDim})
	}
	return nil
}

func (c breakCall) toggle() error {
	b, err := c.find(c.Args)
	if err != nil {
		return err
	}
	b.Disabled = !b.Disabled
	if b, err = c.host.AmendBreakpoint(c, b); err != nil {
		return err
	}
	c.report(b, map[bool]string{true: "off", false: "on"}[b.Disabled])
	return nil
}

func (c breakCall) condition() error {
	option, rest := cut(c.Args)
	if option == "-clear" {
		return c.amend(rest, func(b *debugger.Breakpoint) { b.Cond = "" })
	}
	perG := option == "-per-g-hitcount"
	if option == "-hitcount" || perG {
		id, cond := cut(rest)
		if cond == "" {
			return ErrUsage
		}
		return c.amend(id, func(b *debugger.Breakpoint) { b.HitCond, b.HitCondPerG = cond, perG })
	}
	if rest == "" || strings.HasPrefix(rest, "-hitcount ") || strings.HasPrefix(rest, "-per-g-hitcount ") { // the breakpoint comes after an option
		return ErrUsage
	}
	return c.amend(option, func(b *debugger.Breakpoint) { b.Cond = rest })
}

func (c breakCall) amend(id string, change func(*debugger.Breakpoint)) error {
	b, err := c.find(id)
	if err != nil {
		return err
	}
	change(&b)
	if b, err = c.host.AmendBreakpoint(c, b); err != nil {
		return err
	}
	c.report(b, "is")
	c.attributes(b)
	return nil
}
