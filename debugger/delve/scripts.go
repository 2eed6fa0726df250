package delve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-delve/delve/pkg/terminal/starbind"
	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Scripts runs Starlark scripts as dlv does, one at a time. What they define
// stays for those after them, and survives a restart of the target.
type Scripts struct {
	current func() (*Target, error)
	env     *starbind.Env

	// of the script or command that runs
	ctx  context.Context
	host debugger.ScriptHost
}

// universe guards what starbind puts into Starlark's universe.
var universe sync.Mutex

// NewScripts returns an environment for scripts on whatever target is current.
func NewScripts(current func() (*Target, error)) *Scripts {
	s := &Scripts{current: current, ctx: context.Background(), host: debugger.ScriptHost{Out: io.Discard}}
	universe.Lock()
	defer universe.Unlock()
	s.env = starbind.New(scriptContext{s}, scriptOutput{s})
	return s
}

// Execute runs a script; main is called if it defines one. ctx ends it.
func (s *Scripts) Execute(ctx context.Context, path string, host debugger.ScriptHost) error {
	return s.with(ctx, host, func() error {
		_, err := s.env.Execute(path, nil, "main", nil)
		return err
	})
}

// with runs fn with a host. A script calls commands that were made by scripts:
// then one is within another.
func (s *Scripts) with(ctx context.Context, host debugger.ScriptHost, fn func() error) (err error) {
	outerCtx, outer := s.ctx, s.host
	s.ctx, s.host = ctx, host
	stop := context.AfterFunc(ctx, s.env.Cancel)
	memory := boundMemory(scriptMemory, s.env.Cancel)
	defer func() {
		stop()
		if memory.end() {
			err = errScriptMemory
		}
		s.ctx, s.host = outerCtx, outer
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("the script has failed: %v", trouble)
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := fn(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	return nil
}

// scriptOutput is where scripts print to now.
type scriptOutput struct{ *Scripts }

func (o scriptOutput) Write(p []byte) (int, error) { return o.host.Out.Write(p) }

// Echo implements starbind.EchoWriter, for the prompt that there is not here.
func (o scriptOutput) Echo(string) {}

// Flush implements starbind.EchoWriter.
func (o scriptOutput) Flush() {}

// scriptContext is what starbind asks for.
type scriptContext struct{ *Scripts }

var _ starbind.Context = scriptContext{}

func (c scriptContext) Client() service.Client { return scriptClient{Scripts: c.Scripts} }

func (c scriptContext) RegisterCommand(name, help string, fn func(args string) error, _ int) {
	c.host.Register(name, help, func(ctx context.Context, host debugger.ScriptHost, args string) error {
		return c.with(ctx, host, func() error { return fn(args) })
	})
}

func (c scriptContext) CallCommand(line string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	return c.host.Call(line)
}

func (c scriptContext) Scope() api.EvalScope { return ask.Inner(c.host.Scope()) }

// LoadConfig is dlv's own default.
func (c scriptContext) LoadConfig() api.LoadConfig {
	return api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStringLen: 64, MaxArrayValues: 64, MaxStructFields: -1}
}

// scriptClient is as much of a client as the generated code calls; the embedded
// interface is nil.
type scriptClient struct {
	service.Client
	*Scripts
}

// EvalVariable evaluates "tgt.x".
func (c scriptClient) EvalVariable(scope api.EvalScope, symbol string, cfg api.LoadConfig) (*api.Variable, error) {
	var out rpc2.EvalOut
	if err := c.CallAPI("Eval", &rpc2.EvalIn{Scope: scope, Expr: symbol, Cfg: &cfg}, &out); err != nil {
		return nil, err
	}
	return out.Variable, nil
}

// scriptMoves are the commands of the line that let the target run, by Delve's names.
var scriptMoves = map[string]string{
	api.Continue: "continue", api.Next: "next", api.Step: "step", api.StepOut: "stepout", api.StepInstruction: "step-instruction",
	api.NextInstruction: "next-instruction", api.Rewind: "rewind", api.ReverseNext: "rev next", api.ReverseStep: "rev step",
	api.ReverseStepOut: "rev stepout", api.ReverseStepInstruction: "rev step-instruction", api.ReverseNextInstruction: "rev next-instruction",
}

// CallAPI calls a method of the server. What lets the target run goes by the
// command line, so that the frontends learn of it.
func (c scriptClient) CallAPI(method string, args, reply any) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	switch method {
	case "Detach", "Restart", "StopRecording":
		return fmt.Errorf("%s is not for scripts: dlv_command(\"restart\") and dlv_command(\"exit\") are", method)
	case "Command":
		if command, ok := args.(*api.DebuggerCommand); ok {
			if done, err := c.command(command, reply); done {
				return err
			}
		}
	}
	t, err := c.current()
	if err != nil {
		return err
	}
	if err := c.toDelves(args); err != nil {
		return err
	}
	err = t.srv.Do(c.ctx, func(ctx context.Context) error {
		pending := t.srv.Client.Go(method, args, reply)
		select {
		case done := <-pending.Done:
			return rpc.CallError(done.Error)
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		return err
	}
	if err := t.srv.Client.Absent.Mark(args, reply); err != nil {
		return err
	}
	return c.toLists(t, args, reply)
}

// command carries out a motion; done is false for what is none.
func (c scriptClient) command(command *api.DebuggerCommand, reply any) (done bool, err error) {
	line, ok := scriptMoves[command.Name]
	if command.Name == api.Call {
		line, ok = "call "+command.Expr, true
	}
	if !ok {
		return false, nil
	}
	if err := c.host.Call(line); err != nil {
		return true, err
	}
	out, ok := reply.(*rpc2.CommandOut)
	if !ok {
		return true, errors.New("an answer of another kind was expected")
	}
	var state rpc2.StateOut
	if err := c.CallAPI("State", &rpc2.StateIn{}, &state); err != nil {
		return true, err
	}
	out.State = *state.State
	return true, nil
}
