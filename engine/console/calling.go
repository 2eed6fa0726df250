package console

import (
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// call calls a function and prints what it returns. The warning comes before its
// outcome: others ran.
func (c runCall) call() error {
	g, err := c.options(false)
	if err != nil {
		return err
	}
	if g.text() == "" {
		return ErrUsage
	}
	if err := c.mayCall(); err != nil {
		return err
	}
	c.Out.Line(session.Line{Text: "all goroutines run while the call does", Style: session.StyleWarn})
	c.Out.answer.Changed = true
	c.Waits = true // what is typed next is about what has returned
	stop, held, err := c.moved(debugger.Move{Motion: debugger.CallFunction, Expr: g.text(), Unsafe: g.has("-unsafe"), Frame: c.At.Frame})
	if err != nil || !held {
		return err
	}
	return c.returned(stop, g.text())
}

// returned prints the results of a call, or says why there are none.
func (c runCall) returned(stop debugger.Stop, expr string) error {
	switch {
	case stop.Fault != "":
		return advice.Add(errors.New(stop.Fault), stop.Remedy)
	case stop.Called == "":
		return fmt.Errorf("%s has not returned: the program stopped before, %s", expr, session.StopNote(stop))
	case len(stop.Returned) == 0:
		c.Out.Say("%s has returned", expr)
		return nil
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	for _, v := range stop.Returned {
		if v.Name == "" && len(stop.Returned) == 1 {
			v.Name = expr
		}
		if err := dataCall(c).show(t, v); err != nil {
			return err
		}
	}
	return nil
}

// mayCall refuses a call where the goroutine cannot make one: the runtime would
// go on unwinding its stack, and end the program.
func (c runCall) mayCall() error {
	record, ok := c.host.State().CurrentStop()
	stop := record.Stop
	switch {
	case !ok:
	case !c.host.State().CanNow().Call:
		return c.host.State().CanNow().Refuse("call functions")
	case stop.Unwinds():
		return advice.Add(fmt.Errorf("goroutine %d is panicking: it can call no function", stop.Goroutine), "calls work at breakpoints and steps; print evaluates expressions without calls here")
	case stop.Crashed() && stop.Test != nil: // and no stop of a call is one
		return advice.Add(errors.New("the test has failed here, and a call would end this stop"), "print evaluates expressions without calls; a breakpoint before this line lets you call")
	case len(stop.Frames) > 0 && stop.Frames[0].Runtime:
		return advice.Add(fmt.Errorf("goroutine %d is in the runtime: it can call no function", stop.Goroutine), "let it run to a breakpoint in your code first")
	}
	return nil
}
