package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// stackCall is a call of a command about the stack.
type stackCall struct{ *Call }

func stackCommands() []Command {
	return []Command{
		{Name: "stack", Aliases: []string{"bt"}, Group: GroupStack, Help: "the calls that led here", Prefixes: On,
			Usage: []string{"[<depth>] [-full] [-all] [-offsets] [-defer] [-a <n>] [-adepth <depth>] [-mode <mode>]"},
			Options: []Option{
				{Name: "-full", Help: "with arguments and locals of each frame"},
				{Name: "-all", Help: "with the runtime's calls, which are counted otherwise"}, {Name: "-offsets", Help: "with the offset of each frame"},
				{Name: "-defer", Help: "with the calls that each frame has deferred"},
				{Name: "-a", Value: "<n>", Help: "with so many goroutines that led to this one (GODEBUG=tracebackancestors=N)"},
				{Name: "-adepth", Value: "<depth>", Help: "frames of each of them"},
				{Name: "-mode", Value: "<mode>", Words: []string{"normal", "simple", "fromg"}, Help: "normal, simple (no switch between C and Go) or fromg (from the registers in the runtime's g)"}},
			Run: as(stackCall.stack)},
		{Name: "frame", Group: GroupStack, Usage: []string{"<n>", "<n> <command>"}, Args: []Kind{Nothing, Line}, Needs: true,
			Help: "select a frame, or run a command in it", Run: as(func(c stackCall) error { return c.frame(func(n int) int { return n }) })},
		{Name: "up", Group: GroupStack, Usage: []string{"[<n>]", "[<n>] <command>"}, Args: []Kind{Nothing, Line},
			Help: "the caller, or one n calls further out", Run: as(func(c stackCall) error { return c.frame(func(n int) int { return c.At.Frame + n }) })},
		{Name: "down", Group: GroupStack, Usage: []string{"[<n>]", "[<n>] <command>"}, Args: []Kind{Nothing, Line},
			Help: "the frame that was called, or one n calls further in", Run: as(func(c stackCall) error { return c.frame(func(n int) int { return c.At.Frame - n }) })},
		{Name: "deferred", Group: GroupStack, Usage: []string{"<n> <command>"}, Args: []Kind{Nothing, Line}, Needs: true,
			Help: "print, args or locals of a deferred call", More: "stack -defer lists them; the numbers begin with 1.", Run: as(stackCall.deferred)},
	}
}

// stackDepth is how deep stack goes by itself, as dlv does.
const stackDepth = 50

func (c stackCall) stack() error {
	g, err := c.options(true)
	if err != nil {
		return err
	}
	q := debugger.StackQuery{Depth: stackDepth, Full: g.has("-full"), Defers: g.has("-defer")}
	if len(g.rest) > 0 {
		if q.Depth, err = strconv.Atoi(g.rest[0]); err != nil || q.Depth < 0 {
			return fmt.Errorf("%w: the depth is a number, not %q", ErrUsage, g.rest[0])
		}
		if stop, ok := c.host.State().CurrentStop(); ok && stop.Stop.Crashed() && stop.Stop.Goroutine == c.At.Goroutine {
			q.Depth += max(stop.Stop.Selected, 0) // from the frame that is to blame: what is above reports it
		}
	}
	switch mode := g.value("-mode"); mode {
	case "", "normal":
	case "simple", "fromg":
		q.Mode = debugger.StackMode(mode)
	default:
		return fmt.Errorf("%w: the mode is normal, simple or fromg, not %q", ErrUsage, mode)
	}
	count, err := g.number("-a", 0)
	if err != nil {
		return err
	}
	depth, err := g.number("-adepth", q.Depth)
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	frames, more, err := t.Stack(c, c.At.Goroutine, q)
	if err != nil {
		return err
	}
	c.frames(c.At.Goroutine, frames, stackShow{more: more, offsets: g.has("-offsets"), all: g.has("-all"), command: "stack -all"})
	if count <= 0 {
		return nil
	}
	return c.ancestors(t, count, depth)
}

func (c stackCall) ancestors(t Target, count, depth int) error {
	list, err := t.Ancestors(c, c.At.Goroutine, count, depth)
	if err != nil {
		return err
	}
	for _, a := range list {
		c.Out.Line(session.Line{Text: fmt.Sprintf("created by goroutine %d:", a.ID), Style: session.StyleHead})
		if a.Err != "" {
			c.Out.Line(session.Line{Text: "  " + a.Err, Style: session.StyleWarn})
			continue
		}
		for _, f := range a.Frames {
			c.Out.Line(session.Line{Text: fmt.Sprintf("  %2d  %s  %s%s", f.Index, debugger.ShortArguments(f.Function), c.place(f.File, f.Line), address(f.PC)), Place: placeOf(f.File, f.Line)})
		}
	}
	return nil
}

// stackShow is how a stack is written.
type stackShow struct {
	more    bool // there are frames further out
	offsets bool
	all     bool   // with the runtime's frames
	command string // that shows all
}

// hides reports whether a frame is only counted: one of the runtime's, unless the person
// looks at it.
func (s stackShow) hides(f debugger.StackFrame, current bool) bool {
	return f.Runtime && !s.all && !current && f.Err == ""
}

// frames writes a stack, a line a frame and more where there is more. Where all frames
// are the runtime's, all are shown.
func (c *Call) frames(g debugger.GoroutineID, frames []debugger.StackFrame, show stackShow) {
	show.all = show.all || !slices.ContainsFunc(frames, func(f debugger.StackFrame) bool { return !f.Runtime })
	var hidden debugger.Hidden
	count := func() {
		if hidden.Any() {
			c.Out.Line(session.Line{Text: fmt.Sprintf("… %s, %s", hidden.String(), show.command), Style: session.StyleDim})
		}
		hidden = debugger.Hidden{}
	}
	for _, f := range frames {
		at := debugger.FrameRef{Goroutine: g, Frame: f.Index}
		if show.hides(f, at == c.At) {
			hidden.Add(f.Frame)
			continue
		}
		count()
		if f.Err != "" {
			c.Out.Line(session.Line{Text: "  error: " + f.Err, Style: session.StyleWarn})
			continue
		}
		style := ""
		if f.Runtime {
			style = session.StyleDim
		}
		c.Out.Line(session.Line{Text: fmt.Sprintf("%2d  %s  %s%s", f.Index, debugger.ShortArguments(f.Function), c.place(f.File, f.Line), address(f.PC)),
			Style: style, Current: at == c.At, Place: &session.Place{File: f.File, Line: f.Line, Frame: &at}})
		if show.offsets {
			c.Out.Say("      frame %+#x, frame pointer %+#x", f.Offset, f.PointerOffset)
		}
		for i, d := range f.Defers {
			c.deferredLine(i+1, d)
		}
		for _, v := range f.Variables() {
			c.Out.Line(session.Line{Text: "      " + Brief(v), Place: &session.Place{File: f.File, Line: f.Line, Frame: &at}})
		}
	}
	count()
	if show.more {
		c.Out.Line(session.Line{Text: "… the stack goes on (stack <depth>)", Style: session.StyleDim})
	}
}

func (c *Call) deferredLine(n int, d debugger.Deferred) {
	if d.Err != "" {
		c.Out.Line(session.Line{Text: fmt.Sprintf("      defer %d: unreadable: %s", n, d.Err), Style: session.StyleWarn})
		return
	}
	c.Out.Line(session.Line{Text: fmt.Sprintf("      defer %d: %#016x  %s  %s", n, d.Call.PC, debugger.ShortArguments(d.Call.Function), c.place(d.Call.File, d.Call.Line)),
		Place: placeOf(d.Call.File, d.Call.Line)})
	c.Out.Line(session.Line{Text: fmt.Sprintf("               deferred by %s  %s", debugger.ShortArguments(d.At.Function), c.place(d.At.File, d.At.Line)), Place: placeOf(d.At.File, d.At.Line)})
}

// frame carries out frame, up and down; to makes a frame of the number given.
func (c stackCall) frame(to func(int) int) error {
	word, command := cut(c.Args)
	n := 1
	if word != "" {
		given, err := strconv.Atoi(word)
		if err != nil && c.Command.Name == "frame" {
			return fmt.Errorf("%w: %q is not a frame number", ErrUsage, word)
		}
		if err != nil { // "up print x"
			given, command = 1, c.Args
		}
		n = given
	}
	at := debugger.FrameRef{Goroutine: c.At.Goroutine, Frame: to(n)}
	if at.Frame < 0 {
		return fmt.Errorf("there is no frame %d", at.Frame)
	}
	if command != "" {
		return c.in(at, command)
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	frames, _, err := t.Frames(c, at.Goroutine, debugger.Page{Start: at.Frame, Count: 1})
	if err != nil {
		return err
	}
	if len(frames) == 0 {
		return fmt.Errorf("there is no frame %d", at.Frame)
	}
	c.choose(at)
	f := frames[0]
	c.Out.Line(session.Line{Text: fmt.Sprintf("frame %d: %s  %s  %#x", at.Frame, debugger.ShortArguments(f.Function), c.place(f.File, f.Line), f.PC),
		Place: &session.Place{File: f.File, Line: f.Line, Frame: &at}})
	return nil
}

func (c stackCall) deferred() error {
	word, command := cut(c.Args)
	n, err := strconv.Atoi(word)
	if err != nil || n <= 0 || command == "" {
		return fmt.Errorf("%w: the number of a deferred call (stack -defer lists them) and a command", ErrUsage)
	}
	inner, _, ok := c.Table().Split(command)
	if ok && inner.Prefixes&InDefer == 0 {
		return fmt.Errorf("%w: %s does not work on a deferred call; print, args and locals do", ErrUsage, inner.Name)
	}
	at := c.At
	at.Deferred = n
	return c.in(at, command)
}

// place writes a place as people read it.
func (c *Call) place(file string, line int) string {
	if file == "" {
		return "?"
	}
	return c.host.Rel(file) + ":" + strconv.Itoa(line)
}

// placeOf is where a line of code leads; nil where there is no file.
func placeOf(file string, line int) *session.Place {
	if file == "" || strings.HasPrefix(file, "<") {
		return nil
	}
	return &session.Place{File: file, Line: line}
}

// address is a program counter after its place; a trace has none.
func address(pc uint64) string {
	if pc == 0 {
		return ""
	}
	return fmt.Sprintf("  %#016x", pc)
}
