package script

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"

	"github.com/pausetui/pausetui/internal/reexec"
)

func init() {
	reexec.Register(helperName, func([]string) int { return help(os.Stdin, os.Stdout) })
}

// helper is the other side of an Interpreter, in its own process.
type helper struct {
	in      *bufio.Reader
	out     io.Writer
	limits  Limits
	globals starlark.StringDict
	printed strings.Builder
	ended   Result
}

// errDone ends a script that has said how to go on.
var errDone = errors.New("done")

// options let scripts be written as people write them.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// help runs scripts until its input ends.
func help(in io.Reader, out io.Writer) int {
	h := &helper{in: bufio.NewReader(in), out: out, globals: starlark.StringDict{"struct": starlark.NewBuiltin("struct", starlarkstruct.Make)}}
	var o order
	if !h.read(&o) {
		return 1
	}
	h.limits = o.Limits
	if err := limitMemory(o.Limits.Memory); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, name := range o.Names {
		h.globals[name] = starlark.NewBuiltin(name, h.call)
	}
	for _, end := range []End{Think, Propose, GiveUp} {
		h.globals[string(end)] = starlark.NewBuiltin(string(end), h.end)
	}
	for {
		var m message
		if !h.read(&m) || m.Run == nil {
			return 0
		}
		r := h.run(*m.Run)
		if !h.write(message{Result: &r}) {
			return 1
		}
	}
}

func (h *helper) run(text string) Result {
	h.printed.Reset()
	h.ended = Result{End: Think}
	thread := &starlark.Thread{Name: "script", Print: func(_ *starlark.Thread, text string) { h.print(text) }}
	thread.SetMaxExecutionSteps(h.limits.Steps)
	file, err := options.Parse("script", text, 0)
	if err == nil {
		err = starlark.ExecREPLChunk(file, thread, h.globals)
	}
	if err != nil && !errors.Is(err, errDone) {
		h.ended = Result{End: Think, Err: words(err)}
	}
	h.ended.Output = h.printed.String()
	return h.ended
}

// words are the error with the script's own lines.
func words(err error) string {
	var trace *starlark.EvalError
	if !errors.As(err, &trace) {
		return err.Error()
	}
	text := trace.Msg
	for i := len(trace.CallStack) - 1; i >= 0; i-- {
		if at := trace.CallStack[i].Pos; at.Filename() == "script" {
			return fmt.Sprintf("script:%d: %s", at.Line, text)
		}
	}
	return text
}

func (h *helper) print(text string) {
	left := h.limits.Output - h.printed.Len()
	switch {
	case left <= 0:
	case len(text) >= left:
		h.printed.WriteString(strings.ToValidUTF8(text[:left], "") + "\n[… more output left out]\n")
	default:
		h.printed.WriteString(text + "\n")
	}
}

// end ends the script with think, propose or give_up.
func (h *helper) end(_ *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var parts []string
	for _, a := range args {
		parts = append(parts, text(a))
	}
	for _, kv := range kwargs {
		parts = append(parts, text(kv[0])+" = "+text(kv[1]))
	}
	h.ended.End = End(fn.Name())
	if h.ended.End == Think {
		h.print(strings.Join(parts, "\n"))
	} else {
		h.ended.Words = strings.ToValidUTF8(strings.Join(parts, " "), "")
		h.ended.Words = h.ended.Words[:min(len(h.ended.Words), h.limits.Output)]
	}
	return nil, errDone
}

func text(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

// call has the other side answer a function.
func (h *helper) call(_ *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("%s: give the arguments without names", fn.Name())
	}
	c := &calling{Name: fn.Name(), Args: []any{}}
	for i, a := range args {
		v, err := plain(a)
		if err != nil {
			return nil, fmt.Errorf("%s: argument %d: %w", fn.Name(), i+1, err)
		}
		c.Args = append(c.Args, v)
	}
	var m message
	if !h.write(message{Call: c}) || !h.read(&m) || m.Answer == nil {
		return nil, errors.New("the session has ended")
	}
	if m.Answer.Err != "" {
		return nil, errors.New(m.Answer.Err)
	}
	return value(m.Answer.Value), nil
}

// plain is an argument as JSON.
func plain(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
	}
	return nil, fmt.Errorf("want a text, a number or a bool, not a %s", v.Type())
}

// value is an answer as a value of the script.
func value(v any) starlark.Value {
	switch v := v.(type) {
	case bool:
		return starlark.Bool(v)
	case string:
		return starlark.String(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return starlark.MakeInt64(int64(v))
		}
		return starlark.Float(v)
	case []any:
		list := make([]starlark.Value, len(v))
		for i, e := range v {
			list[i] = value(e)
		}
		return starlark.NewList(list)
	case map[string]any:
		return object(v)
	}
	return starlark.None
}

func object(v map[string]any) starlark.Value {
	if inner, ok := v[dictKey].(map[string]any); ok && len(v) == 1 {
		d := starlark.NewDict(len(inner))
		names := make([]string, 0, len(inner))
		for name := range inner {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			_ = d.SetKey(starlark.String(name), value(inner[name])) // a new dict takes any text
		}
		return d
	}
	fields := starlark.StringDict{}
	for name, e := range v {
		fields[name] = value(e)
	}
	return starlarkstruct.FromStringDict(starlarkstruct.Default, fields)
}

func (h *helper) read(v any) bool {
	line, err := readLine(h.in)
	return err == nil && json.Unmarshal(line, v) == nil
}

func (h *helper) write(v any) bool {
	line, err := json.Marshal(v)
	if err != nil {
		return false
	}
	_, err = h.out.Write(append(line, '\n'))
	return err == nil
}
