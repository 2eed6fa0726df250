package engine

import (
	"errors"
	"fmt"
	"go/parser"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// command carries out a line of the command line: a command by its name or
// alias, an assignment, or an expression to evaluate.
func (e *Engine) command(at debugger.FrameRef, line string) {
	line = strings.TrimSpace(line)
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "":
	case "continue", "c":
		e.stepWord(at, line, rest, debugger.Continue)
	case "next", "n":
		e.stepWord(at, line, rest, debugger.Next)
	case "step", "s":
		e.stepWord(at, line, rest, debugger.StepIn)
	case "stepout", "so":
		e.stepWord(at, line, rest, debugger.StepOut)
	case "restart", "r":
		if rest != "" {
			e.assignOrEvaluate(at, line, line)
			return
		}
		e.restart()
	case "break", "b":
		e.breakCommand(at, rest)
	case "clear":
		e.clearCommand(rest)
	case "breakpoints", "bp":
		e.answer(at, line, e.listBreakpoints(), nil)
	case "ask", "explain":
		e.talkCommand(at, line, verb, rest)
	case "note":
		e.append(e.opts.Actor, &session.Notice{Level: "note", Text: rest})
	case "print", "p":
		e.evaluate(at, line, rest)
	case "set":
		e.assignOrEvaluate(at, line, rest)
	default:
		e.assignOrEvaluate(at, line, line)
	}
}

// stepWord steps; a one-letter command that also names a variable and stands
// in an expression ("n + 1") is an expression.
func (e *Engine) stepWord(at debugger.FrameRef, line, rest string, m debugger.Motion) {
	if rest != "" {
		e.assignOrEvaluate(at, line, line)
		return
	}
	e.resume(debugger.Move{Motion: m})
}

func (e *Engine) answer(at debugger.FrameRef, line, text string, err error) {
	a := &session.Evaluated{Input: line, At: at, Text: text}
	if err != nil {
		a.Err = err.Error()
	}
	e.append(e.opts.Actor, a)
}

// assignOrEvaluate tells "x.terms = nil" from "x.terms == nil".
func (e *Engine) assignOrEvaluate(at debugger.FrameRef, line, text string) {
	name, value, ok := assignment(text)
	if !ok {
		e.evaluate(at, line, text)
		return
	}
	t, err := e.held()
	if err != nil {
		e.answer(at, line, "", err)
		return
	}
	e.job(func() {
		err := t.SetVariable(e.ctx, at, name, value)
		var v debugger.Variable
		if err == nil {
			v, err = t.Evaluate(e.ctx, at, name)
		}
		e.post(func() { e.evaluated(at, line, v, err) })
	})
}

// assignment splits "a.b = c"; false for anything that is an expression.
func assignment(text string) (name, value string, ok bool) {
	if _, err := parser.ParseExpr(text); err == nil {
		return "", "", false
	}
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '=' {
			continue
		}
		name, value = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		_, errName := parser.ParseExpr(name)
		_, errValue := parser.ParseExpr(value)
		if errName == nil && errValue == nil {
			return name, value, true
		}
	}
	return "", "", false
}

func (e *Engine) held() (target, error) {
	switch {
	case e.round == nil || e.round.ended:
		return nil, debugger.ErrGone
	case e.round.running:
		return nil, debugger.ErrRunning
	}
	return e.round.target, nil
}

func (e *Engine) evaluate(at debugger.FrameRef, line, expr string) {
	t, err := e.held()
	if err != nil {
		e.answer(at, line, "", err)
		return
	}
	e.job(func() {
		v, err := t.Evaluate(e.ctx, at, expr)
		e.post(func() { e.evaluated(at, line, v, err) })
	})
}

func (e *Engine) evaluated(at debugger.FrameRef, line string, v debugger.Variable, err error) {
	a := &session.Evaluated{Input: line, At: at, Result: v}
	if err != nil {
		a.Err = err.Error()
	}
	e.append(e.opts.Actor, a)
}

// breakCommand reads "LOCATION [if CONDITION]": a line of the selected frame's
// file, file:line, or a function.
func (e *Engine) breakCommand(at debugger.FrameRef, text string) {
	location, cond, _ := strings.Cut(text, " if ")
	location = strings.TrimSpace(location)
	if location == "" {
		e.refuse(errors.New("break: where? A line, file.go:line, or a function"))
		return
	}
	b := debugger.Breakpoint{Location: location, Cond: strings.TrimSpace(cond)}
	if line, err := strconv.Atoi(location); err == nil {
		file, ok := e.fileOf(at)
		if !ok {
			e.refuse(fmt.Errorf("break %d: no frame is selected to name the file", line))
			return
		}
		b = debugger.Breakpoint{File: file, Line: line, Cond: b.Cond}
	}
	if (e.round == nil || e.round.ended) && b.File == "" {
		e.refuse(debugger.WithHint(debugger.ErrGone, "r starts it again"))
		return
	}
	e.addBreakpoint(b)
}

func (e *Engine) fileOf(at debugger.FrameRef) (string, bool) {
	stop, ok := e.State().CurrentStop()
	if !ok || at.Goroutine != stop.Stop.Goroutine || at.Frame < 0 || at.Frame >= len(stop.Stop.Frames) {
		return "", false
	}
	return stop.Stop.Frames[at.Frame].File, true
}

func (e *Engine) clearCommand(text string) {
	id, err := strconv.Atoi(text)
	if err != nil {
		e.refuse(fmt.Errorf("clear %q: which breakpoint? Give its number", text))
		return
	}
	e.clearBreakpoint(id)
}

func (e *Engine) listBreakpoints() string {
	var lines []string
	for _, b := range e.State().Breakpoints {
		text := fmt.Sprintf("%d  %s:%d  %s", b.ID, e.ws.Rel(b.File), b.Line, b.Text)
		if b.Cond != "" {
			text += "  if " + b.Cond
		}
		lines = append(lines, text)
	}
	if len(lines) == 0 {
		return "no breakpoints"
	}
	return strings.Join(lines, "\n")
}
