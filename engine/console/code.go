package console

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// codeCall is a call of a command about code.
type codeCall struct{ *Call }

func codeCommands() []Command {
	return []Command{
		{Name: "list", Aliases: []string{"ls", "l"}, Group: GroupOther, Usage: []string{"[<location>]"}, Args: []Kind{Location},
			Help: "the source around the frame, or a location", More: locations, Run: as(codeCall.list)},
		{Name: "disassemble", Aliases: []string{"disass"}, Group: GroupOther, Args: []Kind{Location},
			Usage: []string{"", "-a <start> <end>", "-l <location>"}, Help: "the instructions of the function, a range, or a location",
			Options: []Option{{Name: "-a", Value: "<start> <end>", Help: "of a range of addresses"}, {Name: "-l", Value: "<location>", Takes: Location, Help: "of the function there"}},
			Run:     as(codeCall.disassemble)},
		{Name: "edit", Aliases: []string{"ed"}, Group: GroupOther, Usage: []string{"[<location>]"}, Args: []Kind{Location},
			Help: "open the source in $EDITOR", Run: as(codeCall.edit)},
	}
}

// locations explains what a location is.
const locations = `A location is file.go:12, a line of the frame's file (12, +3, -3), a function (main.f, (*T).Do, f:3 for a line in
it), /regexp/ of functions, or *0x46c0e0.`

// locate finds one location.
func (c *Call) locate(spec string, code bool) (debugger.Location, error) {
	t, err := c.target()
	if err != nil {
		return debugger.Location{}, err
	}
	found, err := t.Locate(c, c.At, c.host.Location(spec), code)
	if err != nil {
		return debugger.Location{}, err
	}
	switch {
	case len(found) == 0:
		return debugger.Location{}, fmt.Errorf("%q is nowhere", spec)
	case len(found) > 1:
		var places []string
		for i, l := range found {
			if i == 5 {
				places = append(places, "…")
				break
			}
			places = append(places, c.place(l.File, l.Line))
		}
		return debugger.Location{}, fmt.Errorf("%q is ambiguous: %s", spec, strings.Join(places, ", "))
	}
	return found[0], nil
}

// here is the location that was named, or that of the frame; current tells the
// latter.
func (c *Call) here() (l debugger.Location, current bool, err error) {
	if c.Args != "" {
		l, err = c.locate(c.Args, false)
		return l, false, err
	}
	t, err := c.target()
	if err != nil {
		return l, false, err
	}
	frames, _, err := t.Frames(c, c.At.Goroutine, debugger.Page{Start: c.At.Frame, Count: 1})
	if err != nil || len(frames) == 0 {
		return l, false, errors.Join(err, fmt.Errorf("there is no frame %d", c.At.Frame))
	}
	f := frames[0]
	return debugger.Location{File: f.File, Line: f.Line, Function: f.Function, PC: f.PC}, true, nil
}

func (c codeCall) list() error {
	l, current, err := c.here()
	if err != nil {
		return err
	}
	lines, err := sourceLines(l.File)
	if err != nil {
		return err
	}
	head := c.place(l.File, l.Line)
	if l.Function != "" {
		head += "  " + l.Function
	}
	c.Out.Line(session.Line{Text: fmt.Sprintf("%s  %#x", head, l.PC), Style: session.StyleHead})
	around := c.Settings().SourceLines
	from, to := max(l.Line-around, 1), min(l.Line+around, len(lines))
	width := len(strconv.Itoa(to))
	for n := from; n <= to; n++ {
		c.Out.Line(session.Line{Text: fmt.Sprintf("%*d  %s", width, n, strings.ReplaceAll(lines[n-1], "\t", "    ")),
			Current: current && n == l.Line, Place: &session.Place{File: l.File, Line: n}})
	}
	c.Out.answer.Show = &session.Place{File: l.File, Line: l.Line}
	return nil
}

// maxSource bounds a source file, in bytes.
const maxSource = 16 << 20

func sourceLines(file string) ([]string, error) {
	if file == "" {
		return nil, errors.New("there is no source file")
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, advice.Add(fmt.Errorf("source: %w", err), "config substitute-path <from> <to> says where it is on this machine")
	}
	if info.Size() > maxSource {
		return nil, fmt.Errorf("source: %q has more than %d bytes", file, maxSource)
	}
	data, err := regular.Read(file)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

func (c codeCall) disassemble() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	var code debugger.Code
	option, rest := cut(c.Args)
	switch option {
	case "":
		l, _, err := c.here()
		if err != nil {
			return err
		}
		code.PC = l.PC
	case "-a":
		start, end := cut(rest)
		if code.Start, err = strconv.ParseUint(start, 0, 64); err != nil {
			return fmt.Errorf("%w: %q is not an address", ErrUsage, start)
		}
		if code.End, err = strconv.ParseUint(end, 0, 64); err != nil {
			return fmt.Errorf("%w: %q is not an address", ErrUsage, end)
		}
		if code.End <= code.Start || code.End-code.Start > maxExamined {
			return fmt.Errorf("%w: the range goes from a lower to a higher address, by at most %d bytes", ErrUsage, maxExamined)
		}
	case "-l":
		l, err := c.locate(rest, true)
		if err != nil {
			return err
		}
		code.PC = l.PC
	default:
		return ErrUsage
	}
	list, err := t.Disassemble(c, c.At, code, c.Settings().Flavor)
	if err != nil {
		return err
	}
	c.instructions(list)
	return nil
}

func (c codeCall) instructions(list []debugger.Instruction) {
	function := ""
	for _, i := range list {
		if i.Function != function {
			function = i.Function
			c.Out.Line(session.Line{Text: function + "  " + c.host.Rel(i.File), Style: session.StyleHead})
		}
		mark := " "
		if i.Breakpoint {
			mark = "*"
		}
		c.Out.Line(session.Line{Text: fmt.Sprintf("%-20s %#x%s  %-22x  %s", filepath.Base(i.File)+":"+strconv.Itoa(i.Line), i.PC, mark, i.Bytes, i.Text),
			Current: i.Current, Place: placeOf(i.File, i.Line)})
	}
}

func (c codeCall) edit() error {
	l, _, err := c.here()
	if err != nil {
		return err
	}
	if _, err := os.Stat(l.File); err != nil {
		return fmt.Errorf("edit: %w", err)
	}
	c.Out.answer.Show, c.Out.answer.Edit = &session.Place{File: l.File, Line: l.Line}, true
	return nil
}
