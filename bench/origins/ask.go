package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/runner"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// limit bounds one case.
const limit = 2 * time.Minute

// ask asks for the history of the value to blame where a case stops.
func ask(ctx context.Context, c *bench.Case) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	static, why, err := stopped(ctx, c)
	if err != nil {
		a.sentence = err.Error()
	}
	place, number, _ := strings.Cut(static, ":")
	line, _ := strconv.Atoi(number)
	want := bench.Outermost(c.FixedIn())
	a.source = c.Declares(place, line)
	a.right.source = a.source == want
	if why == nil || why.History == nil {
		return a
	}
	h := why.History
	a.reached, a.sentence, a.lines = true, h.Sentence(), why.Lines
	for i, r := range h.Rows {
		name := c.Declares(r.File, r.Line)
		a.listed = a.listed || name == want
		if i == h.Origin {
			a.history, a.gave = name, !h.Copied && r.Kind != "given"
			a.right.history = name == want
		}
	}
	return a
}

// stopped runs a case to its stop. It returns where the source says that the value is from,
// and the answer to why.
func stopped(ctx context.Context, c *bench.Case) (static string, why *session.Evaluated, err error) {
	dir, err := os.MkdirTemp("", "pausetui-origins-")
	if err != nil {
		return static, nil, err
	}
	defer os.RemoveAll(dir)
	module := filepath.Join(dir, "module")
	if err := c.Layout(module); err != nil {
		return static, nil, err
	}
	o := options.Session{Actor: "bench", Fixes: options.Fixes{AskAtOnce: true}}
	o.Target.Headless, o.Log.Dir = true, filepath.Join(dir, "log")
	runner.SetTarget(&o.Target, c, module)
	e, err := engine.New(ctx, o)
	if err != nil {
		return static, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	static, why, err = follow(ctx, e)
	e.Do(intent.Quit{Outcome: "measured"})
	return static, why, errors.Join(err, <-ended)
}

// follow asks for the history when the program has stopped.
func follow(ctx context.Context, e *engine.Engine) (static string, why *session.Evaluated, err error) {
	state, version := session.NewState(), uint64(0)
	asked := false
	for {
		u, err := e.Wait(ctx, state.Seq, version)
		if errors.Is(err, io.EOF) {
			return static, nil, errors.New("the session ended early")
		} else if err != nil {
			return static, nil, err
		}
		version = u.Live.Version
		for _, event := range u.Events {
			state = state.Apply(event)
			switch b := event.Body.(type) {
			case *session.Diagnosed:
				if static == "" && b.Diagnosis.Observed == "" {
					static = b.Diagnosis.Origin
				}
			case *session.Evaluated:
				if b.Err != "" {
					err = errors.New(b.Err)
				}
				return static, b, err
			}
		}
		stop, stopped := state.CurrentStop()
		switch {
		case stopped && state.Phase == session.PhaseExited:
			return static, nil, errors.New("the program exited")
		case stopped && !asked && stop.Stop.Crashed() && len(state.Requests) > 0 && len(state.Pendings()) == 0:
			asked = true
			e.Do(intent.Evaluate{Input: "why", At: debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: stop.Stop.Selected}})
		}
	}
}
