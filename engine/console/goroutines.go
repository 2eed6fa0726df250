package console

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// goroutineCall is a call of a command about goroutines and threads.
type goroutineCall struct{ *Call }

var goroutineFields = []string{"userloc", "curloc", "goloc", "startloc", "label", "running", "user"}

func goroutineCommands() []Command {
	filter := func(name, help string) Option {
		return Option{Name: name, Value: "<field> [<text>]", Words: goroutineFields, Help: help}
	}
	return []Command{
		{Name: "goroutines", Aliases: []string{"grs"}, Group: GroupGoroutines, Help: "list, filter and group goroutines",
			Usage: []string{"[-u|-r|-g|-s] [-t [<depth>]] [-l] [-with <field> <text>] [-without <field> <text>] [-chan <expression>] [-group <field>] [-exec <command>]"},
			More: "Fields: userloc, curloc, goloc, startloc (a part of the location), label (key or key=value), running, user.\n" +
				"-exec runs a command on each of them.",
			Options: []Option{
				{Name: "-u", Help: "where they are outside the runtime (the default)"}, {Name: "-r", Help: "where they are"},
				{Name: "-g", Help: "the go statement that started them"}, {Name: "-s", Help: "the function they were started with"},
				{Name: "-t", Help: "with their stacks, 10 frames deep or as many as follow"}, {Name: "-all", Help: "with the runtime's calls in the stacks"},
				{Name: "-l", Help: "with their labels"},
				filter("-with", "only those that match"), filter("-w", "the same"), filter("-without", "only those that do not"), filter("-wo", "the same"),
				{Name: "-chan", Value: "<expression>", Takes: Expression, Help: "those that wait on a channel"},
				{Name: "-group", Value: "<field>", Words: goroutineFields, Help: "in groups, five of each"},
				{Name: "-exec", Value: "<command>", Takes: Line, Help: "run a command on each"}},
			Run: as(goroutineCall.goroutines)},
		{Name: "goroutine", Aliases: []string{"gr"}, Group: GroupGoroutines, Usage: []string{"", "<id>", "<id> <command>"}, Args: []Kind{Goroutine, Line},
			Help: "show or select a goroutine, or run a command on it", Prefixes: On, Run: as(goroutineCall.goroutine)},
		{Name: "threads", Group: GroupGoroutines, Help: "the threads of the operating system", Run: as(goroutineCall.threads)},
		{Name: "thread", Aliases: []string{"tr"}, Group: GroupGoroutines, Usage: []string{"<id>"}, Needs: true, Help: "select a thread", Run: as(goroutineCall.thread)},
	}
}

// where is which location of a goroutine is shown.
type where struct {
	name string
	of   func(debugger.Goroutine) debugger.Frame
}

var (
	atUser    = where{"", func(g debugger.Goroutine) debugger.Frame { return g.User }}
	atRuntime = where{"", func(g debugger.Goroutine) debugger.Frame { return g.Current }}
	atGo      = where{"started at ", func(g debugger.Goroutine) debugger.Frame { return g.GoAt }}
	atStart   = where{"started with ", func(g debugger.Goroutine) debugger.Frame { return g.Start }}
)

// listing is what goroutines was asked for.
type listing struct {
	query  debugger.GoroutineQuery
	show   where
	labels bool
	stack  int  // frames; 0: none
	all    bool // of the stacks' frames, with the runtime's
	exec   string
}

// Sizes of dlv's groups, and of a page of ours.
const (
	groupMembers  = 5
	maxGroups     = 50
	goroutinePage = 1000
)

// GoroutineFilters reads filters as the command goroutines takes them, such as
// "-with user" or "-without label worker=3".
func GoroutineFilters(args string) ([]debugger.GoroutineFilter, error) {
	l, err := parseGoroutines(args)
	return l.query.Filters, err
}

func parseGoroutines(args string) (listing, error) {
	l := listing{show: atUser, query: debugger.GoroutineQuery{Members: groupMembers, Groups: maxGroups, Page: debugger.Page{Count: goroutinePage}}}
	words, i := strings.Fields(args), 0
	next := func() string {
		i++
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	for ; i < len(words); i++ {
		switch word := words[i]; word {
		case "-u":
			l.show = atUser
		case "-r":
			l.show = atRuntime
		case "-g":
			l.show = atGo
		case "-s":
			l.show = atStart
		case "-all":
			l.all = true
		case "-l":
			l.labels = true
		case "-t":
			l.stack = 10
			if i+1 < len(words) {
				if n, err := strconv.Atoi(words[i+1]); err == nil {
					l.stack = n
					i++
				}
			}
		case "-w", "-with", "-wo", "-without":
			f, err := parseFilter(word, next)
			if err != nil {
				return l, err
			}
			l.query.Filters = append(l.query.Filters, f)
		case "-chan":
			expr := next()
			if expr == "" {
				return l, fmt.Errorf("%w: -chan needs an expression after it", ErrUsage)
			}
			l.query.Filters = append(l.query.Filters, debugger.GoroutineFilter{Field: debugger.ByChannel, Value: expr})
		case "-group":
			if err := l.group(next); err != nil {
				return l, err
			}
		case "-exec":
			l.exec = strings.Join(words[i+1:], " ")
			i = len(words)
		default:
			return l, fmt.Errorf("%w: %q is not understood", ErrUsage, word)
		}
	}
	return l, nil
}

// parseFilter reads what follows -with and -without; next returns the next word.
func parseFilter(word string, next func() string) (debugger.GoroutineFilter, error) {
	f := debugger.GoroutineFilter{Field: debugger.GoroutineField(next()), Not: word == "-wo" || word == "-without"}
	if !slices.Contains(goroutineFields, string(f.Field)) {
		return f, fmt.Errorf("%w: %s takes one of %s", ErrUsage, word, strings.Join(goroutineFields, ", "))
	}
	if f.Field != debugger.ByRunning && f.Field != debugger.ByUser {
		if f.Value = next(); f.Value == "" {
			return f, fmt.Errorf("%w: %s %s needs a text after it", ErrUsage, word, f.Field)
		}
	}
	return f, nil
}

// group reads what follows -group.
func (l *listing) group(next func() string) error {
	l.query.Group = debugger.GoroutineField(next())
	if !slices.Contains(goroutineFields, string(l.query.Group)) {
		return fmt.Errorf("%w: -group takes one of %s", ErrUsage, strings.Join(goroutineFields, ", "))
	}
	if l.query.Group == debugger.ByLabel {
		if l.query.Label = next(); l.query.Label == "" {
			return fmt.Errorf("%w: -group label needs a key after it", ErrUsage)
		}
	}
	return nil
}

func (c goroutineCall) goroutines() error {
	l, err := parseGoroutines(c.Args)
	if err != nil {
		return err
	}
	l.query.At = c.At
	t, err := c.target()
	if err != nil {
		return err
	}
	total := 0
	for {
		answer, err := t.QueryGoroutines(c, l.query)
		if err != nil {
			return err
		}
		if l.query.Group != "" {
			return c.goroutineGroups(t, l, answer)
		}
		slices.SortFunc(answer.List, func(a, b debugger.Goroutine) int { return cmp.Compare(a.ID, b.ID) })
		if err := c.goroutineList(t, l, answer.List); err != nil {
			return err
		}
		total += len(answer.List)
		if !answer.More || c.Out.Full() {
			break
		}
		l.query.Page.Start = answer.Next
		c.host.Progress(fmt.Sprintf("%d goroutines", total))
	}
	words := fmt.Sprintf("%d goroutines", total)
	switch total {
	case 0:
		words = noGoroutines
	case 1:
		words = "1 goroutine"
	}
	c.Out.Line(session.Line{Text: words, Style: session.StyleDim})
	return nil
}

const noGoroutines = "no goroutines"

func (c goroutineCall) goroutineGroups(t Target, l listing, answer debugger.GoroutineList) error {
	if len(answer.Groups) == 0 {
		c.Out.Line(session.Line{Text: noGoroutines, Style: session.StyleDim})
	}
	for _, g := range answer.Groups {
		c.Out.Line(session.Line{Text: g.Name, Style: session.StyleHead})
		err := c.Out.indented(func() error {
			if err := c.goroutineList(t, l, answer.List[g.From:g.To]); err != nil {
				return err
			}
			c.Out.Line(session.Line{Text: fmt.Sprintf("total: %d", g.Total), Style: session.StyleDim})
			return nil
		})
		if err != nil {
			return err
		}
	}
	if answer.More {
		c.Out.Line(session.Line{Text: "there are more groups", Style: session.StyleWarn})
	}
	return nil
}

func (c goroutineCall) goroutineList(t Target, l listing, list []debugger.Goroutine) error {
	for _, g := range list {
		if c.Err() != nil {
			return context.Cause(c)
		}
		c.goroutineLine(g, l.show)
		err := c.Out.indented(func() error {
			if l.labels {
				c.labels(g)
			}
			if l.stack > 0 {
				frames, more, err := t.Stack(c, g.ID, debugger.StackQuery{Depth: l.stack})
				if err != nil {
					return err
				}
				c.frames(g.ID, frames, stackShow{more: more, all: l.all, command: "goroutines -t -all"})
			}
			if l.exec == "" {
				return nil
			}
			return c.in(debugger.FrameRef{Goroutine: g.ID}, l.exec)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// goroutineLine writes a goroutine in a line, which leads to it.
func (c *Call) goroutineLine(g debugger.Goroutine, show where) {
	if g.Err != "" {
		c.Out.Line(session.Line{Text: fmt.Sprintf("%d  (unreadable: %s)", g.ID, g.Err), Style: session.StyleWarn})
		return
	}
	f := show.of(g)
	text := fmt.Sprintf("%-4d %-13s  %s%s  %s", g.ID, doing(g), show.name, debugger.ShortArguments(f.Function), c.place(f.File, f.Line))
	if g.Thread != 0 {
		text += fmt.Sprintf("  thread %d", g.Thread)
	}
	if f.PC != 0 {
		text += fmt.Sprintf("  %#x", f.PC)
	}
	c.Out.Line(session.Line{Text: text, Current: g.ID == c.At.Goroutine, Place: &session.Place{Frame: &debugger.FrameRef{Goroutine: g.ID, Frame: -1}}})
}

// doing is what a goroutine does, or waits for.
func doing(g debugger.Goroutine) string {
	switch {
	case g.WaitReason != "" && g.WaitSince > 0:
		return fmt.Sprintf("%s %d", g.WaitReason, g.WaitSince)
	case g.WaitReason != "":
		return g.WaitReason
	}
	return g.State
}

func (c goroutineCall) labels(g debugger.Goroutine) {
	if len(g.Labels) == 0 {
		return
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(g.Labels)) {
		parts = append(parts, fmt.Sprintf("%q:%q", key, g.Labels[key]))
	}
	c.Out.Say("labels: %s", strings.Join(parts, ", "))
}

// userFrames is how deep the user's code is looked for in a goroutine.
const userFrames = 32

func (c goroutineCall) goroutine() error {
	word, command := cut(c.Args)
	if word == "" {
		return c.showGoroutine()
	}
	id, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: %q is not a goroutine number", ErrUsage, word)
	}
	at := debugger.FrameRef{Goroutine: debugger.GoroutineID(id)}
	if command != "" {
		return c.in(at, command)
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	if err := c.land(t, at.Goroutine); err != nil {
		return err
	}
	c.Out.Say("goroutine %d, was %d", id, c.At.Goroutine)
	return nil
}

// land selects the frame of a goroutine to look at first.
func (c *Call) land(t Target, g debugger.GoroutineID) error {
	frames, _, err := t.Frames(c, g, debugger.Page{Count: userFrames})
	if err != nil {
		return err
	}
	c.choose(debugger.FrameRef{Goroutine: g, Frame: debugger.Landing(frames).Index})
	return nil
}

// choose selects a frame, for the lines that follow and on the screen.
func (c *Call) choose(at debugger.FrameRef) {
	c.Out.answer.Select = &at
	c.Out.At = at
}

func (c goroutineCall) showGoroutine() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	g, err := c.findGoroutine(t, c.At.Goroutine)
	if err != nil {
		return err
	}
	c.Out.Say("goroutine %d, %s", g.ID, g.State)
	for _, l := range []struct {
		name string
		at   debugger.Frame
	}{{"now", g.Current}, {"user", g.User}, {"go", g.GoAt}, {"start", g.Start}} {
		text := fmt.Sprintf("  %-5s  %s  %s", l.name, debugger.ShortArguments(l.at.Function), c.place(l.at.File, l.at.Line))
		if l.at.PC != 0 {
			text += fmt.Sprintf("  %#x", l.at.PC)
		}
		c.Out.Line(session.Line{Text: text, Place: placeOf(l.at.File, l.at.Line)})
	}
	if g.Thread != 0 {
		c.Out.Say("  thread %d", g.Thread)
	}
	c.labels(g)
	return nil
}

func (c goroutineCall) findGoroutine(t Target, id debugger.GoroutineID) (debugger.Goroutine, error) {
	page := debugger.Page{Count: goroutinePage}
	for {
		list, err := t.QueryGoroutines(c, debugger.GoroutineQuery{At: c.At, Page: page})
		if err != nil {
			return debugger.Goroutine{}, err
		}
		for _, g := range list.List {
			if g.ID == id {
				return g, nil
			}
		}
		if !list.More {
			return debugger.Goroutine{}, fmt.Errorf("there is no goroutine %d", id)
		}
		page.Start = list.Next
	}
}

func (c goroutineCall) threads() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	list, err := t.Threads(c)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b debugger.Thread) int { return cmp.Compare(a.ID, b.ID) })
	for _, th := range list {
		text := fmt.Sprintf("%d  %#x  %s  %s", th.ID, th.At.PC, debugger.ShortArguments(th.At.Function), c.place(th.At.File, th.At.Line))
		if th.Goroutine != 0 {
			text += fmt.Sprintf("  goroutine %d", th.Goroutine)
		}
		l := session.Line{Text: text, Current: th.Selected, Place: placeOf(th.At.File, th.At.Line)}
		if th.Goroutine > 0 {
			l.Place = &session.Place{Frame: &debugger.FrameRef{Goroutine: th.Goroutine, Frame: -1}}
		}
		c.Out.Line(l)
	}
	return nil
}

func (c goroutineCall) thread() error {
	id, err := strconv.Atoi(c.Args)
	if err != nil {
		return fmt.Errorf("%w: %q is not a thread number", ErrUsage, c.Args)
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	th, err := t.SwitchThread(c, id)
	if err != nil {
		return err
	}
	if th.Goroutine > 0 {
		if err := c.land(t, th.Goroutine); err != nil {
			return err
		}
		c.Out.Say("thread %d, which runs goroutine %d", th.ID, th.Goroutine)
		return nil
	}
	c.Out.Say("thread %d, which runs no goroutine", th.ID)
	return nil
}
