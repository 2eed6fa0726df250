package lines

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// stopped tells why the target does not run, and where it is.
func (f *frontend) stopped(b *session.Stopped) {
	s := b.Stop
	if s.Crashed() {
		f.asked = false
	}
	f.at = placeOf(s)
	if s.Ended() {
		f.say("%s", exitWords(s, b.Ran))
		return
	}
	if len(f.state.Displays) > 0 {
		f.shows = f.opts.Clock()
	}
	if s.Called != "" && s.Panic == nil { // the command that called tells what came of it
		return
	}
	if s.Panic != nil {
		f.panicWords(s)
	} else {
		f.say("%s", stopWords(s))
	}
	if s.Step != 0 && s.Step != s.Goroutine {
		f.say("goroutine %d came here during the step of goroutine %d: continue goes on with that step, next steps goroutine %[1]d", s.Goroutine, s.Step)
	}
	for _, v := range s.Returned {
		words := session.Short(v, 120)
		if v.Name != "" {
			words = line(v.Name) + " = " + words
		}
		f.say("returned: %s", words)
	}
	for _, v := range s.Printed {
		f.say("%s = %s", line(v.Name), session.Short(v, 120))
	}
	if b := s.Breakpoint; b != nil {
		f.stack(s.Frames[:min(b.Stack, len(s.Frames))])
	}
	if s.Fault != "" {
		f.say("warning: %s", line(s.Fault))
	}
	if frame, ok := s.SelectedFrame(); ok {
		f.place(frame)
	}
}

// placeOf is the frame that a stop selects.
func placeOf(s debugger.Stop) debugger.FrameRef {
	at := debugger.FrameRef{Goroutine: s.Goroutine}
	if frame, ok := s.SelectedFrame(); ok {
		at.Frame = frame.Index
	}
	return at
}

// stack tells the frames that a breakpoint or a tracepoint was to print.
func (f *frontend) stack(frames []debugger.Frame) {
	for _, at := range frames {
		f.say("    %s  %s:%d", line(session.ShortFunction(at.Function)), f.rel(at.File), at.Line)
	}
}

// displayed tells the expressions that are evaluated at every stop.
func (p *printer) displayed(list []session.Display) {
	for _, d := range list {
		value := d.Text
		switch {
		case d.Err != "":
			value = "(" + line(d.Err) + ")"
		case d.Verb == "":
			value = session.Short(d.Value, 120)
		}
		p.say("%d: %s = %s", d.ID, line(d.Expr), line(value))
	}
}

func stopWords(s debugger.Stop) string {
	switch s.Reason {
	case debugger.ReasonWatch:
		return "stopped by a watchpoint: " + session.StopHead(s)
	case debugger.ReasonBreakpoint:
		if s.Breakpoint != nil {
			return "stopped at " + session.BreakpointWords(s.Breakpoint.ID)
		}
		return "stopped at a breakpoint of the program"
	case debugger.ReasonStep:
		return "stepped"
	case debugger.ReasonHalt:
		return "halted"
	case debugger.ReasonFound:
		return "held where it was found"
	case debugger.ReasonEntry:
		return "stopped at the beginning"
	case debugger.ReasonFatal:
		return "FATAL ERROR"
	case debugger.ReasonPanic:
		return "PANIC"
	case debugger.ReasonTest:
		return "TEST FAILED"
	}
	return "stopped: " + string(s.Reason)
}

func exitWords(s debugger.Stop, ran time.Duration) string {
	words := "the program has ended"
	if e := s.Exit; e != nil {
		words = fmt.Sprintf("the program has ended with exit code %d", e.Code)
		if e.Signal != "" {
			words = "the program was killed by " + line(e.Signal)
		}
	}
	return words + " after " + seconds(ran)
}

// panicWords are what the screen's panic card says.
func (f *frontend) panicWords(s debugger.Stop) {
	p := s.Panic
	class := " " + p.Class.Words()
	if class == " panic" { // the word before says so
		class = ""
	}
	f.say("%s%s: %s", stopWords(s), class, line(p.Message))
	if t := p.Value.Deref().Type; t != "" && p.Value.Deref().Kind != reflect.String {
		f.say("value: %s %s", line(t), session.Short(p.Value.Deref(), 200))
	}
	if s.Block != nil {
		f.say("in the block %s", line(session.BlockWords(*s.Block)))
	}
	for _, words := range session.PanicHistory(*p) {
		f.say("%s", line(words))
	}
	switch {
	case p.Recovered && !f.state.Can.Run:
		f.say("the program has recovered it")
	case p.Recovered:
		f.say("the program recovers it and goes on with continue")
	case p.Thrown:
		f.say("a deferred function may still recover it")
	}
}

// place tells a frame: the function, the line, and its values.
func (f *frontend) place(frame debugger.Frame) {
	if frame.Function == "" {
		f.say("at %#x, before the program's own code", frame.PC)
		return
	}
	f.say("in %s, %s line %d, goroutine %d", session.ShortFunction(line(frame.Function)), f.rel(frame.File), frame.Line, f.at.Goroutine)
	code, ok := sourceLine(frame.File, frame.Line)
	if !ok {
		return
	}
	f.say("line %d: %s", frame.Line, line(code))
	if !frame.Loaded && f.state.Phase == session.PhaseStopped {
		frame = f.load(frame)
	}
	if values := valuesOf(code, frame.Variables()); values != "" {
		f.say("values: %s", values)
	}
}

// patience bounds a read of the target.
const patience = 10 * time.Second

// load reads a frame's variables; the frame as it is where they cannot be read.
func (f *frontend) load(frame debugger.Frame) debugger.Frame {
	ctx, cancel := context.WithTimeout(f.ctx, patience)
	defer cancel()
	full, err := f.Inspector().Load(ctx, debugger.FrameRef{Goroutine: f.at.Goroutine, Frame: frame.Index})
	if err != nil {
		return frame
	}
	return full
}

// current is the selected frame.
func (f *frontend) current() (debugger.Frame, error) {
	ctx, cancel := context.WithTimeout(f.ctx, patience)
	defer cancel()
	return f.Inspector().Load(ctx, f.at)
}

// maxSource bounds a source file that is read, in bytes.
const maxSource = 16 << 20

func sourceLine(file string, n int) (string, bool) {
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxSource || n < 1 {
		return "", false
	}
	data, err := regular.Read(file)
	if err != nil {
		return "", false
	}
	for l := range strings.Lines(string(data)) {
		if n--; n == 0 {
			return strings.TrimSpace(l), true
		}
	}
	return "", false
}

var (
	quoted = lazyregexp.New("\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`|'(?:\\\\.|[^'\\\\])*'|//.*$")
	names  = lazyregexp.New(`[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*`)
)

// valuesOf writes the values that a line of source names: variables, and fields
// of them as far as they were loaded.
func valuesOf(code string, vars []debugger.Variable) string {
	var parts []string
	seen := map[string]bool{}
	for _, name := range names.FindAllString(quoted.ReplaceAllString(code, ""), -1) {
		v, path, ok := find(vars, strings.Split(name, "."))
		if !ok || seen[path] {
			continue
		}
		seen[path] = true
		parts = append(parts, path+" = "+short(v))
	}
	return strings.Join(parts, ", ")
}

// find follows a path as far as there are variables.
func find(vars []debugger.Variable, path []string) (v debugger.Variable, known string, ok bool) {
	for i := len(vars) - 1; i >= 0; i-- { // the innermost of a name is last
		if vars[i].Name == path[0] && !vars[i].Shadowed {
			v, known, ok = vars[i], path[0], true
			break
		}
	}
	if !ok {
		return v, "", false
	}
	for _, field := range path[1:] {
		next, there := v.Deref().Child(field)
		if !there {
			break
		}
		v, known = next, known+"."+field
	}
	return v, known, true
}

func short(v debugger.Variable) string {
	if v.Nil {
		return "nil " + kindWords(v.Kind)
	}
	return session.Short(v, 60)
}

func kindWords(k reflect.Kind) string {
	switch k {
	case reflect.Pointer:
		return "pointer"
	case reflect.Func:
		return "function"
	case reflect.Chan:
		return "channel"
	}
	return k.String()
}
