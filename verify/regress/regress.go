// Package regress makes Go tests from the values of a stop: each calls a function
// on the stack the way it was called when the target panicked, so that it fails
// until the fault is fixed.
//
// It only offers tests. Whether one fails without a candidate and passes with it
// is found out by package verify. Values that cannot be made again in Go source
// are refused with the reason, never guessed. It writes no files.
package regress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// Run is how the target was run.
type Run struct {
	Args []string
	Env  []string // K=V that the person added to the environment
	Dir  string   // working directory, absolute; empty when not known
	// Stdin is the path of the file given as standard input; empty for a terminal.
	Stdin string
	Typed string // what was typed into the terminal; raw
	Test  bool   // the target is a package's tests
	// ForeignArgs: an agent or a guest has chosen Args. What is in a file outside of the
	// modules that they name becomes part of no test.
	ForeignArgs bool
}

// Bounds of one stop.
const (
	maxTests  = 4   // besides that of main
	maxFrames = 200 // of the stack, that are looked at
	maxTime   = 2 * time.Second
)

// Make makes regression tests from the values of a stop, the one that calls the
// innermost function first. Without any, the error says why there is none. It reads the paused
// target for two seconds at most; when the target goes on meanwhile, what was
// made up to then is returned.
func Make(ctx context.Context, c evidence.Case, run Run) ([]patch.RegressionTest, error) {
	if err := possible(c); err != nil {
		return nil, err
	}
	m := makeAll(ctx, c, run)
	if len(m.tests) > 0 {
		return m.tests, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, errors.New(m.why())
}

func makeAll(ctx context.Context, c evidence.Case, run Run) *maker {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	m := &maker{ctx: ctx, c: c, run: run, done: map[string]bool{}, names: map[string]bool{}}
	m.frames()
	return m
}

// possible reports whether a stop can be made again by a call at all.
func possible(c evidence.Case) error {
	switch {
	case c.Stop.Panic == nil || c.Inspect == nil || c.Code == nil:
		return errors.New("there are no values to make it from")
	case c.Stop.Test != nil:
		return fmt.Errorf("there is one already: %s fails", c.Stop.Test.Name)
	case c.Stop.Panic.Class == debugger.OutOfMemory:
		return errors.New("it would use up the memory again")
	case c.Stop.Panic.Culprit < 0:
		return errors.New("none of your functions is on the stack")
	}
	return nil
}

// maker makes the tests of one stop.
type maker struct {
	ctx     context.Context
	c       evidence.Case
	run     Run
	tests   []patch.RegressionTest
	refused []string
	done    map[string]bool       // functions that were looked at
	names   map[string]bool       // of the tests made
	beside  *patch.RegressionTest // that is written, too; nil without one
}

// frames goes outward from the culprit.
func (m *maker) frames() {
	for _, f := range m.stack() {
		if m.ctx.Err() != nil {
			return
		}
		full := len(m.tests) >= maxTests && f.Function != mainMain
		if f.User && !full && !m.done[f.Function] && !wrapper(f.Function) {
			m.done[f.Function] = true
			m.frame(f)
		}
	}
	if !m.done[mainMain] && !m.run.Test {
		m.program()
	}
}

// mainMain is the function that calls the whole program.
const mainMain = "main.main"

// stack returns the frames from the culprit outward.
func (m *maker) stack() []debugger.Frame {
	frames := m.c.Stop.Frames
	if m.c.Stop.MoreFrames {
		rest, _, err := m.c.Inspect.Frames(m.ctx, m.c.Stop.Goroutine, debugger.Page{Start: len(frames), Count: maxFrames - len(frames)})
		if err == nil {
			frames = append(frames[:len(frames):len(frames)], rest...)
		}
	}
	if i := m.c.Stop.Panic.Culprit; i < len(frames) {
		return frames[i:]
	}
	return nil
}

// wrapper tells a function that the compiler has put around a call.
func wrapper(function string) bool {
	return strings.Contains(function, ".deferwrap") || strings.Contains(function, ".gowrap")
}

func (m *maker) frame(f debugger.Frame) {
	if f.Function == mainMain && !m.run.Test {
		m.program()
		return
	}
	fn, err := m.function(f)
	if err == nil && m.c.Stop.Panic.Class == debugger.ConcurrentMap {
		err = errors.New("one call alone shows nothing: it takes several goroutines")
	}
	if err == nil {
		err = m.call(f, fn)
	}
	if err != nil {
		m.refuse(short(f.Function), err)
	}
}

func (m *maker) refuse(what string, err error) {
	m.refused = append(m.refused, what+": "+err.Error())
}

// maxReasons are given at most, the innermost first.
const maxReasons = 4

func (m *maker) why() string {
	if len(m.refused) == 0 {
		return "none of the functions on the stack can be called by a test"
	}
	return strings.Join(m.refused[:min(len(m.refused), maxReasons)], "; ")
}

// function finds the declaration that a frame runs, if a test can call it.
func (m *maker) function(f debugger.Frame) (workspace.Func, error) {
	fn, ok := m.c.Code.FuncAt(f.File, f.Line)
	if !ok || fn.Object == nil {
		return fn, errors.New("its source is not known")
	}
	if symbol(f.Function) != declared(fn) {
		return fn, errors.New("is a function literal: a test cannot call it")
	}
	switch name := fn.Decl.Name.Name; {
	case name == "init" && fn.Decl.Recv == nil:
		return fn, errors.New("runs before any test")
	case isTest(fn):
		return fn, errors.New("is a test itself")
	case fn.Decl.Name.Name == "_":
		return fn, errors.New("has no name")
	}
	return fn, nil
}

// short is a function's name with the last part of its package's path only.
func short(function string) string {
	plain := debugger.WithoutTypeArguments(function)
	return plain[strings.LastIndexByte(plain, '/')+1:]
}

// symbol is a function's name without its package: "(*Index).Add", "load.func1".
func symbol(function string) string {
	_, name := debugger.CutFunction(debugger.WithoutTypeArguments(function))
	return name
}

// declared is the symbol of a declaration.
func declared(fn workspace.Func) string {
	name, base, pointer := fn.Decl.Name.Name, receiverName(fn), receiverIsPointer(fn)
	switch {
	case base == "":
		return name
	case pointer:
		return "(*" + base + ")." + name
	}
	return base + "." + name
}

// refusal tells a value that cannot be made from a debugger that fails.
func refusal(err error) error {
	var r *value.Refusal
	if errors.As(err, &r) || errors.Is(err, debugger.ErrGone) || errors.Is(err, debugger.ErrRunning) {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("its values took too long to read")
	}
	return err
}
