package console

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// dataCall is a call of a command about variables.
type dataCall struct{ *Call }

func dataCommands() []Command {
	verbose := []Option{{Name: "-v", Help: "with what they hold"}}
	return []Command{
		{Name: "print", Aliases: []string{"p"}, Group: GroupData, Usage: []string{"[%format] <expression>"}, Needs: true,
			Help: "evaluate an expression", More: "A format is one of package fmt: print %x v. What holds more can be opened.",
			Args: []Kind{Expression}, Prefixes: On | InDefer, Run: as(dataCall.print)},
		{Name: "whatis", Group: GroupData, Usage: []string{"<expression>", "<type>"}, Needs: true,
			Help: "the type of an expression, or what a type is made of", Args: []Kind{Expression}, Run: as(dataCall.whatis)},
		{Name: "set", Group: GroupData, Usage: []string{"<variable> = <value>"}, Needs: true,
			Help: "change a variable, a field or an element", More: assigning,
			Args: []Kind{Expression}, Run: as(dataCall.set)},
		{Name: "args", Group: GroupData, Usage: []string{"[-v] [<regexp>]"}, Options: verbose,
			Help: "the arguments of the frame", Prefixes: On | InDefer, Run: as(dataCall.args)},
		{Name: "locals", Group: GroupData, Usage: []string{"[-v] [<regexp>]"}, Options: verbose,
			Help: "the local variables of the frame", More: "Shadowed ones are in parentheses.", Prefixes: On | InDefer, Run: as(dataCall.locals)},
		{Name: "vars", Group: GroupData, Usage: []string{"[-v] [<regexp>]"}, Options: verbose, Args: []Kind{Variable},
			Help: "the variables of packages", Run: as(dataCall.vars)},
		{Name: "display", Group: GroupData, Usage: []string{"", "-a [%format] <expression>", "-d <number>"}, Args: []Kind{Expression},
			Options: []Option{{Name: "-a", Value: "<expression>", Takes: Expression, Help: "add one"}, {Name: "-d", Value: "<number>", Help: "remove one"}},
			Help:    "evaluate an expression at every stop", Run: as(dataCall.display)},
	}
}

// evaluate evaluates a line that is no command, or assigns.
func (c dataCall) evaluate(line string) error {
	if line == "" {
		return nil
	}
	if name, value, ok := Assignment(line); ok {
		return c.assign(name, value)
	}
	if word, rest := cut(line); rest != "" && firstWord.MatchString(line) && !isGo(line) {
		if _, ok := c.Table().Find(word); !ok {
			return c.noCommand(word)
		}
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	v, err := c.valueOf(t, line)
	if _, command := c.Table().Find(line); err != nil && !command && token.IsIdentifier(line) && strings.Contains(err.Error(), "could not find symbol value for "+line) {
		return fmt.Errorf("there is no command and no variable %s here%s", line, c.near(line))
	}
	if err != nil {
		return err
	}
	return c.show(t, v)
}

// valueOf evaluates an expression; of a variable it knows whether it is set yet.
func (c dataCall) valueOf(t Target, expr string) (debugger.Variable, error) {
	v, err := t.Evaluate(c, c.At, expr)
	if errors.Is(err, debugger.ErrCaptured) && token.IsIdentifier(expr) {
		return debugger.Variable{Name: expr, Expr: expr, Unset: true, Captured: true}, nil
	}
	if err != nil {
		return v, c.notThere(expr, err)
	}
	if !token.IsIdentifier(expr) {
		return v, nil
	}
	frame, err := t.Load(c, c.At)
	if err != nil {
		return v, nil //nolint:nilerr // a package's variable, where no frame can be read
	}
	for _, known := range frame.Variables() {
		if known.Name == expr && !known.Shadowed {
			v.Unset, v.Captured = known.Unset, known.Captured
		}
	}
	return v, nil
}

// notThere adds, to the error of a word that names nothing, that a command of
// that name needs more, or what was meant; and to that of an expression that calls
// a function, how it is called.
func (c dataCall) notThere(line string, err error) error {
	if errors.Is(err, debugger.ErrNeedsCall) {
		return advice.Add(errors.New("this calls a function of the program"), "call "+line)
	}
	word, rest := cut(line)
	command, ok := c.Table().Find(word)
	switch {
	case !ok || c.Command.Name != "": // print was asked for a value
		return err
	case rest != "" || !strings.Contains(err.Error(), "could not find symbol value for "+word):
		return advice.Add(err, command.Usages())
	}
	now := ""
	if command.Group == GroupStack {
		now = fmt.Sprintf("; frame %d is selected", c.At.Frame)
	}
	return advice.Add(fmt.Errorf("%s needs more than its name%s", word, now), command.Usages())
}

func (c dataCall) print() error {
	if c.Args == "" {
		return ErrUsage
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	verb, expr := verbOf(c.Args)
	if verb == "" {
		v, err := c.valueOf(t, expr)
		if err != nil {
			return oneOf(expr, err)
		}
		return c.show(t, v)
	}
	if expr == "" {
		return fmt.Errorf("%w: what should be printed with %s?", ErrUsage, verb)
	}
	v, text, err := t.Print(c, c.At, expr, verb)
	if err != nil {
		return err
	}
	number := c.Out.value(v)
	for line := range strings.Lines(text) {
		c.Out.Line(session.Line{Text: strings.TrimRight(line, "\n"), Value: number})
	}
	return nil
}

// oneOf is why an expression has no value; of a list of them, that it is one.
func oneOf(expr string, err error) error {
	e, _ := parser.ParseExpr("_(" + expr + ")")
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 1 {
		return fmt.Errorf("%w: print takes one expression", ErrUsage)
	}
	return err
}

// verbOf splits "%x expr".
func verbOf(text string) (verb, expr string) {
	if strings.HasPrefix(text, "%") {
		return cut(text)
	}
	return "", text
}

// show adds a value with its children, and for a channel those who wait on it.
func (c dataCall) show(t Target, v debugger.Variable) error {
	number, written := c.Out.value(v), c.Settings().Written
	if v.Unset {
		c.Out.tree(v, "", written, number)
		return nil
	}
	c.fill(t, &v, written)
	c.Out.tree(v, "", written, number)
	c.meaning(t, v)
	if v.Kind != reflect.Chan || v.Nil || v.Addr == 0 {
		return nil
	}
	if v.Len > 0 {
		items, err := t.Children(c, c.At, v, debugger.Page{Count: showLines})
		if err != nil {
			return fmt.Errorf("what it holds: %w", err)
		}
		for _, item := range items {
			c.Out.tree(item, "  ", c.Settings().Written.to(1), 0)
		}
	}
	return c.waitingOn(t, v)
}

// meaning adds what a value means beyond its fields: a time, an error's chain,
// the items of a channel.
func (c dataCall) meaning(t Target, v debugger.Variable) {
	means, err := format.Describe(c, format.NewReader(t, c.At), v)
	if err != nil || means.Text == "" && len(means.Rows) == 0 {
		return
	}
	c.Out.meant(v, means, c.Settings().Written.to(1))
}

// waitingOn lists the goroutines that wait on a channel.
func (c dataCall) waitingOn(t Target, v debugger.Variable) error {
	const most = 100
	list, err := t.QueryGoroutines(c, debugger.GoroutineQuery{At: c.At, Page: debugger.Page{Count: most},
		Filters: []debugger.GoroutineFilter{{Field: debugger.ByChannel, Value: fmt.Sprintf("*(*%q)(%#x)", v.FullType, v.Addr)}}})
	if err != nil {
		return fmt.Errorf("who waits on it: %w", err)
	}
	if len(list.List) == 0 {
		return nil
	}
	c.Out.Line(session.Line{Text: "goroutines that wait on it:", Style: session.StyleHead})
	for _, g := range list.List {
		c.goroutineLine(g, atUser)
	}
	if list.More {
		c.Out.Say("only the first %d are listed", most)
	}
	return nil
}

func (c dataCall) whatis() error {
	t, err := c.target()
	if err != nil {
		return err
	}
	typ, err := t.Type(c, c.At, c.Args)
	if err != nil {
		return err
	}
	if typ.Register {
		c.Out.Say("a register of the processor")
		return nil
	}
	c.typeLines(typ)
	return nil
}

func (c dataCall) typeLines(typ debugger.Type) {
	if typ.Kind != "" {
		c.Out.Line(session.Line{Text: fmt.Sprintf("%s, a %s of %d bytes", typ.Name, typ.Kind, typ.Size)})
	} else if typ.Name != "" {
		c.Out.Line(session.Line{Text: typ.Name, Run: "types " + typ.Name})
	}
	if typ.Real != "" {
		c.Out.Say("real type: %s", typ.Real)
	}
	if typ.Concrete != "" {
		c.Out.Say("concrete type: %s", typ.Concrete)
	}
	if typ.Location != "" && c.Settings().ShowLocationExpr {
		c.Out.Say("location: %s", typ.Location)
	}
	section(c.Out, "fields", len(typ.Fields))
	width := 0
	for _, f := range typ.Fields {
		width = max(width, len(f.Name))
	}
	for _, f := range typ.Fields {
		c.Out.Line(session.Line{Text: fmt.Sprintf("  %-*s  %s", width, f.Name, f.Type), Run: "whatis " + f.Type})
	}
	section(c.Out, "methods", len(typ.Methods))
	for _, m := range typ.Methods {
		c.Out.Say("  %s", m)
	}
}

func section(o *Output, name string, count int) {
	if count > 0 {
		o.Line(session.Line{Text: name + ":", Style: session.StyleHead})
	}
}

func (c dataCall) args() error {
	return c.frameVariables("arguments", func(f debugger.Frame) []debugger.Variable { return f.Args })
}

func (c dataCall) locals() error {
	return c.frameVariables("local variables", func(f debugger.Frame) []debugger.Variable { return f.Locals })
}

func (c dataCall) frameVariables(what string, of func(debugger.Frame) []debugger.Variable) error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	re, err := pattern(g.text())
	if err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	frame, err := t.Load(c, c.At)
	if err != nil {
		return err
	}
	found := false
	for _, v := range of(frame) {
		if !re.MatchString(v.Name) {
			continue
		}
		found = true
		c.variable(v, g.has("-v"))
	}
	if !found {
		c.Out.Line(session.Line{Text: "no " + what, Style: session.StyleDim})
	}
	return nil
}

// variable adds a variable, with its children where it is to be seen whole.
func (c dataCall) variable(v debugger.Variable, whole bool) {
	written := c.Settings().Written
	if !whole {
		written.Depth = 0
	}
	if v.Shadowed {
		v.Name = "(" + v.Name + ")"
	}
	c.Out.tree(v, "", written, c.Out.value(v))
}

func (c dataCall) vars() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	if _, err := pattern(g.text()); err != nil {
		return err
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	list, err := t.PackageVariables(c, g.text(), g.has("-v"))
	if err != nil {
		return err
	}
	for _, v := range list {
		if c.Err() != nil {
			return context.Cause(c)
		}
		c.variable(v, g.has("-v"))
	}
	if len(list) == 0 {
		c.Out.Line(session.Line{Text: "no variables", Style: session.StyleDim})
	}
	return nil
}

// maxDisplays bounds the expressions that are evaluated at every stop.
const maxDisplays = 50

func (c dataCall) display() error {
	list := c.host.State().Displays
	option, rest := cut(c.Args)
	switch option {
	case "":
		c.displays(list)
		return nil
	case "-a":
		return c.addDisplay(list, rest)
	case "-d":
		for i, d := range list {
			if fmt.Sprint(d.ID) == rest {
				c.host.Display(append(append([]session.Display{}, list[:i]...), list[i+1:]...))
				c.Out.Say("%s is no longer displayed", d.Expr)
				return nil
			}
		}
		return fmt.Errorf("there is no display %q", rest)
	}
	return ErrUsage
}

func (c dataCall) displays(list []session.Display) {
	for _, d := range list {
		switch {
		case d.Err != "":
			c.Out.Line(session.Line{Text: fmt.Sprintf("%d: %s = (%s)", d.ID, d.Expr, d.Err), Style: session.StyleWarn})
		default:
			d.Value.Name = fmt.Sprintf("%d: %s", d.ID, d.Expr)
			c.displayed(d)
		}
	}
	if len(list) == 0 {
		c.Out.Line(session.Line{Text: "nothing is displayed; display -a <expression> adds one", Style: session.StyleDim})
	}
}

func (c dataCall) displayed(d session.Display) {
	number := c.Out.value(d.Value)
	if d.Verb != "" {
		c.Out.Line(session.Line{Text: d.Value.Name + " = " + d.Text, Value: number})
		return
	}
	c.Out.tree(d.Value, "", c.Settings().Written.to(0), number)
}

func (c dataCall) addDisplay(list []session.Display, text string) error {
	verb, expr := verbOf(text)
	if expr == "" {
		return fmt.Errorf("%w: which expression?", ErrUsage)
	}
	if len(list) >= maxDisplays {
		return fmt.Errorf("%d expressions are displayed: display -d removes one", len(list))
	}
	d := session.Display{ID: 0, Expr: expr, Verb: verb}
	for _, other := range list {
		d.ID = max(d.ID, other.ID+1)
	}
	t, err := c.target()
	if err == nil {
		d = Evaluate(c, t, c.At, d)
	} else if !errors.Is(err, debugger.ErrRunning) && !errors.Is(err, debugger.ErrGone) {
		return err
	}
	c.host.Display(append(append([]session.Display{}, list...), d))
	c.displays([]session.Display{d})
	return nil
}

// Evaluate evaluates a displayed expression again.
func Evaluate(ctx context.Context, t Target, at debugger.FrameRef, d session.Display) session.Display {
	v, text, err := t.Print(ctx, at, d.Expr, d.Verb)
	before := d.Value.Value
	if d.Verb != "" {
		before = d.Text
	}
	had := d.Err == "" && d.Value.Type != ""
	d.Value, d.Text, d.Err, d.Before = v, "", "", ""
	if err != nil {
		d.Value, d.Err = debugger.Variable{}, err.Error()
		if errors.Is(err, debugger.ErrNeedsCall) {
			d.Err = "this calls a function of the program: call " + d.Expr
		}
		return d
	}
	after := v.Value
	if d.Verb != "" {
		d.Text, after = text, text
	}
	if had && after != before {
		d.Before = before
	}
	return d
}
