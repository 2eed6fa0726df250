package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	interp "github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

// scriptFunction is what scripts can call. Hooks and the log know a call by the name of
// its tool, and its arguments by their names.
type scriptFunction struct {
	name   string
	params []string // names of the arguments, in their order
	tool   string   // that answers with a text; its parameters are the tool's
	takes  map[string]param
	value  func(t *Tools, ctx context.Context, a args) (any, error) // where no tool answers
}

// typeArguments is what may stand between a generic function and its
// parentheses in a line of source, where an index could stand as well.
const typeArguments = `\[(?:[^][]|\[(?:[^][]|\[[^][]*\])*\])*\]`

// functions are all that scripts can call, in the order of docs/prompts.md.
var functions = []scriptFunction{
	{name: "stop", value: func(t *Tools, _ context.Context, _ args) (any, error) { return t.stopObject(), nil }},
	{name: "frames", params: []string{"all"}, takes: map[string]param{"all": allParam},
		value: func(t *Tools, _ context.Context, a args) (any, error) { return t.frameObjects(a.is("all")), nil }},
	{name: "locals", params: []string{"frame"}, takes: map[string]param{"frame": frameParam}, value: (*Tools).locals},
	{name: "eval", params: []string{"expr", "frame"}, tool: Eval},
	{name: "goroutines", params: []string{"filter"}, tool: Goroutines},
	{name: "source", params: []string{"of"}, tool: Source},
	{name: "typ", params: []string{"name"}, tool: Type},
	{name: "find", params: []string{"identifier"}, takes: list[Find].params, value: func(t *Tools, ctx context.Context, a args) (any, error) {
		return t.linesWith(ctx, a.text("identifier"), "")
	}},
	{name: "writers", params: []string{"field"}, takes: map[string]param{"field": {"string", "a field, variable or key", true}}, value: func(t *Tools, ctx context.Context, a args) (any, error) {
		return t.linesWith(ctx, a.text("field"), `\b%s\b(\[[^=]*\])?\s*(=[^=]|[-+*/%|&^]=|\+\+|--|:=)|&[\w.]*\b%s\b|\b%s:`)
	}},
	{name: "callers", params: []string{"function"}, takes: map[string]param{"function": {"string", "a function or method", true}}, value: func(t *Tools, ctx context.Context, a args) (any, error) {
		return t.linesWith(ctx, a.text("function"), `\b%s(`+typeArguments+`)?\(`)
	}},
	{name: "past", params: []string{"fingerprint"}, takes: map[string]param{"fingerprint": {"string", "of a stop; of this one when left out", false}},
		value: func(t *Tools, ctx context.Context, a args) (any, error) {
			return t.pastObjects(ctx, a.text("fingerprint"))
		}},
}

func functionNames() (names []string) {
	for _, f := range functions {
		names = append(names, f.name)
	}
	return names
}

// scriptCall is a call of a script as a call of a tool: with named arguments.
func scriptCall(name string, given []any) (llm.Call, error) {
	c := llm.Call{Name: name, Arguments: map[string]any{}}
	for _, f := range functions {
		if f.name != name {
			continue
		}
		if f.tool != "" {
			c.Name = f.tool
		}
		for n, v := range given {
			if n == len(f.params) {
				return c, fmt.Errorf("%s takes at most %d arguments: %s", name, len(f.params), strings.Join(f.params, ", "))
			}
			c.Arguments[f.params[n]] = v
		}
		return c, nil
	}
	return c, fmt.Errorf("there is no function %q", name)
}

// scripted answers a call of a script.
func (t *Tools) scripted(ctx context.Context, name string, given []any) (any, error) {
	c, err := scriptCall(name, given)
	if err != nil {
		return nil, err
	}
	return t.value(ctx, c)
}

// value looks something up for a script: texts as the tools give them, and lists
// and objects of what has parts.
func (t *Tools) value(ctx context.Context, c llm.Call) (any, error) {
	var value any
	var before string
	after, err := t.Pass(ctx, c, func(ctx context.Context, c llm.Call) (text string, err error) {
		value, err = t.answered(ctx, c)
		if err != nil {
			return "", err
		}
		before = textOf(value)
		return before, nil
	})
	if err != nil || after == before {
		return value, err
	}
	return replaced(value, after), nil
}

func (t *Tools) answered(ctx context.Context, c llm.Call) (any, error) {
	for _, f := range functions {
		if f.name != c.Name || f.tool != "" {
			continue
		}
		a, err := check(f.takes, c.Arguments)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		value, err := f.value(t, ctx, a)
		if err != nil {
			return nil, t.clean(fmt.Errorf("%s: %w", f.name, said(ctx, err)))
		}
		return value, nil
	}
	return t.raw(ctx, c)
}

// textOf is a value of a script as hooks and the log have it: a text, a line for each of a
// list of lines, or JSON.
func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case lines:
		return strings.Join(v, "\n")
	case interp.Dict:
		value = map[string]any(v)
	}
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// replaced is the value that a script gets where a hook put another text in the place of
// textOf. What is no value of that kind is a text for the script, too.
func replaced(value any, text string) any {
	switch value.(type) {
	case lines:
		return lines(strings.Split(strings.TrimRight(text, "\n"), "\n"))
	case string:
		return text
	}
	var next any
	if err := json.Unmarshal([]byte(text), &next); err != nil {
		return text
	}
	if object, ok := next.(map[string]any); ok {
		if _, dict := value.(interp.Dict); dict {
			return interp.Dict(object)
		}
	}
	return next
}

// lines are lines of source, each with its place.
type lines []string

// linesWith are the lines with an identifier whose code matches a pattern of it,
// all without one; declarations of functions neither write nor call. The lines
// are matched before they are counted: what a bound leaves out is said.
func (t *Tools) linesWith(ctx context.Context, name, pattern string) (any, error) {
	name = debugger.WithoutTypeArguments(name)
	all, err := t.usesOf(ctx, name)
	if err != nil {
		return nil, err
	}
	if pattern != "" {
		name = name[strings.LastIndex(name, ".")+1:]
		match, err := regexp.Compile(strings.ReplaceAll(pattern, "%s", regexp.QuoteMeta(name)))
		if err != nil {
			return nil, err
		}
		var left []use
		for _, u := range all {
			if match.MatchString(u.code) && !strings.HasPrefix(u.code, "func ") {
				left = append(left, u)
			}
		}
		all = left
	}
	if len(all) == 0 {
		return lines{}, nil
	}
	out := lines(strings.Split(strings.TrimRight(t.redact(listed(all)), "\n"), "\n"))
	for i, l := range out {
		out[i] = shortLine(l)
	}
	return out, nil
}

// stopObject is the stop: class, message, fingerprint, goroutine, function, file,
// line, block, intent.
func (t *Tools) stopObject() map[string]any {
	s := t.c.Stop
	out := map[string]any{"goroutine": int64(s.Goroutine), "function": "", "file": "", "line": 0, "frame": t.home.Frame, "block": "", "intent": "",
		"kind": string(s.Reason), "message": "", "fingerprint": ""}
	if s.Panic != nil {
		out["kind"], out["message"], out["fingerprint"] = string(s.Panic.Class), t.redact(s.Panic.Message), s.Panic.Fingerprint
	}
	if f, ok := culprit(s); ok {
		out["function"], out["file"], out["line"] = function(f.Function), t.files.short(f.File), f.Line
	}
	if s.Block != nil {
		out["block"], out["intent"] = t.redact(s.Block.ID), t.redact(s.Block.Intent)
	}
	return out
}

// frameObjects are the frames of the stop's goroutine, without the runtime's unless
// all are asked for.
func (t *Tools) frameObjects(all bool) []any {
	list := []any{}
	for _, f := range t.c.Stop.Frames {
		if f.Runtime && !all || len(list) == maxFrames {
			continue
		}
		list = append(list, map[string]any{"number": f.Index, "function": function(f.Function), "file": t.files.short(f.File), "line": f.Line, "user": f.User})
	}
	return list
}

// locals are the variables of a frame, as texts by their names.
func (t *Tools) locals(ctx context.Context, a args) (any, error) {
	if t.c.Inspect == nil {
		return nil, debugger.ErrGone
	}
	ref := debugger.FrameRef{Goroutine: t.home.Goroutine, Frame: a.number("frame", t.home.Frame)}
	if err := t.OwnFrame(ctx, ref); err != nil {
		return nil, err
	}
	f, err := t.c.Inspect.Load(ctx, ref)
	if err != nil {
		return nil, err
	}
	out := interp.Dict{}
	for _, v := range f.Variables() {
		out[v.Name] = bound(t.redact(prompts.Value(v)))
	}
	return out, nil
}
