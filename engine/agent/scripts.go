package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

// Script is the tool's name in the steps of RunScripts: a whole script. What it
// calls are steps, too.
const Script = "script"

// ScriptCode is the argument of Script that is its text.
const ScriptCode = "code"

// scriptFence is the code of an answer that is a script.
var scriptFence = lazyregexp.New("(?s)```(?:starlark|python|star)[ \t]*\n(.*?)\n?```")

// RunScripts is Run for a model that writes scripts instead of calling tools: any
// model that writes text can. An answer that holds a script is run, and what it
// gives is the next message; an answer without one is the answer. A script that gives
// up ends it with ErrGaveUp.
func RunScripts(ctx context.Context, ask Ask, messages []llm.Message, tools *Tools, limits Limits, onStep func(Step)) (Result, error) {
	i := &investigation{tools: tools, limits: limits.withDefaults(), onStep: onStep, asked: map[string]bool{}}
	i.out.Messages = append(i.out.Messages, messages...)
	i.until = time.Now().Add(i.limits.Time)
	in, err := interp.Start(ctx, interp.API{Names: functionNames(), Call: i.answer}, i.limits.Script)
	if err != nil {
		return i.out, err
	}
	defer in.Close()
	for !i.usedUp() {
		answer, err := ask(ctx, i.out.Messages, nil)
		i.count(answer)
		if err != nil {
			return i.out, err
		}
		found := scriptFence.FindStringSubmatch(answer.Text)
		if found == nil {
			return i.out, nil
		}
		i.out.Messages = append(i.out.Messages, llm.Message{Role: "assistant", Text: answer.Text})
		text, ended, err := i.runScript(ctx, in, found[1])
		if ctx.Err() != nil {
			return i.out, ctx.Err()
		}
		if err != nil {
			return i.out, err
		}
		i.out.Messages = append(i.out.Messages, llm.Message{Role: "user", Text: text})
		if ended {
			return i.last(ctx, ask)
		}
	}
	i.out.Messages = append(i.out.Messages, llm.Message{Role: "user", Text: answerNow})
	return i.last(ctx, ask)
}

// last has the model answer.
func (i *investigation) last(ctx context.Context, ask Ask) (Result, error) {
	answer, err := ask(ctx, i.out.Messages, nil)
	i.count(answer)
	if err == nil && (answer.Text == "" || scriptFence.MatchString(answer.Text)) {
		err = ErrNoAnswer
	}
	return i.out, err
}

// ErrGaveUp is returned where the model said that it cannot find a fix. The error goes
// on to say why.
var ErrGaveUp = errors.New("the model gave up")

// gaveUp is ErrGaveUp with the model's reason.
func (i *investigation) gaveUp(reason string) error {
	if reason = shorten(i.tools.redact(strings.TrimSpace(reason))); reason == "" {
		return ErrGaveUp
	}
	return fmt.Errorf("%w: %s", ErrGaveUp, reason)
}

// runScript runs a script, and returns the next message and whether it is the
// one that asks for the answer; ErrGaveUp where there will be none.
func (i *investigation) runScript(ctx context.Context, in *interp.Interpreter, text string) (next string, ended bool, gaveUp error) {
	i.out.Steps++
	began := time.Now()
	got, err := in.Run(ctx, text)
	s := Step{Call: llm.Call{Name: Script, Arguments: map[string]any{ScriptCode: text}}, Result: bound(i.tools.redact(got.Output)), Took: time.Since(began)}
	switch {
	case err != nil:
		s.Err = err
	case got.Err != "":
		s.Err = errors.New(i.tools.redact(got.Err))
	}
	i.output += len(s.Result)
	if i.onStep != nil {
		i.onStep(s)
	}
	if s.Err == nil && got.End == interp.GiveUp {
		return "", true, i.gaveUp(got.Words)
	}
	var b strings.Builder
	if s.Result != "" {
		fmt.Fprintf(&b, "The script printed:\n%s\n", prompts.Data(s.Result))
	}
	if s.Err != nil {
		i.failed++
		fmt.Fprintf(&b, "Error: %v\n", s.Err)
	}
	switch {
	case errors.Is(err, interp.ErrEnded), got.End == interp.Propose:
		b.WriteString("Answer now, in the form you were asked for.")
		return b.String(), true, nil
	case got.Output == "" && s.Err == nil:
		b.WriteString("The script printed nothing: give values to think(...). ")
	}
	fmt.Fprintf(&b, "%s: write another script, or answer.", lookups(i.left()))
	return b.String(), false, nil
}

// RunScript runs one script of a person or an agent, and returns what it printed and
// what it ended with. The text is bounded and without secrets; an error in the
// script comes with its line.
func (t *Tools) RunScript(ctx context.Context, text string, limits interp.Limits) (string, error) {
	in, err := interp.Start(ctx, interp.API{Names: functionNames(), Call: t.scripted}, limits)
	if err != nil {
		return "", err
	}
	defer in.Close()
	got, err := in.Run(ctx, text)
	if err == nil && got.Err != "" {
		err = errors.New(t.redact(got.Err))
	}
	return strings.TrimSuffix(bound(t.redact(got.Output+got.Words)), "\n"), err
}

// answer answers a call of a script. Each is a step.
func (i *investigation) answer(ctx context.Context, name string, given []any) (any, error) {
	c, err := scriptCall(name, given)
	s := Step{Call: c}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, i.limits.Step)
	defer cancel()
	var value any
	if err == nil {
		value, err = i.tools.value(ctx, c)
	}
	s.Took, s.Err = time.Since(began), err
	if err == nil {
		s.Result = bound(textOf(value))
	}
	if i.onStep != nil {
		i.onStep(s)
	}
	return value, err
}
