package agent

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

// Script is the tool's name in the steps of RunScripts: a whole script. What it
// calls are steps, too.
const Script = "script"

// scriptFence is the code of an answer that is a script.
var scriptFence = regexp.MustCompile("(?s)```(?:starlark|python|star)[ \t]*\n(.*?)\n?```")

// RunScripts is Run for a model that writes scripts instead of calling tools: any
// model that writes text can. An answer that holds a script is run, and what it
// gives is the next message; an answer without one is the answer.
func RunScripts(ctx context.Context, ask Ask, messages []llm.Message, tools *Tools, limits Limits, onStep func(Step)) (Result, error) {
	i := &investigation{tools: tools, limits: limits.withDefaults(), onStep: onStep, asked: map[string]bool{}}
	i.out.Messages = append(i.out.Messages, messages...)
	i.until = time.Now().Add(i.limits.Time)
	in, err := interp.Start(ctx, interp.API{Names: functions, Call: i.answer}, interp.Limits{})
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
		text, ended := i.runScript(ctx, in, found[1])
		if err := ctx.Err(); err != nil {
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

// runScript runs a script, and returns the next message and whether it is the
// one that asks for the answer.
func (i *investigation) runScript(ctx context.Context, in *interp.Interpreter, text string) (next string, ended bool) {
	i.out.Steps++
	began := time.Now()
	got, err := in.Run(ctx, text)
	s := Step{Call: llm.Call{Name: Script, Arguments: map[string]any{"code": text}}, Result: bound(i.tools.redact(got.Output)), Took: time.Since(began)}
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
	var b strings.Builder
	if s.Result != "" {
		fmt.Fprintf(&b, "The script printed:\n%s\n", prompts.Data(s.Result))
	}
	if s.Err != nil {
		i.failed++
		fmt.Fprintf(&b, "Error: %v\n", s.Err)
	}
	switch {
	case errors.Is(err, interp.ErrEnded), got.End == interp.Propose, got.End == interp.GiveUp:
		b.WriteString("Answer now, in the form you were asked for.")
		return b.String(), true
	case got.Output == "" && s.Err == nil:
		b.WriteString("The script printed nothing: give values to think(...). ")
	}
	fmt.Fprintf(&b, "%s: write another script, or answer.", lookups(i.left()))
	return b.String(), false
}

// functions are what scripts can call.
var functions = []string{"stop", "frames", "locals", "eval", "goroutines", "source", "typ", "find", "writers", "callers", "past"}

// RunScript runs one script of a person or an agent, and returns what it printed and
// what it ended with. The text is bounded and without secrets; an error in the
// script comes with its line.
func (t *Tools) RunScript(ctx context.Context, text string) (string, error) {
	in, err := interp.Start(ctx, interp.API{Names: functions, Call: t.scripted}, interp.Limits{})
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

// Past is a fix that helped at a stop before.
type Past struct {
	Title, Effect, Session, Diff string
	At                           time.Time
	Times                        int // how often it helped
}

// Recall has scripts look up fixes that helped: past returns those of a
// fingerprint, or of this stop where that is empty.
func (t *Tools) Recall(past func(ctx context.Context, fingerprint string) ([]Past, error)) {
	t.past = past
}

// pastObjects are the fixes that helped at a stop.
func (t *Tools) pastObjects(ctx context.Context, fingerprint string) (any, error) {
	list := []any{}
	if t.past == nil {
		return list, nil
	}
	fixes, err := t.past(ctx, fingerprint)
	if err != nil {
		return nil, t.clean(said(ctx, err))
	}
	for _, f := range fixes[:min(len(fixes), maxPast)] {
		list = append(list, map[string]any{"title": t.redact(f.Title), "effect": f.Effect, "session": f.Session,
			"at": f.At.Format(time.DateOnly), "times": f.Times, "diff": bound(t.redact(f.Diff))})
	}
	return list, nil
}

// maxPast is how many fixes scripts get to know.
const maxPast = 10

// answer answers a call of a script. Each is a step.
func (i *investigation) answer(ctx context.Context, name string, given []any) (any, error) {
	arguments := map[string]any{}
	for n, v := range given {
		arguments[fmt.Sprintf("arg%d", n+1)] = v
	}
	s := Step{Call: llm.Call{Name: name, Arguments: arguments}}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, i.limits.Step)
	defer cancel()
	value, err := i.tools.scripted(ctx, name, given)
	s.Took, s.Err = time.Since(began), err
	if err == nil {
		s.Result = bound(fmt.Sprint(value))
	}
	if i.onStep != nil {
		i.onStep(s)
	}
	return value, err
}

// scripted answers a call of a script: texts as the tools give them, and lists
// and dicts of what has parts.
func (t *Tools) scripted(ctx context.Context, name string, given []any) (any, error) {
	text := func(n int) string { s, _ := at(given, n).(string); return s }
	call := func(tool string, arguments map[string]any) (any, error) {
		if n, ok := at(given, 1).(float64); ok && tool == Eval {
			arguments["frame"] = int(n)
		}
		return t.bare(ctx, llm.Call{Name: tool, Arguments: arguments})
	}
	switch name {
	case "stop":
		return t.stopObject(), nil
	case "frames":
		return t.frameObjects(), nil
	case "locals":
		n, _ := at(given, 0).(float64)
		if at(given, 0) == nil {
			n = float64(t.home.Frame)
		}
		return t.locals(ctx, int(n))
	case "eval":
		return call(Eval, map[string]any{"expr": text(0)})
	case "goroutines":
		return call(Goroutines, map[string]any{"filter": text(0)})
	case "source":
		return call(Source, map[string]any{"of": text(0)})
	case "typ":
		return call(Type, map[string]any{"name": text(0)})
	case "find":
		return call(Find, map[string]any{"identifier": text(0)})
	case "writers":
		return t.uses(ctx, text(0), `\b%s\b(\[[^=]*\])?\s*(=[^=]|[-+*/%%|&^]=|\+\+|--|:=)|&[\w.]*\b%s\b|\b%s:`)
	case "past":
		return t.pastObjects(ctx, text(0))
	case "callers":
		return t.uses(ctx, text(0), `\b%s(\[[^\]]*\])?\(`)
	}
	return nil, fmt.Errorf("there is no function %q", name)
}

// bare is Call without a fence around the result: a script works on it.
func (t *Tools) bare(ctx context.Context, c llm.Call) (string, error) {
	if t.around != nil {
		return t.around(ctx, c, t.raw)
	}
	return t.raw(ctx, c)
}

func at(list []any, n int) any {
	if n < len(list) {
		return list[n]
	}
	return nil
}

// stopObject is the stop: class, message, goroutine, function, file, line, block, intent.
func (t *Tools) stopObject() map[string]any {
	s := t.c.Stop
	out := map[string]any{"goroutine": int64(s.Goroutine), "function": "", "file": "", "line": 0, "frame": t.home.Frame, "block": "", "intent": ""}
	if s.Panic != nil {
		out["kind"], out["message"] = string(s.Panic.Class), t.redact(s.Panic.Message)
	}
	if f, ok := culprit(s); ok {
		out["function"], out["file"], out["line"] = function(f.Function), t.files.short(f.File), f.Line
	}
	if s.Block != nil {
		out["block"], out["intent"] = t.redact(s.Block.ID), t.redact(s.Block.Intent)
	}
	return out
}

// frameObjects are the frames of the stop's goroutine, without the runtime's.
func (t *Tools) frameObjects() []any {
	list := []any{}
	for _, f := range t.c.Stop.Frames {
		if f.Runtime || len(list) == maxFrames {
			continue
		}
		list = append(list, map[string]any{"number": f.Index, "function": function(f.Function), "file": t.files.short(f.File), "line": f.Line, "user": f.User})
	}
	return list
}

// locals are the variables of a frame, as texts by their names.
func (t *Tools) locals(ctx context.Context, frame int) (any, error) {
	if t.c.Inspect == nil {
		return nil, debugger.ErrGone
	}
	ref := debugger.FrameRef{Goroutine: t.home.Goroutine, Frame: frame}
	if err := t.OwnFrame(ctx, ref); err != nil {
		return nil, err
	}
	f, err := t.c.Inspect.Load(ctx, ref)
	if err != nil {
		return nil, t.clean(said(ctx, err))
	}
	out := interp.Dict{}
	for _, v := range f.Variables() {
		out[v.Name] = bound(t.redact(prompts.Value(v)))
	}
	return out, nil
}

// uses are the lines with an identifier that match a pattern of it.
func (t *Tools) uses(ctx context.Context, name, pattern string) (any, error) {
	name = name[strings.LastIndex(name, ".")+1:]
	text, err := t.bare(ctx, llm.Call{Name: Find, Arguments: map[string]any{"identifier": name}})
	if err != nil {
		return nil, err
	}
	quoted := regexp.QuoteMeta(name)
	match, err := regexp.Compile(strings.ReplaceAll(strings.ReplaceAll(pattern, "%s", quoted), "%%", "%"))
	if err != nil {
		return nil, err
	}
	list := []any{}
	for line := range strings.Lines(text) {
		_, code, _ := strings.Cut(line, ": ")
		if match.MatchString(code) && !strings.HasPrefix(strings.TrimSpace(code), "func ") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list, nil
}
