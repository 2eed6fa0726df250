package prompts

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// Options bound the gathering; the zero value serves.
type Options struct {
	// Budget is what all sections may take, in tokens; Budget(0) when zero.
	Budget int
	// Git bounds the wait for git; 2 seconds when zero, not asked when negative.
	Git time.Duration
	// Read bounds the wait for each reading of the target; 3 seconds when zero.
	Read time.Duration
	// Env is the environment whose secrets are taken out; this process's when nil.
	Env []string
	// Screen hides secrets and values; when nil, one that knows secrets by their
	// shape and by Env.
	Screen *Screen
	// Goroutines is what was recorded of them (RecordedGoroutines), where the
	// target cannot be read.
	Goroutines string
}

// OptionsFor returns the options for a model that can read so many tokens; 0
// when that is unknown.
func OptionsFor(context int) Options { return Options{Budget: Budget(context)} }

// gathering is one Gather under way.
type gathering struct {
	ctx       context.Context
	written   map[string]string // long values shown, as in shower
	reading   context.Context   // bounds what is read on for the meaning of values
	c         evidence.Case
	o         Options
	sources   *sources
	at        int // index of the culprit in the stack
	frame     debugger.Frame
	home      function
	hasHome   bool
	shown     []function       // functions whose source is in some section
	typeTexts []string         // declarations of the types involved, the nearest first
	waits     []debugger.Frame // where other goroutines are
}

// Gather collects what a model gets to know of a stop: the sections of docs/prompts.md in
// their order, within the budget. What is left out is marked where it was.
// Without an inspector only what the stop holds is used; without loaded code,
// files are read from disk. It fails when there is no crash or ctx ends.
func Gather(ctx context.Context, c evidence.Case, o Options) (Context, error) {
	if c.Stop.Panic == nil {
		return Context{}, errors.New("there is no crash to gather from")
	}
	if o.Budget <= 0 {
		o.Budget = Budget(0)
	}
	if o.Git == 0 {
		o.Git = 2 * time.Second
	}
	if o.Read <= 0 {
		o.Read = 3 * time.Second
	}
	if o.Screen == nil {
		o.Screen = NewScreen(defaultRedactor(o.Env))
	}
	c = o.Screen.Case(c)
	g := &gathering{ctx: ctx, c: c, o: o, sources: newSources(c), at: culprit(c.Stop)}
	g.sources.learn = o.Screen.Learn
	reading, cancel := context.WithTimeout(ctx, o.Read)
	defer cancel()
	g.reading = reading
	if g.at >= 0 {
		g.frame = g.load(g.c.Stop.Frames[g.at])
		g.home, g.hasHome = g.sources.funcAt(g.frame.File, g.frame.Line)
	}
	drafts := []draft{g.stop(), g.line(), g.function(), g.values(), {}, g.types(), g.callers(), g.intent()}
	goroutines := g.goroutines()
	drafts[4] = g.related() // names what is shown elsewhere
	changes := g.changes()  // of all functions shown: last
	drafts = append(drafts, changes, goroutines, g.attempts())
	drafts[5].Text = g.typesBeside(drafts)
	if err := ctx.Err(); err != nil {
		return Context{}, err
	}
	return g.assemble(drafts), nil
}

// culprit returns the index of the frame that the crash is blamed on; -1 without one.
func culprit(s debugger.Stop) int {
	if s.Panic != nil && s.Panic.Culprit >= 0 && s.Panic.Culprit < len(s.Frames) {
		return s.Panic.Culprit
	}
	for i, f := range s.Frames {
		if f.User {
			return i
		}
	}
	if s.Selected >= 0 && s.Selected < len(s.Frames) {
		return s.Selected
	}
	return -1
}

// assemble takes secrets out and trims to the budget, in this order: a secret
// cut in two would not be known again.
func (g *gathering) assemble(drafts []draft) Context {
	out := Context{
		Class: string(g.c.Stop.Panic.Class), Message: manyLines(g.c.Stop.Panic.Message),
		Function: g.frame.Function, File: g.rel(g.frame.File), Line: g.frame.Line,
	}
	for _, d := range drafts {
		g.o.Screen.learn(d.Text)
	}
	redacted := func(key, text string) string {
		screen := g.o.Screen.Text
		if key == SectionAttempts {
			screen = g.o.Screen.OfFix
		}
		text, found := screen(text)
		for _, f := range found {
			out.Hidden = append(out.Hidden, Hidden{key, f})
		}
		return text
	}
	out.Message = g.o.Screen.Plain(out.Message) // a section tells it, too
	for i := range drafts {
		drafts[i].Text = redacted(drafts[i].Key, drafts[i].Text)
		drafts[i].keep = g.o.Screen.Plain(drafts[i].keep)
	}
	out.Redacted, out.screen = len(out.Hidden), g.o.Screen
	out.whole = drafts
	return out.Fit(g.o.Budget, defaultBytesPerToken)
}

// rel shortens a file's path; those of other modules keep only their end.
func (g *gathering) rel(file string) string {
	if file == "" {
		return ""
	}
	rel := g.c.Workspace.Rel(file)
	if filepath.IsAbs(rel) {
		rel = filepath.Join("…", filepath.Base(filepath.Dir(file)), filepath.Base(file))
	}
	return inline(rel)
}

// inline bounds a name of the program's so that it cannot be taken for markup.
func inline(name string) string { return strings.ReplaceAll(oneLine(name), "`", "'") }

func (g *gathering) place(file string, line int) string {
	return fmt.Sprintf("%s:%d", g.rel(file), line)
}

// load reads a frame's variables, if it has not been done and can be.
func (g *gathering) load(f debugger.Frame) debugger.Frame {
	if f.Loaded || g.c.Inspect == nil {
		return f
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.o.Read)
	defer cancel()
	loaded, err := g.c.Inspect.Load(ctx, debugger.FrameRef{Goroutine: g.c.Stop.Goroutine, Frame: f.Index})
	if err != nil {
		f.Err = err.Error()
		return f
	}
	return loaded
}

// show returns a function's source in a fence, and remembers it. A function
// that was shown already is only named.
func (g *gathering) show(f function) string {
	where := fmt.Sprintf("%s, lines %d–%d", g.rel(f.src.file), f.first, f.last)
	for _, s := range g.shown {
		if s.src == f.src && s.first == f.first {
			return where + elsewhere + "\n"
		}
	}
	g.shown = append(g.shown, f)
	return where + ":\n" + fenced("go", f.text()) + "\n"
}

func (g *gathering) stop() draft {
	p := g.c.Stop.Panic
	var b strings.Builder
	kind := "panic"
	if g.c.Stop.Reason == debugger.ReasonFatal {
		kind = "fatal error of the runtime"
	}
	if g.c.Stop.Test != nil {
		kind = "the test " + inline(g.c.Stop.Test.Name) + " fails"
	}
	fmt.Fprintf(&b, "Class: %s (%s), on goroutine %d", p.Class, kind, g.c.Stop.Goroutine)
	if p.Recovered {
		b.WriteString(", recovered by the program")
	}
	if g.c.FromTrace {
		b.WriteString(". It is known from the trace of the panic alone: nothing runs, and few values are known")
	}
	text := "message: " + manyLines(p.Message) + "\n"
	if p.Value.Type != "" && !strings.HasPrefix(strings.TrimLeft(p.Value.Type, "*"), "runtime.") { // whose errors the message tells
		text += fmt.Sprintf("panic value: %s %s\n", typeName(p.Value.Type), g.shower(g.frame.Index).value(p.Value, valueDepth))
	}
	for _, earlier := range p.Chain {
		text += "before it, on the same goroutine: " + manyLines(earlier.Message)
		if earlier.Recovered {
			text += " (recovered)"
		}
		text += "\n"
	}
	if len(p.Chain) > 0 {
		text += "this one came in a deferred call\n"
	}
	b.WriteString("\n" + data(text))
	if t := g.c.Stop.Test; t != nil {
		if vars := g.shower(g.frame.Index).list(append(slices.Clip(t.Case), t.Compared...), valueDepth); vars != "" {
			b.WriteString("\nAt the failing assertion:\n" + data(vars))
		}
		b.WriteString("\nWhat the test expects is taken to be right: fix the code that it tests, not the test.\n")
	}
	return draft{Section: Section{Key: "stop", Title: "What happened", Text: b.String()}}
}

func (g *gathering) function() draft {
	d := draft{Section: Section{Key: "function", Title: "The function that stopped"}}
	switch {
	case g.hasHome:
		d.keep = g.home.src.lineText(g.frame.Line)
		d.Text = fmt.Sprintf("%s (frame %d) stops at line %d. %s", funcName(g.frame.Function), g.frame.Index, g.frame.Line, g.show(g.home))
	case g.at >= 0:
		d.Text = fmt.Sprintf("%s at %s; its source cannot be read.", funcName(g.frame.Function), g.place(g.frame.File, g.frame.Line))
	}
	return d
}

// funcName shortens a function's package path: "store.(*Index).Add".
func funcName(f string) string { return inline(debugger.ShortFunction(f)) }

func (g *gathering) intent() draft {
	var b strings.Builder
	if g.c.Intent != "" {
		b.WriteString("The developer says: " + manyLines(g.c.Intent) + "\n")
	}
	if block := g.c.Stop.Block; block != nil {
		fmt.Fprintf(&b, "It stopped in the block of work `%s`, whose intent is:\n%s\n", inline(block.ID), data(manyLines(block.Intent)))
	}
	if g.hasHome && g.home.decl.Doc != nil {
		fmt.Fprintf(&b, "The doc comment of %s:\n%s\n", funcName(g.frame.Function), fenced("text", manyLines(strings.TrimSpace(g.home.decl.Doc.Text()))))
	}
	for _, f := range g.c.Stop.Frames {
		name := funcName(f.Function)
		name = name[strings.Index(name, ".")+1:]
		if !strings.HasSuffix(f.File, "_test.go") || !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") && !strings.HasPrefix(name, "Benchmark") {
			continue
		}
		fmt.Fprintf(&b, "It stopped in the test %s, at %s.\n", name, g.place(f.File, f.Line))
		if fn, ok := g.sources.funcAt(f.File, f.Line); ok {
			b.WriteString(g.show(fn))
		}
		break
	}
	return draft{Section: Section{Key: "intent", Title: "What was meant", Text: b.String()}}
}

// maxAttempts bounds how many earlier attempts are described.
const maxAttempts = 3

func (g *gathering) attempts() draft {
	var b strings.Builder
	list := g.c.Attempts
	if len(list) > maxAttempts {
		fmt.Fprintf(&b, "[… %d earlier tries left out]\n", len(list)-maxAttempts)
		list = list[len(list)-maxAttempts:]
	}
	for _, a := range list {
		fmt.Fprintf(&b, "Tried: %s\n", inline(a.Title))
		if a.Diff != "" {
			b.WriteString(fenced("diff", manyLines(a.Diff)) + "\n")
		}
		if a.Failure != "" {
			b.WriteString("It was not good enough:\n" + data(manyLines(a.Failure)) + "\n")
		}
	}
	return draft{Section: Section{Key: "attempts", Title: "Earlier tries that failed; do something else", Text: b.String()}}
}
