package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/aside"
)

// rerunTo is the tool that looks at an earlier moment, in a run of its own.
const rerunTo = "rerun_to"

// Bounds of one such run.
const (
	maxAsideValues = 12
	maxAsideTimes  = 20
	maxAsideText   = 24 << 10 // bytes
)

func rerunToTool() Tool {
	text := func(about string) map[string]any { return map[string]any{"type": "string", "description": about} }
	number := func(about string) map[string]any {
		return map[string]any{"type": "integer", "minimum": 0, "description": about}
	}
	return Tool{rerunTo, "Runs the program once more in the sandbox, beside the paused one, to a place before its crash, and reads values there: what was so earlier. The paused program is not touched.",
		map[string]any{"type": "object", "required": []string{"place", "values"}, "additionalProperties": false, "properties": map[string]any{
			"place":     text("a line at which a statement begins, as index.go:12, or a function, as (*Index).Add: values are read before it"),
			"condition": text("a Go expression of that place, without calls; reads only where it is true"),
			"values":    map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": "Go expressions of that place, without calls"},
			"skip":      number("how many such moments to pass over"),
			"times":     number("how many such moments to read; 1 when left out, at most 20"),
		}}}
}

// errAside is returned to an agent that wants several runs at once.
var errAside = errors.New("another run is under way: one at a time")

// rerunTo carries the tool out: see verify.Verifier.Aside. One run at a time.
func (e *Engine) rerunTo(ctx context.Context, screen *prompts.Screen, tools *agent.Tools, arguments map[string]any) (string, error) {
	var in struct {
		Place, Condition string
		Values           []string
		Skip, Times      int
	}
	data, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil || in.Place == "" {
		return "", errors.New("the arguments are place, values, condition, skip and times, as the tool's schema says; place and values are needed")
	}
	if len(in.Values) == 0 || len(in.Values) > maxAsideValues {
		return "", fmt.Errorf("%d values: want 1 to %d", len(in.Values), maxAsideValues)
	}
	for _, expr := range append([]string{in.Condition}, in.Values...) {
		if expr == "" {
			continue
		}
		if err := e.Unseen(expr); err != nil {
			return "", errors.New(screen.Plain(err.Error()))
		}
	}
	look := aside.Look{Cond: in.Condition, Values: in.Values, Skip: max(in.Skip, 0), Times: min(max(in.Times, 1), maxAsideTimes)}
	if look.File, look.Line, err = tools.Place(in.Place); err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	if !e.loop.Workspace.Owns(look.File) {
		return "", fmt.Errorf("%q is not the program's own code", in.Place)
	}
	v, err := e.verifierNow(ctx)
	if err != nil {
		return "", err
	}
	if !e.asideMu.TryLock() {
		return "", errAside
	}
	defer e.asideMu.Unlock()
	got, ended, err := v.Aside(ctx, look)
	if err == nil {
		err = undecided(ctx, screen, look, got)
	}
	if err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	return screen.Plain(asideText(ctx, screen, look, got.Rows, ended)), nil
}

// verifierNow is what proves fixes of the crash that the program is held at.
func (e *Engine) verifierNow(ctx context.Context) (*verify.Verifier, error) {
	got := make(chan *verify.Verifier, 1)
	e.loop.Post(func() {
		if e.proofs.Open == nil {
			got <- nil
			return
		}
		got <- e.proofs.Open.Verifier
	})
	select {
	case v := <-got:
		if v == nil {
			return nil, advice.Add(errors.New("the program is not held at a crash that runs again"), "in a session of your own, restart runs it to a breakpoint")
		}
		return v, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// asideText is what such a run has read, without secrets.
func asideText(ctx context.Context, screen *prompts.Screen, l aside.Look, rows []aside.Row, ended string) string {
	var b strings.Builder
	for i, row := range rows {
		if b.Len() > maxAsideText {
			fmt.Fprintf(&b, "[… %d more moments; ask for fewer values]\n", len(rows)-i)
			break
		}
		fmt.Fprintf(&b, "moment %d\n", l.Skip+i+1)
		for _, v := range row.Values {
			shown, _ := screen.Parts(v.Expr, guardedValue(ctx, screen, v, row.Parts))
			fmt.Fprintf(&b, "%s = %s\n", prompts.OneLine(v.Expr), prompts.Value(shown[0]))
		}
	}
	if ended != "" {
		fmt.Fprintf(&b, "%d of %d moments: then %s\n", len(rows), l.Times, ended)
	}
	return b.String()
}

// guardedValue is a value that was read beside, hidden where it is taken from a secret: parts
// are what its expression is made of.
func guardedValue(ctx context.Context, screen *prompts.Screen, v debugger.Variable, parts map[string]debugger.Variable) debugger.Variable {
	known := maps.Clone(parts)
	if known == nil {
		known = map[string]debugger.Variable{}
	}
	known[v.Expr] = v
	guarded := screen.Guarded(evidence.Case{Inspect: readBeside{known: known}})
	shown, err := guarded.Inspect.Evaluate(ctx, debugger.FrameRef{}, v.Expr)
	if err != nil {
		shown = debugger.Variable{Unreadable: err.Error()}
	}
	shown.Name, shown.Expr = v.Expr, v.Expr
	return shown
}

// undecided refuses what was read where a secret may have decided which moments were.
func undecided(ctx context.Context, screen *prompts.Screen, l aside.Look, got aside.Read) error {
	if got.Many {
		return advice.Add(errors.New("the condition looks at too many different values"), "ask for moments by a number, or with skip")
	}
	holds := debugger.Variable{Expr: l.Cond, Type: "bool", Kind: reflect.Bool, Value: "true"}
	for _, parts := range got.Decided {
		if guardedValue(ctx, screen, holds, parts).Value != holds.Value {
			return errors.New("the condition looks at a secret: no moment may depend on one")
		}
	}
	return nil
}

// readBeside is an inspector of what a run beside the paused program has read at a moment.
type readBeside struct {
	debugger.Inspector
	known map[string]debugger.Variable // by expression
}

// Evaluate implements debugger.Inspector.
func (r readBeside) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	v, ok := r.known[expr]
	switch {
	case !ok:
		return v, errNotRead
	case v.Unreadable != "":
		return v, errors.New(v.Unreadable)
	}
	return v, nil
}

var errNotRead = errors.New("it was not read")
