package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// Tool is a way for an agent outside of pausetui to look at the paused program.
type Tool struct {
	Name, About string
	Parameters  map[string]any // a JSON schema
}

// values is the tool that the models of pausetui do not need: their prompts
// hold what it tells.
const values = "values"

// Tools lists the tools that an agent outside may use: those of our models. They
// read, and nothing else.
func Tools() []Tool {
	whole := map[string]any{"type": "integer", "minimum": 0}
	list := []Tool{{values, "Lists the arguments and local variables of a frame with their types and values.",
		map[string]any{"type": "object", "properties": map[string]any{"frame": whole, "goroutine": whole}, "additionalProperties": false}}}
	for _, t := range agent.List() {
		list = append(list, Tool{t.Name, t.Description, t.Parameters})
	}
	list = append(list, rerunToTool(), historyTool())
	return append(list, Tool{agent.Script, "Runs a Starlark script that looks at the paused program, and returns what it prints: many lookups in one call. " +
		"Functions: stop(), frames(), locals(frame), eval(expr, frame), goroutines(filter), source(name), typ(name), find(name), writers(field), callers(function), past(fingerprint).",
		map[string]any{"type": "object", "properties": map[string]any{agent.ScriptCode: map[string]any{"type": "string", "description": "as in: for f in frames(): print(f.function, locals(f.number))"}},
			"required": []string{agent.ScriptCode}, "additionalProperties": false}})
}

// agentModel is what hooks know an agent outside by: which model it has is not known.
const agentModel = "agent"

// UseTool runs one of Tools at the current stop. The result is bounded, without
// secrets, and fenced as data; an error says what would have been right. An agent is a
// model: its lookups go through the hooks.
func (e *Engine) UseTool(ctx context.Context, name string, arguments map[string]any) (string, error) {
	c, err := e.caseNow(ctx)
	if err != nil {
		return "", err
	}
	screen, tools := e.outside(), e.outsideTools(c)
	tools.Through(e.hooked.Around("", agentModel, screen))
	var text string
	switch call := (llm.Call{Name: name, Arguments: arguments}); name {
	case values:
		text, err = tools.Pass(ctx, call, func(ctx context.Context, call llm.Call) (string, error) {
			return listValues(ctx, screen, screen.Guarded(c), call.Arguments)
		})
	case rerunTo:
		text, err = tools.Pass(ctx, call, func(ctx context.Context, call llm.Call) (string, error) {
			return e.rerunTo(ctx, screen, tools, call.Arguments)
		})
	case historyOf:
		text, err = tools.Pass(ctx, call, func(ctx context.Context, call llm.Call) (string, error) {
			return e.historyFor(ctx, screen, c, call.Arguments)
		})
	case agent.Script:
		code, _ := arguments[agent.ScriptCode].(string)
		text, err = tools.RunScript(ctx, code, e.loop.ScriptLimits())
	default:
		return tools.Call(ctx, call)
	}
	if err != nil {
		return "", err
	}
	return prompts.Data(text), nil
}

// outsideTools look around at a stop for those who may be elsewhere.
func (e *Engine) outsideTools(c evidence.Case) *agent.Tools {
	screen := e.outside()
	tools := agent.New(screen.Guarded(c), screen)
	tools.Recall(ask.PastFixes(e.loop, c.Stop))
	return tools
}

// Screened takes secrets out of a text that goes to an agent outside.
func (e *Engine) Screened(text string) string { return e.outside().Plain(text) }

// ScreenedStop hides the values of a stop that such an agent is not to see.
func (e *Engine) ScreenedStop(stop debugger.Stop) debugger.Stop { return e.outside().Stop(stop) }

// Unseen says why an agent outside may not have an expression evaluated where not its value
// is seen, but what depends on it: as the condition of a breakpoint, it would tell a
// secret bit by bit. Nothing is known of the values there, so names decide.
func (e *Engine) Unseen(expr string) error {
	if err := agent.ReadOnly(expr); err != nil {
		return err
	}
	if name, secret := e.outside().Names(expr); secret {
		return fmt.Errorf("%s goes by the name of a secret: no condition may depend on it", name)
	}
	return nil
}

// caseNow is the current stop as a proposer sees it.
func (e *Engine) caseNow(ctx context.Context) (evidence.Case, error) {
	type answer struct {
		c    evidence.Case
		code *program.Code
		err  error
	}
	got := make(chan answer, 1)
	e.loop.Post(func() {
		stop, ok := e.State().CurrentStop()
		if !ok || stop.Stop.Ended() {
			got <- answer{err: errors.New("the program is not paused")}
			return
		}
		a := answer{c: evidence.Case{Stop: stop.Stop, Inspect: e.inspection.HeldInspector(), Workspace: e.loop.Workspace}, code: e.program.Code}
		if stop.Diagnosis != nil {
			a.c.Diagnosis = *stop.Diagnosis
		}
		got <- a
	})
	select {
	case a := <-got:
		if a.err != nil || a.code == nil {
			return a.c, a.err
		}
		err := a.code.Wait(ctx)
		if err == nil {
			a.c.Code = a.code.Code
		}
		return a.c, err
	case <-ctx.Done():
		return evidence.Case{}, ctx.Err()
	}
}

// outside is what hides secrets from agents outside: they may run anywhere.
func (e *Engine) outside() *prompts.Screen {
	e.outsideOnce.Do(func() {
		e.outsideScreen = prompts.NewScreen(redact.New(e.loop.Opts.Privacy.Redact, slices.Concat(os.Environ(), e.loop.Opts.Target.Env)))
	})
	return e.outsideScreen
}

const maxListed = 200 // variables

func listValues(ctx context.Context, screen *prompts.Screen, c evidence.Case, arguments map[string]any) (string, error) {
	at := debugger.FrameRef{Goroutine: c.Stop.Goroutine}
	if f, ok := c.Stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	for name, value := range arguments {
		n, ok := value.(float64)
		switch {
		case !ok || n < 0 || n > 1<<31:
			return "", fmt.Errorf("%s must be a whole number that is not negative", name)
		case name == "frame":
			at.Frame = int(n)
		case name == "goroutine":
			at.Goroutine, at.Frame = debugger.GoroutineID(n), int(number(arguments["frame"]))
		}
	}
	if err := agent.New(c, screen).OwnFrame(ctx, at); err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	f, err := c.Inspect.Load(ctx, at)
	if err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "frame %d: %s, line %d\n", f.Index, f.Function, f.Line)
	for i, v := range f.Variables() {
		if i == maxListed {
			b.WriteString("[… more variables; eval reads one by its name]\n")
			break
		}
		fmt.Fprintf(&b, "%s %s = %s\n", v.Name, v.Type, prompts.Value(v))
	}
	return screen.Plain(b.String()), nil
}

func number(v any) float64 { n, _ := v.(float64); return n }

// ScreenedCode hides what an agent outside is not to see of the answer to disassemble.
func (e *Engine) ScreenedCode(answer session.Evaluated) session.Evaluated {
	lines, left := answer.All()
	answer.Lines, answer.Left, answer.Whole = hide.Code(e.outside(), lines), left, nil
	return answer
}
