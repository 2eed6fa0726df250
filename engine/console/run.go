package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// runCall is a call of a command that lets the program run.
type runCall struct{ *Call }

func runCommands() []Command {
	motion := func(m, back debugger.Motion) func(*Call) error {
		return as(func(c runCall) error { return c.motion(m, back) })
	}
	return []Command{
		{Name: "continue", Aliases: []string{"c"}, Group: GroupRun, Usage: []string{"[<location>]"}, Args: []Kind{Location}, Moves: true, Prefixes: Backward,
			Help: "run on, to a location if one is given", More: locations, Run: as(runCall.resume)},
		{Name: "next", Aliases: []string{"n"}, Group: GroupRun, Usage: []string{"[<count>]"}, Moves: true, Prefixes: Backward,
			Help: "to the next line, over calls", Run: motion(debugger.Next, debugger.ReverseNext)},
		{Name: "step", Aliases: []string{"s"}, Group: GroupRun, Moves: true, Prefixes: Backward,
			Help: "to the next line, into calls", Run: motion(debugger.StepIn, debugger.ReverseStep)},
		{Name: "stepout", Aliases: []string{"so"}, Group: GroupRun, Moves: true, Prefixes: Backward,
			Help: "until the selected frame's function returns", Run: motion(debugger.StepOut, debugger.ReverseStepOut)},
		{Name: "step-instruction", Aliases: []string{"si", "stepi"}, Group: GroupRun, Moves: true, Prefixes: Backward,
			Help: "to the next instruction of the processor", Run: motion(debugger.StepInstruction, debugger.ReverseStepInstruction)},
		{Name: "next-instruction", Aliases: []string{"ni", "nexti"}, Group: GroupRun, Moves: true, Prefixes: Backward,
			Help: "to the next instruction, over calls", Run: motion(debugger.NextInstruction, debugger.ReverseNextInstruction)},
		{Name: "call", Group: GroupRun, Usage: []string{"[-unsafe] <call>"}, Needs: true, Moves: true, Args: []Kind{Expression},
			Help:    "call a function of the program",
			More:    "All goroutines run meanwhile: the others do not wait for the call. What it returns is printed as by print.",
			Options: []Option{{Name: "-unsafe", Help: "also with pointers into the stack, unchecked"}}, Run: as(runCall.call)},
		{Name: "jump", Aliases: []string{"j"}, Group: GroupRun, Usage: []string{"<location>"}, Needs: true, Args: []Kind{Location},
			Help: "set the next statement, within the function, without running what lies between",
			More: "The compiler moves code about: what is skipped may be needed.", Run: as(runCall.jump)},
		{Name: "restart", Aliases: []string{"r"}, Group: GroupRun, Usage: []string{"", "[-noargs] [-noinput] [<argument> …]", "<checkpoint>"}, Moves: true,
			Help: "start the program again, built again if sources changed",
			More: "Arguments given replace those of the program; -noargs takes them all away. What was typed into the program is typed again, unless -noinput is given. A recording goes to its start, or to a checkpoint (c1).",
			Run:  as(runCall.restart)},
		{Name: "rebuild", Group: GroupRun, Usage: []string{"[-deps <package> …]"}, Moves: true, Prefixes: Backward,
			Help: "build what changed and start the program again",
			More: "Packages of libraries are optimized: values may be missing there, and their functions cannot be called. -deps compiles those named, such as strings or example.com/lib/..., without optimization, for the rest of the session.",
			Run:  as(runCall.rebuild)},
	}
}

func recordCommands() []Command {
	return []Command{
		{Name: "rewind", Aliases: []string{"rw"}, Group: GroupRun, Moves: true, Help: "run backwards to a breakpoint or the beginning (a crash, recordings)",
			Run: func(c *Call) error { return c.move(debugger.Move{Motion: debugger.Rewind}) }},
		{Name: "rev", Group: GroupRun, Usage: []string{"<command>"}, Args: []Kind{Line}, Needs: true, Moves: true,
			Help: "continue, next, step, stepout or step-instruction backwards (a crash, recordings)", Run: as(runCall.reverse)},
		{Name: "check", Aliases: []string{"checkpoint"}, Group: GroupOther, Usage: []string{"[<note>]"}, Help: "remember this moment (of the past, or of a recording): restart c1 comes back to it", Run: as(runCall.checkpoint)},
		{Name: "checkpoints", Group: GroupOther, Help: "the moments that were remembered", Run: as(runCall.checkpoints)},
		{Name: "clear-checkpoint", Aliases: []string{"clearcheck"}, Group: GroupOther, Usage: []string{"<checkpoint>"}, Needs: true,
			Help: "forget a moment", Run: as(runCall.clearCheckpoint)},
	}
}

// motion steps, so many times as are asked for.
func (c runCall) motion(m, back debugger.Motion) error {
	count := 1
	if c.Args != "" {
		n, err := strconv.Atoi(c.Args)
		if err != nil || n <= 0 || c.Command.Name != "next" {
			return fmt.Errorf("%w: %q is not understood", ErrUsage, c.Args)
		}
		count = n
	}
	if c.Back {
		m = back
	}
	for i := range count {
		c.Waits = c.Waits || count > 1
		move := debugger.Move{Motion: m}
		if m == debugger.StepOut || c.failed() {
			move.Frame = c.At.Frame
		}
		if err := c.move(move); err != nil {
			return err
		}
		if stop, ok := c.host.State().CurrentStop(); !ok || stop.Stop.Reason != debugger.ReasonStep {
			if i+1 < count && ok {
				c.Out.Say("stopped after %d of %d: %s", i+1, count, stop.Stop.Reason)
			}
			break
		}
	}
	return nil
}

// failed reports whether a test has failed here: what steps is the code of the
// test that is shown, not the one that reports.
func (c runCall) failed() bool {
	record, ok := c.host.State().CurrentStop()
	return ok && record.Stop.Reason == debugger.ReasonTest
}

func (c runCall) resume() error {
	switch {
	case c.Back:
		return c.move(debugger.Move{Motion: debugger.Rewind})
	case c.Args == "":
		return c.move(debugger.Move{Motion: debugger.Continue})
	}
	return c.move(debugger.Move{Motion: debugger.ContinueTo, Location: c.Args, Goroutine: 0, Frame: c.At.Frame})
}

func (c runCall) jump() error {
	if err := c.host.Jump(c, c.At, c.Args); err != nil {
		return err
	}
	c.Out.answer.Changed = true
	if stop, ok := c.host.State().CurrentStop(); ok && len(stop.Stop.Frames) > 0 {
		c.Out.Say("jumped to %s: nothing has run in between", c.place(stop.Stop.Frames[0].File, stop.Stop.Frames[0].Line))
	}
	return nil
}

func (c runCall) restart() error {
	words := fields(c.Args)
	how := Restart{}
	if at := slices.Index(words, "-noinput"); at == 0 || at == 1 && words[0] == "-noargs" {
		how.NoInput, words = true, slices.Delete(words, at, at+1)
	}
	switch {
	case len(words) == 0:
	case words[0] == "-noargs" && len(words) == 1:
		how.SetArgs = true
	case len(words) == 1 && IsCheckpoint(words[0]):
		how.From = words[0]
	default:
		for _, w := range words {
			if strings.HasPrefix(w, "<") || strings.HasPrefix(w, ">") || strings.HasPrefix(w, "2>") {
				return advice.Add(fmt.Errorf("%w: %s redirects a file, which a running session cannot change", ErrUsage, w),
					"start pausetui with --stdin FILE; what the program prints is in the output pane and kept next to the log")
			}
		}
		how.Args, how.SetArgs = words, true
	}
	if how.From != "" && c.host.LeadsBack(debugger.Rewind) {
		return c.goBack("", how.From)
	}
	c.Out.moved = true
	return c.host.Restart(c, how)
}

// IsCheckpoint reports whether a word is the name of a checkpoint, such as c1.
func IsCheckpoint(word string) bool {
	n, ok := strings.CutPrefix(word, "c")
	_, err := strconv.Atoi(n)
	return ok && err == nil
}

func (c runCall) rebuild() error {
	words := fields(c.Args)
	switch {
	case c.Back:
		return c.move(debugger.Move{Motion: debugger.Rewind})
	case len(words) == 0:
		c.Out.moved = true
		return c.host.Restart(c, Restart{})
	case words[0] != "-deps" || len(words) == 1:
		return ErrUsage
	}
	c.Out.moved = true
	return c.host.Restart(c, Restart{Unoptimized: words[1:]})
}

func (c runCall) reverse() error {
	command, args, ok := c.Table().Split(c.Args)
	if !ok || command.Prefixes&Backward == 0 {
		return fmt.Errorf("%w: continue, next, step, stepout and step-instruction go backwards", ErrUsage)
	}
	sub := *c.Call
	sub.Command, sub.Args, sub.Back = command, args, true
	return command.Run(&sub)
}

func (c runCall) checkpoint() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	where := c.Args
	if where == "" {
		l, _, err := c.here()
		if err != nil {
			return err
		}
		where = l.Function + " " + c.place(l.File, l.Line)
	}
	p, err := t.Checkpoint(c, where)
	if err != nil {
		return err
	}
	c.checkpointLine(p)
	return nil
}

func (c runCall) checkpointLine(p debugger.Checkpoint) {
	id := "c" + strconv.Itoa(p.ID)
	c.Out.Line(session.Line{Text: fmt.Sprintf("%-4s %s  %s", id, p.When, p.Where), Run: "restart " + id})
}

func (c runCall) checkpoints() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	list, err := t.Checkpoints(c)
	if err != nil {
		return err
	}
	for _, p := range list {
		c.checkpointLine(p)
	}
	if len(list) == 0 {
		c.Out.Line(session.Line{Text: "none", Style: session.StyleDim})
	}
	return nil
}

func (c runCall) clearCheckpoint() error {
	if !IsCheckpoint(c.Args) {
		return fmt.Errorf("%w: a checkpoint is c and a number", ErrUsage)
	}
	id, err := strconv.Atoi(c.Args[1:])
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	return t.ClearCheckpoint(c, id)
}
