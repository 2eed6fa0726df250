package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// sessionCall is a call of a command about the session.
type sessionCall struct{ *Call }

func sessionCommands() []Command {
	return []Command{
		{Name: "help", Aliases: []string{"h"}, Group: GroupOther, Usage: []string{"[<command>]"}, Args: []Kind{Name}, Help: "list the commands, or explain one", Run: as(helpCall.help)},
		{Name: "source", Group: GroupOther, Usage: []string{"<file>"}, Args: []Kind{Path}, Needs: true, Help: "run a file of commands, or a Starlark script (.star)",
			More: "Scripts are those of dlv: dlv_command(\"…\"), eval(None, \"x\").Variable.Value, and def command_name() adds a command. ctrl+c ends one.", Run: as(sessionCall.source)},
		{Name: "config", Group: GroupOther, Args: []Kind{Setting}, Needs: true,
			Usage: []string{"-list", "<setting> <value>", "alias <command> <alias>", "alias <alias>", "substitute-path <from> <to>", "substitute-path <from>", "substitute-path -clear"},
			Help:  "settings of the command line, for this session", More: "Permanent ones are in the configuration file, under [console].", Options: []Option{{Name: "-list", Help: "all settings and their values"}, {Name: "-save", Help: "why not"}}, Run: as(configCall.config)},
		{Name: "transcript", Group: GroupOther, Usage: []string{"[-t] [-x] <file>", "-off"}, Args: []Kind{Path}, Needs: true, Help: "append the answers of commands to a file",
			Options: []Option{{Name: "-t", Help: "begin with an empty file"}, {Name: "-x", Help: "to the file only"}, {Name: "-off", Help: "no more"}}, Run: as(sessionCall.transcript)},
		{Name: "dump", Group: GroupOther, Usage: []string{"<file>"}, Args: []Kind{Path}, Needs: true, Help: "write a core dump of the program", More: "pausetui core reads it. ctrl+c ends it early.", Run: as(sessionCall.dump)},
		{Name: "target", Group: GroupOther, Needs: true, Usage: []string{"list", "switch <pid>", "follow-exec [-on [<regexp>]] [-off]"}, Args: []Kind{Nothing},
			Help: "processes that are debugged together", Run: as(sessionCall.processes)},
		{Name: "exit", Aliases: []string{"quit", "q"}, Group: GroupOther, Usage: []string{"[-d|-kill]"}, Help: "end the session",
			More:    "A program that was started here ends with it; one that runs elsewhere is left as it was found.",
			Options: []Option{{Name: "-d", Help: "leave a program that runs elsewhere as it was found (the default)"}, {Name: "-kill", Help: "kill it"}, {Name: "-c", Help: "an option of dlv that is not needed here"}}, Run: as(sessionCall.exit)},
	}
}

func ourCommands() []Command {
	return []Command{
		{Name: "ask", Group: GroupOurs, Usage: []string{"<question>"}, Help: "ask a model about the paused program", Run: as(sessionCall.ask)},
		{Name: "explain", Group: GroupOurs, Help: "let a model explain the stop", Run: as(sessionCall.ask)},
		{Name: "why", Group: GroupOurs, Usage: []string{"[<expression>]"}, Args: []Kind{Expression}, Help: "how a value got where it is: who set it, where, and when",
			More: "The program runs once more in the sandbox, and each change to the value is recorded until it stops. Without an expression: the value that made it panic.", Run: as(sessionCall.why)},
		{Name: "back", Group: GroupOurs, Usage: []string{"[<row>]", "<checkpoint>"}, Help: "an earlier moment: before the statement that failed, or that of a row of why",
			More: "The program runs again in the sandbox, to that moment, and is debugged there: look, step, set breakpoints, rev next. The paused program stays as it is; 0 or exit comes back to it.", Run: as(sessionCall.back)},
		{Name: "note", Group: GroupOurs, Usage: []string{"<text>"}, Needs: true, Help: "write a note into the log", Run: as(sessionCall.note)},
		{Name: "script", Group: GroupOurs, Usage: []string{"<file>", "<code>"}, Args: []Kind{Path}, Needs: true, Help: "inspect the program with a script, using the functions that models have",
			More: "They read: stop(), frames(), locals(frame), eval(expr, frame), goroutines(filter), source(name), typ(name), find(name), writers(field), callers(function), past(fingerprint). " +
				"A script is Starlark, in a process of its own, bounded. ctrl+c ends it. Scripts of dlv: source.", Run: as(sessionCall.look)},
		{Name: "snapshot", Group: GroupOurs, Help: "keep the paused program in a file: memory, binary, session",
			More: "pausetui sessions resume opens it, here or in another clone. ctrl+c ends it early.", Run: as(sessionCall.snapshot)},
	}
}

func (c sessionCall) ask() error {
	if c.Command.Name == "ask" && c.Args == "" {
		return fmt.Errorf("%w: what?", ErrUsage)
	}
	c.Out.moved = true
	c.host.Ask(c.At, c.Args)
	return nil
}

func (c sessionCall) why() error {
	h, err := c.host.Why(c, c.At, c.Args)
	if err != nil {
		return err
	}
	c.Out.history(h)
	return nil
}

func (c sessionCall) back() error {
	if n, err := strconv.Atoi(c.Args); c.Args != "" && !IsCheckpoint(c.Args) && (err != nil || n < 1) {
		return fmt.Errorf("%w: %q is neither the number of a row nor a checkpoint", ErrUsage, c.Args)
	}
	return c.goBack("", c.Args)
}

func (c sessionCall) snapshot() error {
	c.Out.moved = true
	return c.host.Snapshot(c)
}

func (c sessionCall) note() error {
	c.host.Note(c.Args)
	c.Out.moved = true
	return nil
}

func (c sessionCall) exit() error {
	switch c.Args {
	case "", "-d":
		c.host.Quit(false)
	case "-kill":
		c.host.Quit(true)
	case "-c":
		return advice.Add(errors.New("a program that was running keeps running, and one that was halted stays halted"), "exit leaves it that way")
	default:
		return ErrUsage
	}
	c.Out.moved = true
	return nil
}

func (c sessionCall) processes() error {
	word, rest := cut(c.Args)
	t, err := c.target()
	if err != nil {
		return err
	}
	switch word {
	case "list":
		list, err := t.Processes(c)
		for _, p := range list {
			c.Out.Line(session.Line{Text: fmt.Sprintf("%d  %s", p.PID, p.Command), Current: p.Selected})
		}
		return err
	case "switch":
		pid, err := strconv.Atoi(rest)
		if err != nil {
			return fmt.Errorf("%w: %q is not a process number", ErrUsage, rest)
		}
		th, err := t.SwitchProcess(c, pid)
		if err != nil {
			return err
		}
		return c.land(t, th.Goroutine)
	case "follow-exec":
		return c.followExec(t, rest)
	}
	return ErrUsage
}

func (c sessionCall) followExec(t Target, text string) error {
	word, filter := cut(text)
	switch word {
	case "":
		on, err := t.FollowsExec(c)
		if err != nil {
			return err
		}
		c.Out.Say("child processes are %sdebugged", map[bool]string{false: "not "}[on])
		return nil
	case "-on":
		return t.FollowExec(c, true, filter)
	case "-off":
		return t.FollowExec(c, false, "")
	}
	return ErrUsage
}

// path makes a path absolute, from the target's directory, and knows "~".
func (c *Call) path(text string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if text == "~" {
			return home
		}
		if rest, ok := strings.CutPrefix(text, "~/"); ok {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(c.host.State().Started.Workspace.Dir, text)
}

func (c sessionCall) dump() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	path := c.path(c.Args)
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%q exists", path)
	}
	err = t.Dump(c, path, func(p debugger.DumpProgress) {
		if p.Threads < p.AllThreads {
			c.host.Progress(fmt.Sprintf("dumping thread %d of %d", p.Threads, p.AllThreads))
		} else {
			c.host.Progress(fmt.Sprintf("dumping memory: %d of %d MB", p.Memory>>20, p.AllMemory>>20))
		}
	})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.Join(errors.New("it was canceled"), os.Remove(path))
		}
		return err
	}
	c.Out.Say("%s is written", path)
	return nil
}

// look runs a script that is a file with the ending .star, or the arguments themselves.
func (c sessionCall) look() error {
	code := c.Args
	if filepath.Ext(c.Args) == ".star" {
		data, err := c.scriptFile(c.path(c.Args))
		if err != nil {
			return err
		}
		code = string(data)
	}
	text, err := c.host.Look(c, code)
	for line := range strings.Lines(text) {
		c.Out.Say("%s", strings.TrimSuffix(line, "\n"))
	}
	return err
}

// Bounds of files of commands.
const (
	maxScript = 1 << 20 // bytes
	maxNested = 10      // files that carry out files
)

// scriptFile reads a file of commands, or a script.
func (c sessionCall) scriptFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir() || info.Size() > maxScript:
		return nil, fmt.Errorf("%q is not a file of at most %d bytes", path, maxScript)
	}
	return regular.Read(path)
}

func (c sessionCall) source() error {
	if c.Args == "-" {
		return advice.Add(errors.New("there is no Starlark prompt here: it would take the keys from the screen"), "write the script to a file: source script.star")
	}
	path := c.path(c.Args)
	c.mu.Lock()
	c.nested++
	depth := c.nested
	c.mu.Unlock()
	defer func() { c.mu.Lock(); c.nested--; c.mu.Unlock() }()
	if depth > maxNested {
		return fmt.Errorf("%d files run each other", depth)
	}
	data, err := c.scriptFile(path)
	if err != nil {
		return err
	}
	if filepath.Ext(path) == ".star" {
		return c.starlark(path)
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if c.Out.left {
			c.Out.Line(session.Line{Text: fmt.Sprintf("%s:%d: not run, nor the lines after it: the line before it led into the past", c.Args, i+1), Style: session.StyleWarn})
			return nil
		}
		if c.Err() != nil {
			return context.Cause(c)
		}
		if err := c.scripted(line); err != nil {
			if c.Err() != nil {
				return err
			}
			c.Out.Line(session.Line{Text: fmt.Sprintf("%s:%d: %v", c.Args, i+1, err), Style: session.StyleError})
		}
	}
	return nil
}

// scripted carries out a line of a script where the one before left off, and
// waits for what it lets run.
func (c sessionCall) scripted(line string) error {
	sub := *c.Call
	sub.At, sub.Waits = c.Out.At, true
	return c.run(&sub, line)
}

func (c sessionCall) starlark(path string) error {
	return c.hosted(func(host debugger.ScriptHost) error { return c.host.Script(c, path, host) })
}

// hosted runs a script, or a command that one has made, in this call.
func (c sessionCall) hosted(run func(debugger.ScriptHost) error) error {
	w := &lineWriter{out: c.Out}
	defer w.flush()
	return run(debugger.ScriptHost{
		Out:             w,
		Scope:           func() debugger.FrameRef { return c.Out.At },
		TakeBreakpoints: func() (map[int]int, error) { return c.host.TakeBreakpoints(c) },
		Call: func(line string) error {
			w.flush()
			return c.scripted(line)
		},
		Register: c.register,
	})
}

// register adds a command that a script defines.
func (c sessionCall) register(name, help string, run func(context.Context, debugger.ScriptHost, string) error) {
	line, more, _ := strings.Cut(strings.TrimSpace(help), "\n")
	c.add(Command{Name: name, Group: GroupOurs, Usage: []string{"[<argument> …]"}, Help: line, More: strings.TrimSpace(more), Args: []Kind{Expression},
		Prefixes: On, Script: true, Run: as(func(c sessionCall) error {
			return c.hosted(func(host debugger.ScriptHost) error { return run(c, host, c.Args) })
		})})
}

// add puts a command into the table, for this session.
func (s *Shell) add(command Command) {
	s.mu.Lock()
	s.made = append(s.made, command)
	s.table = NewTable().With(s.made...).Alias(s.settings.Aliases)
	table := s.table
	s.mu.Unlock()
	if s.Added != nil {
		s.Added(table)
	}
}

// lineWriter adds lines to an answer.
type lineWriter struct {
	out  *Output
	rest []byte
}

var _ io.Writer = (*lineWriter)(nil)

// Write implements io.Writer.
func (w *lineWriter) Write(p []byte) (int, error) {
	for _, b := range p {
		if b == '\n' || len(w.rest) >= 64<<10 {
			w.out.Line(session.Line{Text: string(w.rest)})
			w.rest = w.rest[:0]
		}
		if b != '\n' {
			w.rest = append(w.rest, b)
		}
	}
	return len(p), nil
}

func (w *lineWriter) flush() {
	if len(w.rest) > 0 {
		w.out.Line(session.Line{Text: string(w.rest)})
		w.rest = w.rest[:0]
	}
}
