// Package agent lets a model look around in a paused program: a fixed list of read-only
// tools in a bounded loop, and nothing else. Each iteration is an event.
//
// Whatever a model asks for, only these tools run: no command, no file outside
// the user's modules and the packages they are built with, no write, no call
// of a function in the target. What comes back is bounded, without secrets, and
// fenced as data.
package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
)

// The names of the tools.
const (
	Eval       = "eval"
	Source     = "source"
	Type       = "type"
	Stack      = "stack"
	Goroutines = "goroutines"
	Find       = "find"
)

// Tools are what a model may use at one stop. They are for one goroutine.
type Tools struct {
	c      evidence.Case
	redact func(string) string
	files  *files
	around Around
	past   func(ctx context.Context, fingerprint string) ([]Past, error)
	home   debugger.FrameRef // what eval means where nothing else is named
}

// Screen hides secrets; see prompts.Screen.
type Screen interface {
	Plain(text string) string
	Lines(file string) map[int]string
}

// New returns the tools for a stop. The screen takes secrets out of every result.
func New(c evidence.Case, screen Screen) *Tools {
	t := &Tools{c: c, redact: screen.Plain, files: newFiles(c, screen)}
	t.home = debugger.FrameRef{Goroutine: c.Stop.Goroutine}
	if f, ok := culprit(c.Stop); ok {
		t.home.Frame = f.Index
	}
	return t
}

// culprit is the frame that a stop is about.
func culprit(s debugger.Stop) (debugger.Frame, bool) {
	if s.Panic != nil && s.Panic.Culprit >= 0 && s.Panic.Culprit < len(s.Frames) {
		return s.Frames[s.Panic.Culprit], true
	}
	return s.SelectedFrame()
}

// tool is one entry of the list.
type tool struct {
	about  string
	params map[string]param
	run    func(t *Tools, ctx context.Context, a args) (string, error)
}

// param is an argument of a tool.
type param struct {
	kind     string // "string", "integer" or "boolean"
	about    string
	required bool
}

var allParam = param{"boolean", "true shows the runtime's calls, too", false}

var frameParam = param{"integer", "a frame's number as stack gives it; the frame that stopped when left out", false}

// list is all there is.
var list = map[string]tool{
	Eval: {"Reads a Go expression in the paused program: variables, fields, elements, slices (docs[8:16]), len, cap, conversions. Functions cannot be called and nothing can be assigned.",
		map[string]param{"expr": {"string", "the expression, as in idx.terms or len(docs)", true}, "frame": frameParam,
			"goroutine": {"integer", "a goroutine's number; the one that stopped when left out", false}}, (*Tools).eval},
	Source: {"Shows source: a whole function, method, type, variable or constant by its name, or lines of a file.",
		map[string]param{"of": {"string", "a name as in NewIndex, (*Index).Add, store.Open, or lines as in index.go:10-40", true}}, (*Tools).source},
	Type: {"Shows the definition of a type and the signatures of its methods.",
		map[string]param{"name": {"string", "the type's name, as in Index or store.Index", true}}, (*Tools).typ},
	Stack: {"Lists the calls of a goroutine, the innermost first, with the frame numbers that eval takes.",
		map[string]param{"all": allParam, "goroutine": {"integer", "a goroutine's number; the one that stopped when left out", false}}, (*Tools).stack},
	Goroutines: {"Lists the goroutines, grouped by where they are and what they wait for.",
		map[string]param{"filter": {"string", "keeps the groups whose text holds this; all when left out", false}}, (*Tools).goroutines},
	Find: {"Lists the lines of the program's own code that use an identifier.",
		map[string]param{"identifier": {"string", "one Go identifier, as in terms", true}}, (*Tools).find},
}

// List describes the tools to a model, in a fixed order.
func List() []llm.Tool {
	var out []llm.Tool
	for _, name := range []string{Eval, Source, Type, Stack, Goroutines, Find} {
		t := list[name]
		properties, required := map[string]any{}, []string{}
		for _, p := range slices.Sorted(maps.Keys(t.params)) {
			properties[p] = map[string]any{"type": t.params[p].kind, "description": t.params[p].about}
			if t.params[p].required {
				required = append(required, p)
			}
		}
		out = append(out, llm.Tool{Name: name, Description: t.about, Parameters: map[string]any{
			"type": "object", "properties": properties, "required": required, "additionalProperties": false}})
	}
	return out
}

// args are arguments that passed the check: strings, ints and bools.
type args map[string]any

func (a args) text(name string) string { s, _ := a[name].(string); return s }

func (a args) is(name string) bool { is, _ := a[name].(bool); return is }

// number returns an argument, or else its default.
func (a args) number(name string, otherwise int) int {
	if n, ok := a[name].(int); ok {
		return n
	}
	return otherwise
}

// maxArgument bounds a text that a model gives, in bytes.
const maxArgument = 400

// Around carries out a call with run, or does not, or changes what it gets or
// gives. Results are texts without a fence.
type Around func(ctx context.Context, c llm.Call, run func(context.Context, llm.Call) (string, error)) (string, error)

// Through has every lookup go through around, of tools and of scripts; nil changes
// nothing.
func (t *Tools) Through(around Around) { t.around = around }

// Pass carries out a lookup that other code answers, with run, through what every
// lookup goes through.
func (t *Tools) Pass(ctx context.Context, c llm.Call, run func(context.Context, llm.Call) (string, error)) (string, error) {
	if t.around != nil {
		return t.around(ctx, c, run)
	}
	return run(ctx, c)
}

// Call runs a tool for a model. The result is bounded, redacted and fenced; an
// error is meant for the model, too: it says what would have been right.
func (t *Tools) Call(ctx context.Context, c llm.Call) (string, error) {
	text, err := t.Pass(ctx, c, t.raw)
	if err != nil {
		return "", err
	}
	return prompts.Data(text), nil
}

// raw is the result without its fence.
func (t *Tools) raw(ctx context.Context, c llm.Call) (string, error) {
	use, ok := list[c.Name]
	if !ok {
		return "", fmt.Errorf("there is no tool %q; there are %s", shorten(c.Name), strings.Join(slices.Sorted(maps.Keys(list)), ", "))
	}
	a, err := check(use.params, c.Arguments)
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}
	text, err := use.run(t, ctx, a)
	if err != nil {
		return "", t.clean(fmt.Errorf("%s: %w", c.Name, said(ctx, err)))
	}
	return bound(t.redact(text)), nil
}

// said puts the reasons why nothing can be read into words.
func said(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, debugger.ErrRunning), errors.Is(err, debugger.ErrGone):
		return errors.New("the program is not paused at this stop any more: nothing can be read")
	case ctx.Err() != nil && errors.Is(err, context.DeadlineExceeded):
		return errors.New("it took too long")
	}
	return err
}

// clean makes an error fit to be sent: it may hold the program's own words.
func (t *Tools) clean(err error) error {
	return errors.New(shorten(t.redact(err.Error())))
}

// check holds arguments to a tool's list: none unknown, none missing, each of
// its kind.
func check(params map[string]param, given map[string]any) (args, error) {
	a := args{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := params[name]
		if !ok {
			return nil, fmt.Errorf("there is no argument %q; it takes %s", shorten(name), names(params))
		}
		value, err := p.read(given[name])
		if err != nil {
			return nil, fmt.Errorf("the argument %q %w", name, err)
		}
		if value != nil {
			a[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if _, ok := a[name]; params[name].required && !ok {
			return nil, fmt.Errorf("the argument %q is missing", name)
		}
	}
	return a, nil
}

func names(params map[string]param) string {
	return strings.Join(slices.Sorted(maps.Keys(params)), ", ")
}

// read takes a value as JSON gives it; null, and an empty text that is not
// required, are as if left out.
func (p param) read(v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch p.kind {
	case "boolean":
		if is, ok := v.(bool); ok {
			return is, nil
		}
		return nil, errors.New("must be true or false")
	case "string":
		s, ok := v.(string)
		s = strings.TrimSpace(s)
		switch {
		case !ok:
			return nil, errors.New("must be a text")
		case len(s) > maxArgument:
			return nil, fmt.Errorf("is longer than %d bytes", maxArgument)
		case s == "" && p.required:
			return nil, errors.New("is empty")
		case s == "":
			return nil, nil
		}
		return s, nil
	}
	switch n := v.(type) {
	case int:
		if n >= 0 {
			return n, nil
		}
	case float64:
		if n == math.Trunc(n) && n >= 0 && n <= math.MaxInt32 {
			return int(n), nil
		}
	}
	return nil, errors.New("must be a whole number that is not negative")
}

// Bounds of one result.
const (
	maxLines = 120
	maxBytes = 6 << 10
	maxLine  = 400 // bytes
)

// bound cuts a result to its limits, with a mark where something is missing.
func bound(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var b strings.Builder
	for i, l := range lines {
		l = shortLine(l)
		if i == maxLines || b.Len()+len(l) > maxBytes {
			fmt.Fprintf(&b, "[… %d lines left out; ask for a smaller part]", len(lines)-i)
			break
		}
		b.WriteString(l + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// shortLine bounds a line, with a mark.
func shortLine(l string) string {
	if len(l) <= maxLine {
		return l
	}
	return strings.ToValidUTF8(l[:maxLine], "") + fmt.Sprintf(" [… %d bytes left out]", len(l)-maxLine)
}

// shorten bounds words of a model that are quoted back to it.
func shorten(s string) string {
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "…"
	}
	return prompts.ManyLines(s)
}
