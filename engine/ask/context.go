package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// context is what a model sees of the stop that is asked about: all that is
// gathered for a fix, and the numbers of the frames, for citations.
func (q *inquiry) context(ctx context.Context, m llm.Info) (gathered prompts.Context, stack prompts.Section, err error) {
	tools := agent.New(q.c, q.screen)
	if q.c.Stop.Panic != nil {
		gathered, err = prompts.Gather(ctx, q.c, q.screen.Options(m.Context))
	} else {
		gathered, err = q.held(ctx, tools)
	}
	where := "The developer looks at frame " + fmt.Sprint(q.asked.At.Frame)
	if g := q.asked.At.Goroutine; g != q.c.Stop.Goroutine {
		where += fmt.Sprintf(" of goroutine %d", g)
	}
	stack = prompts.Section{Key: "stack", Title: "The stack", Text: prompts.Data(tools.Calls()) + "\n" + where + "."}
	stack.Tokens = prompts.Tokens(stack.Text)
	return gathered, stack, err
}

// held tells of a stop without a panic: where it is held, the function, the
// variables of its frame.
func (q *inquiry) held(ctx context.Context, tools *agent.Tools) (prompts.Context, error) {
	f, ok := q.c.Stop.SelectedFrame()
	if !ok {
		return prompts.Context{}, errors.New("the program is held nowhere in particular")
	}
	if !f.Loaded {
		loaded, err := q.c.Inspect.Load(ctx, debugger.FrameRef{Goroutine: q.c.Stop.Goroutine, Frame: f.Index})
		if err != nil {
			return prompts.Context{}, err
		}
		f = loaded
	}
	place := fmt.Sprintf("%s:%d", q.c.Workspace.Rel(f.File), f.Line)
	gathered := prompts.Context{Class: string(q.c.Stop.Reason), Message: "held: " + string(q.c.Stop.Reason), Function: f.Function, File: q.c.Workspace.Rel(f.File), Line: f.Line}
	add := func(key, title, text string) {
		s := prompts.Section{Key: key, Title: title, Text: text, Tokens: prompts.Tokens(text)}
		gathered.Sections = append(gathered.Sections, s)
		gathered.Tokens += s.Tokens
	}
	add("stop", "Where it is held", fmt.Sprintf("The program has not crashed; it is held (%s) in %s at %s, on goroutine %d.", q.c.Stop.Reason, f.Function, place, q.c.Stop.Goroutine))
	source, err := tools.Call(ctx, llm.Call{Name: agent.Source, Arguments: map[string]any{"of": f.Function}})
	if err != nil { // a function of no package that may be shown: the lines, then
		source, err = tools.Call(ctx, llm.Call{Name: agent.Source, Arguments: map[string]any{"of": place}})
	}
	if err == nil {
		add("function", "The function that it is held in", source)
	}
	if vars := prompts.Variables(f.Variables()); vars != "" {
		add("values", "Its variables", prompts.Data(q.screen.Plain(vars)))
	}
	return gathered, nil
}

// builtinReply is what the debugger itself can say: the diagnosis of the stop,
// with citations. It does not pretend to have understood the question.
func builtinReply(ctx context.Context, c evidence.Case, question, hint string) (string, error) {
	d := c.Diagnosis
	if c.Stop.Panic == nil && question == "" && c.Inspect != nil {
		if found, err := waits.Find(ctx, c.Inspect); err == nil && len(found.Goroutines) > 0 {
			return "**Deadlock**: " + found.Sentence + ". None of them can go on.\n", nil
		}
	}
	if c.Stop.Panic == nil || question != "" && d.Sentence == "" {
		return "", advice.Add(errors.New("there is no model to ask, and the debugger itself does not know"), hint)
	}
	var b strings.Builder
	switch {
	case question == "":
		p := c.Stop.Panic
		fmt.Fprintf(&b, "The program stopped with **%s**: `%s`", p.Class, strings.ReplaceAll(prompts.OneLine(p.Message), "`", "'"))
		if p.Culprit >= 0 && p.Culprit < len(c.Stop.Frames) {
			f := c.Stop.Frames[p.Culprit]
			fmt.Fprintf(&b, " in %s [frame %d] [%s:%d]", session.ShortFunction(f.Function), f.Index, c.Workspace.Rel(f.File), f.Line)
		}
		b.WriteString(".\n\n")
	case !mentions(question, d.Expr):
		b.WriteString("There is no model to answer that. What the debugger itself knows about this stop:\n\n")
	}
	if words := d.Words(); words != "" {
		fmt.Fprintf(&b, "%s.\n", strings.TrimSuffix(words, "."))
	}
	if d.Expr != "" {
		fmt.Fprintf(&b, "\n- the value: [%s]", d.Expr)
		if d.Value != "" {
			b.WriteString(", " + d.Value)
		}
	}
	if d.Origin != "" {
		fmt.Fprintf(&b, "\n- where it comes from: [%s]", d.Origin)
	}
	return strings.TrimSpace(b.String()), nil
}

// mentions reports whether a question names the bad value, or its last part.
func mentions(question, expr string) bool {
	if expr == "" {
		return false
	}
	for word := range strings.FieldsFuncSeq(question, func(r rune) bool { return strings.ContainsRune(" \t?!,;:'\"`()", r) }) {
		word = strings.TrimRight(word, ".")
		if word == expr || word == expr[strings.LastIndex(expr, ".")+1:] {
			return true
		}
	}
	return false
}
